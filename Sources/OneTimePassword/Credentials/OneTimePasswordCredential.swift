public import Primitives

/// The seed, the parameters and the names of an account in an authenticator app, as in an `otpauth` URI.
///
/// ```swift
/// let credential = try OneTimePasswordCredential(uri: scanned)
/// if case .totp = credential.kind { code = try credential.totp().code(at: now) }
/// ```
public struct OneTimePasswordCredential: ~Copyable, Sendable {
    /// The value that each code depends on.
    public enum Kind: Sendable, Hashable {
        /// A counter, with the value of the next code.
        case hotp(counter: UInt64)
        /// The time, with the length of a step in seconds.
        case totp(timeStep: Int)
    }

    /// The maximum number of UTF-8 bytes of an issuer or account name.
    public static let maximumNameByteCount = 256

    /// The value that each code depends on.
    public let kind: Kind

    /// The name of the issuer for the user, when it is known.
    public let issuer: String?

    /// The name of the account for the user.
    public let account: String

    /// The hash function.
    public let algorithm: HashAlgorithm

    /// The number of digits of a code.
    public let digits: Int

    /// The seed.
    public let secret: SecretBytes

    /// Creates a credential.
    ///
    /// - Parameters:
    ///   - kind: The value that each code depends on; a time step has 1 to 86,400 seconds.
    ///   - issuer: 1 to ``maximumNameByteCount`` bytes without colons and control characters.
    ///   - account: A name with the same limits.
    ///   - secret: The seed, 1 to ``OneTimePasswordKey/maximumByteCount`` bytes.
    ///   - algorithm: The hash function.
    ///   - digits: 6 to 10.
    /// - Throws: ``OneTimePasswordError/Code/invalidLabel``, ``OneTimePasswordError/Code/invalidKey``,
    ///   ``OneTimePasswordError/Code/invalidDigits``, ``OneTimePasswordError/Code/invalidStep``.
    public init(
        kind: Kind, issuer: String?, account: String, secret: consuming SecretBytes,
        algorithm: HashAlgorithm = .sha1, digits: Int = 6
    ) throws(OneTimePasswordError) {
        guard Self.isName(account), issuer.map(Self.isName) ?? true else {
            throw OneTimePasswordError(
                .invalidLabel, "issuer and account have 1 to 256 bytes, no colon and no control characters")
        }
        guard 1...OneTimePasswordKey.maximumByteCount ~= secret.count else {
            throw OneTimePasswordError(.invalidKey, "a key has 1 to 1024 bytes")
        }
        guard HOTP.digitRange ~= digits else {
            throw OneTimePasswordError(.invalidDigits, "a code has 6 to 10 digits")
        }
        if case .totp(let timeStep) = kind, !(TOTP.stepRange ~= timeStep) {
            throw OneTimePasswordError(.invalidStep, "a time step has 1 to 86400 seconds")
        }
        self.kind = kind
        self.issuer = issuer
        self.account = account
        self.secret = secret
        self.algorithm = algorithm
        self.digits = digits
    }

    /// Returns the generator of a counter-based credential. Start with the counter of ``kind-swift.property``.
    ///
    /// - Throws: ``OneTimePasswordError/Code/invalidParameter`` for a time-based one.
    public borrowing func hotp() throws(OneTimePasswordError) -> HOTP {
        guard case .hotp = kind else {
            throw OneTimePasswordError(.invalidParameter, "the credential is time-based")
        }
        return try HOTP(key: OneTimePasswordKey(secret, algorithm: algorithm), digits: digits)
    }

    /// Returns the generator of a time-based credential.
    ///
    /// - Throws: ``OneTimePasswordError/Code/invalidParameter`` for a counter-based one.
    public borrowing func totp() throws(OneTimePasswordError) -> TOTP {
        guard case .totp(let timeStep) = kind else {
            throw OneTimePasswordError(.invalidParameter, "the credential is counter-based")
        }
        return try TOTP(
            key: OneTimePasswordKey(secret, algorithm: algorithm), digits: digits, timeStep: timeStep)
    }

    private static func isName(_ text: String) -> Bool {
        1...maximumNameByteCount ~= text.utf8.count
            && text.unicodeScalars.allSatisfy { $0 != ":" && $0.properties.generalCategory != .control }
    }
}
