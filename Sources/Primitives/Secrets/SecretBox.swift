internal import Synchronization

/// A shared owner of a secret.
///
/// A box carries a secret, which cannot be copied, in values that can be copied, such as a request. All copies of the
/// box refer to one secret, which is wiped when the last of them is released.
package final class SecretBox<Secret: ~Copyable & Sendable>: Sendable, Redacted {
    /// The secret, to borrow.
    package let secret: Secret

    /// Creates a box that owns a secret.
    package init(_ secret: consuming Secret) { self.secret = secret }
}

extension SecretBox where Secret == SecretBytes {
    /// Creates a box with the UTF-8 of a text. The text itself cannot be wiped.
    package convenience init(_ text: String) { self.init(SecretBytes(copying: text.utf8)) }

    /// The number of bytes.
    package var count: Int { secret.count }

    /// The bytes as text, for a secret that is shown once. The text cannot be wiped.
    package var text: String { secret.withBytes { String(decoding: [UInt8]($0), as: UTF8.self) } }

    /// Calls a closure with the bytes.
    ///
    /// - Parameter body: Receives a view that is valid only during the call.
    /// - Returns: The result of the closure.
    package func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try secret.withBytes(body)
    }
}

/// A secret that is consumed once.
///
/// All copies refer to one secret. The first call of ``take()`` moves it out; a secret that was not taken is wiped when
/// the last copy is released.
package final class OneShotSecret: Sendable, Redacted {
    private let secret: Mutex<SecretBytes?>

    /// Creates an owner of a secret.
    package init(_ secret: consuming SecretBytes) { self.secret = Mutex(secret) }

    /// Creates an owner without a secret.
    package init() { secret = Mutex(nil) }

    /// Moves the secret out.
    ///
    /// - Returns: The secret on the first call; `nil` afterwards, and if there is none.
    package func take() -> SecretBytes? { secret.withLock { $0.take() } }
}
