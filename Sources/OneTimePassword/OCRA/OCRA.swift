internal import Crypto
internal import Primitives

/// Codes that answer a challenge or sign data ([RFC 6287](https://www.rfc-editor.org/rfc/rfc6287)).
///
/// The suite says what goes into a code: always a question, and a counter, a PIN, session information and the time
/// where it names them. With one key and one suite the modes of the RFC are kinds of question:
/// ``Question/challenge(_:)``, ``Question/signature(_:)``, and for mutual authentication
/// ``Question/serverResponse(client:server:)`` and ``Question/clientResponse(client:server:)``.
///
/// ```swift
/// let suite = try OCRA.Suite("OCRA-1:HOTP-SHA256-8:C-QN08")
/// let ocra = try OCRA(suite: suite, key: OneTimePasswordKey(secret, algorithm: .sha256))
/// let code = try ocra.code(for: .init(.challenge("12345678"), counter: 9))
/// ```
public struct OCRA: ~Copyable, Sendable {
    /// What goes into a code.
    public let suite: Suite

    let key: OneTimePasswordKey
    private let hashedPIN: SecretBytes

    /// Makes a generator and verifier.
    ///
    /// - Parameters:
    ///   - suite: what goes into a code.
    ///   - key: the seed, made for the suite's algorithm.
    ///   - pin: the PIN when the suite has one, else nothing.
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
            hashedPIN = try pin.hashed(with: algorithm)
        } else {
            guard suite.pinAlgorithm == nil else {
                throw OneTimePasswordError(.missingInput, "the suite needs a PIN")
            }
            hashedPIN = SecretBytes(copying: [])
        }
        self.suite = suite
        self.key = key
    }

    /// The code for some input.
    ///
    /// - Parameter input: exactly what the suite names.
    /// - Throws: ``OneTimePasswordError/Code/missingInput``, ``OneTimePasswordError/Code/unexpectedInput``,
    ///   ``OneTimePasswordError/Code/invalidQuestion``, ``OneTimePasswordError/Code/invalidSession``.
    public borrowing func code(for input: Input) throws(OneTimePasswordError) -> OneTimeCode {
        let prepared = try Prepared(input, suite)
        let authenticationCode = authenticationCode(prepared, prepared.counter, prepared.step)
        if suite.digits == 0 { return OneTimeCode(authenticationCode: authenticationCode) }
        return OneTimeCode(value: Truncation.value(authenticationCode, digits: suite.digits), digits: suite.digits)
    }

    /// The HMAC over suite, zero byte, counter, question, PIN, session and time (RFC 6287 section 5.1).
    borrowing func authenticationCode(_ input: Prepared, _ counter: UInt64, _ step: UInt64) -> [UInt8] {
        let suiteBytes = Array(suite.text.utf8) + [0]
        let counterBytes = suite.hasCounter ? counter.bigEndianBytes : []
        let stepBytes = suite.timeStepSeconds == nil ? [] : step.bigEndianBytes
        let count =
            suiteBytes.count + counterBytes.count + input.question.count + hashedPIN.count + input.session.count
            + stepBytes.count
        // The hash of a PIN is as good as the PIN, so that the whole message is wiped.
        let message = SecretBytes(count: count) { (message: inout MutableSpan<UInt8>) in
            var position = 0
            append(suiteBytes.span, to: &message, &position)
            append(counterBytes.span, to: &message, &position)
            append(input.question.span, to: &message, &position)
            hashedPIN.withBytes { append($0, to: &message, &position) }
            append(input.session.span, to: &message, &position)
            append(stepBytes.span, to: &message, &position)
        }
        return message.withBytes { key.authenticationCode(for: $0) }
    }

    private borrowing func append(_ bytes: Span<UInt8>, to message: inout MutableSpan<UInt8>, _ position: inout Int) {
        for index in bytes.indices { message[position + index] = bytes[index] }
        position += bytes.count
    }
}
