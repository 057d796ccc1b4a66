internal import CHashBlocks

/// A generator and verifier of codes that answer a challenge or sign data
/// ([RFC 6287](https://www.rfc-editor.org/rfc/rfc6287)).
///
/// The suite names the input of a code: a question, and optionally a counter, a PIN, session information and the time.
/// The modes of RFC 6287 are kinds of questions:
/// ``Question/challenge(_:)``, ``Question/signature(_:)``, and for mutual authentication
/// ``Question/serverResponse(client:server:)`` and ``Question/clientResponse(client:server:)``.
///
/// ```swift
/// let suite = try OCRA.Suite("OCRA-1:HOTP-SHA256-8:C-QN08")
/// let ocra = try OCRA(suite: suite, key: OneTimePasswordKey(secret, algorithm: .sha256))
/// let code = try ocra.code(for: .init(.challenge("12345678"), counter: 9))
/// ```
public struct OCRA: ~Copyable, Sendable {
    /// The function and the input of a code.
    public let suite: Suite

    let key: OneTimePasswordKey
    let template: MessageTemplate

    /// Creates a generator and verifier.
    ///
    /// - Parameters:
    ///   - suite: The function and the input of a code.
    ///   - key: The seed, with the hash function of the suite.
    ///   - pin: The PIN if the suite requires one, otherwise `nil`.
    /// - Throws: ``OneTimePasswordError/Code/invalidKey`` when the key is for another algorithm,
    ///   ``OneTimePasswordError/Code/missingInput``, ``OneTimePasswordError/Code/unexpectedInput``,
    ///   ``OneTimePasswordError/Code/invalidPIN``.
    public init(
        suite: Suite, key: consuming OneTimePasswordKey, pin: consuming PIN? = nil
    ) throws(OneTimePasswordError) {
        guard key.algorithm == suite.algorithm else {
            throw OneTimePasswordError(.invalidKey, "the key is for another hash function than the suite")
        }
        if let pin = consume pin {
            guard let algorithm = suite.pinAlgorithm else {
                throw OneTimePasswordError(.unexpectedInput, "the suite has no PIN")
            }
            template = MessageTemplate(suite, try pin.hashed(with: algorithm))
        } else {
            guard suite.pinAlgorithm == nil else {
                throw OneTimePasswordError(.missingInput, "the suite needs a PIN")
            }
            template = MessageTemplate(suite, SecretBytes(copying: []))
        }
        self.suite = suite
        self.key = key
    }

    /// Returns the code for an input.
    ///
    /// - Parameter input: Exactly the values of the suite.
    /// - Throws: ``OneTimePasswordError/Code/missingInput``, ``OneTimePasswordError/Code/unexpectedInput``,
    ///   ``OneTimePasswordError/Code/invalidQuestion``, ``OneTimePasswordError/Code/invalidSession``.
    public borrowing func code(for input: Input) throws(OneTimePasswordError) -> OneTimeCode {
        try unsafe withMessage(input) { message in
            suite.digits == 0
                ? OneTimeCode(authenticationCode: unsafe authenticationCode(message))
                : OneTimeCode(number: unsafe number(message), digits: suite.digits)
        }
    }

    /// Calls a closure with the message of an input, and wipes the message afterwards, because it contains the hash of
    /// the PIN.
    borrowing func withMessage<R>(
        _ input: Input, _ body: (UnsafeMutableRawBufferPointer) -> R
    ) throws(OneTimePasswordError) -> R {
        let result: Result<R, OneTimePasswordError> = unsafe withUnsafeTemporaryAllocation(
            byteCount: MessageTemplate.maximumByteCount, alignment: 16
        ) { memory in
            let message = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<template.paddedCount])
            defer { unsafe hash_blocks_wipe(message.baseAddress, message.count) }
            do throws(OneTimePasswordError) {
                try unsafe template.fill(message, with: input, suite)
                return .success(unsafe body(message))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Returns the number below 2³¹ with the code of a message as its last digits.
    borrowing func number(_ message: UnsafeMutableRawBufferPointer) -> UInt32 {
        unsafe key.prepared.number(of: UnsafeRawBufferPointer(message))
    }

    /// Returns the HMAC of a message.
    borrowing func authenticationCode(_ message: UnsafeMutableRawBufferPointer) -> [UInt8] {
        key.authenticationCode(
            for: unsafe Span(_unsafeBytes: UnsafeRawBufferPointer(message)).extracting(first: template.count))
    }
}
