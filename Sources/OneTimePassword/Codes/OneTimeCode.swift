internal import Primitives

/// A one-time password: the text that a user reads off and types.
///
/// It is made to be shown once, to one user, through ``digits``. Printing, logging or reflecting the value by mistake
/// does not reveal it. Codes that are to be checked are never compared with `==`: use the verification functions of
/// ``HOTP``, ``TOTP`` and ``OCRA``.
public struct OneTimeCode: Sendable {
    /// The code as the user types it: decimal digits with leading zeros, or the whole HMAC in lower-case hexadecimal
    /// for an OCRA suite with 0 digits.
    public let digits: String

    init(value: UInt64, digits count: Int) {
        var rest = value
        var characters = [UInt8](repeating: 0, count: count)
        for index in characters.indices.reversed() {
            characters[index] = UInt8(48 + rest % 10)
            rest /= 10
        }
        digits = String(decoding: characters, as: UTF8.self)
    }

    init(authenticationCode: [UInt8]) {
        digits = Hex.encode(authenticationCode)
    }
}

extension OneTimeCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of value and its length. Never the code.
    public var description: String { "one-time code of \(digits.utf8.count) characters" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// No children, so that `dump` and debuggers show nothing.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
