public import Primitives

extension OneTimePasswordCredential {
    /// The maximum number of bytes of a URI.
    public static let maximumURIByteCount = 8192

    /// Creates a credential from an `otpauth` URI.
    ///
    /// Errors that would lead to wrong codes are refused: errors in the type, the seed and the numbers, and repeated
    /// parameters. Unknown parameters are ignored, because apps add their own (`image`, `color`). The defaults of the
    /// format apply: SHA-1, 6 digits and 30 seconds.
    ///
    /// - Parameter uri: For example `otpauth://totp/ACME:alice?secret=JBSWY3DPEHPK3PXP&issuer=ACME`.
    /// - Throws: ``OneTimePasswordError/Code/invalidURI``, ``OneTimePasswordError/Code/invalidLabel``,
    ///   ``OneTimePasswordError/Code/missingParameter``, ``OneTimePasswordError/Code/repeatedParameter``,
    ///   ``OneTimePasswordError/Code/invalidParameter``, for the secret with a `TextDecodingError` as the underlying
    ///   error. No error contains a part of the URI.
    public init(uri: String) throws(OneTimePasswordError) {
        guard uri.utf8.count <= Self.maximumURIByteCount else {
            throw OneTimePasswordError(.invalidURI, "the URI is longer than 8192 bytes")
        }
        try self.init(uri: SecretBytes(copying: uri.utf8))
    }

    /// Creates a credential from an `otpauth` URI in wiped memory. No other copy of the seed is made.
    ///
    /// - Parameter uri: The URI in ASCII.
    /// - Throws: The errors of ``init(uri:)-(String)``.
    public init(uri: borrowing SecretBytes) throws(OneTimePasswordError) {
        guard uri.count <= Self.maximumURIByteCount else {
            throw OneTimePasswordError(.invalidURI, "the URI is longer than 8192 bytes")
        }
        self = try uri.withBytes { (bytes) throws(OneTimePasswordError) in try Self.read(bytes) }
    }

    private static func read(_ uri: Span<UInt8>) throws(OneTimePasswordError) -> OneTimePasswordCredential {
        var reader = URIReader(uri.count)
        try reader.skip("otpauth://", in: uri)
        let type = reader.take(until: "/", in: uri)
        guard let type, let isTimeBased = isTimeBased(uri, type) else {
            throw OneTimePasswordError(.invalidURI, "the type of the URI must be totp or hotp")
        }
        guard let label = reader.take(until: "?", in: uri) else {
            throw OneTimePasswordError(.invalidURI, "the URI has no parameters")
        }
        let parameters = try URIParameters(uri, reader.rest)
        let (prefix, account) = try names(URIReader.decoded(uri, label))
        let issuer = try parameters.issuer.map { (range) throws(OneTimePasswordError) in
            try URIReader.text(URIReader.decoded(uri, range))
        }
        // With two different issuers, the user may take the credential for another issuer's credential.
        if let prefix, let issuer, prefix != issuer {
            throw OneTimePasswordError(.invalidLabel, "the issuer of the label is not the issuer of the parameters")
        }
        guard let seed = parameters.secret else {
            throw OneTimePasswordError(.missingParameter, "the parameter secret is missing")
        }
        return try OneTimePasswordCredential(
            kind: kind(uri, isTimeBased, parameters), issuer: prefix ?? issuer.flatMap { $0.isEmpty ? nil : $0 },
            account: account, secret: secret(uri, seed), algorithm: algorithm(uri, parameters.algorithm),
            digits: digits(uri, parameters.digits))
    }

    private static func isTimeBased(_ uri: Span<UInt8>, _ range: Range<Int>) -> Bool? {
        if URIReader.equals(uri, range, "totp") { return true }
        return URIReader.equals(uri, range, "hotp") ? false : nil
    }

    /// Issuer and account of a label; spaces before the account are ignored.
    private static func names(_ label: [UInt8]) throws(OneTimePasswordError) -> (String?, String) {
        let parts = label.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count <= 2 else {
            throw OneTimePasswordError(.invalidLabel, "the label has more than one colon")
        }
        let account = try URIReader.text(Array(parts[parts.count - 1].drop { $0 == UInt8(ascii: " ") }))
        return (parts.count == 2 ? try URIReader.text(Array(parts[0])) : nil, account)
    }

    private static func secret(_ uri: Span<UInt8>, _ range: Range<Int>) throws(OneTimePasswordError) -> SecretBytes {
        let text = try URIReader.secret(uri, range)
        do throws(TextDecodingError) {
            // Many services write the seed in lower case.
            return try Base32.decode(text, anyCase: true)
        } catch {
            throw OneTimePasswordError(.invalidParameter, "the parameter secret is not Base32", underlying: error)
        }
    }

    private static func algorithm(
        _ uri: Span<UInt8>, _ range: Range<Int>?
    ) throws(OneTimePasswordError) -> HashAlgorithm {
        guard let range else { return .sha1 }
        for algorithm in HashAlgorithm.allCases where URIReader.equals(uri, range, algorithm.rawValue) {
            return algorithm
        }
        throw OneTimePasswordError(.invalidParameter, "the parameter algorithm must be SHA1, SHA256 or SHA512")
    }

    private static func digits(_ uri: Span<UInt8>, _ range: Range<Int>?) throws(OneTimePasswordError) -> Int {
        guard let range else { return 6 }
        guard let digits = URIReader.number(uri, range), 6...10 ~= digits else {
            throw OneTimePasswordError(.invalidParameter, "the parameter digits must be 6 to 10")
        }
        return Int(digits)
    }

    private static func kind(
        _ uri: Span<UInt8>, _ isTimeBased: Bool, _ parameters: URIParameters
    ) throws(OneTimePasswordError) -> Kind {
        if isTimeBased {
            guard let range = parameters.period else { return .totp(timeStep: 30) }
            guard let period = URIReader.number(uri, range), 1...86_400 ~= period else {
                throw OneTimePasswordError(.invalidParameter, "the parameter period must be 1 to 86400")
            }
            return .totp(timeStep: Int(period))
        }
        guard let range = parameters.counter else {
            throw OneTimePasswordError(.missingParameter, "the parameter counter is missing")
        }
        guard let counter = URIReader.number(uri, range) else {
            throw OneTimePasswordError(.invalidParameter, "the parameter counter must be a number below 2^64")
        }
        return .hotp(counter: counter)
    }
}
