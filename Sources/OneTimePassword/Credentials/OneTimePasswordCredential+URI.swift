internal import Primitives

extension OneTimePasswordCredential {
    /// Returns the `otpauth` URI, which authenticator apps scan from a QR code
    /// ([format](https://github.com/google/google-authenticator/wiki/Key-Uri-Format)).
    ///
    /// The URI contains the seed: show it to the user only, and do not log it. It contains all parameters, because apps
    /// have different defaults.
    public borrowing func uri() -> String {
        var label = ""
        if let issuer { label = Self.escaped(issuer) + ":" }
        label += Self.escaped(account)
        let seed = secret.withBytes { span in Base32.encode(span.indices.map { span[$0] }) }
        var query = "secret=\(seed)"
        if let issuer { query += "&issuer=\(Self.escaped(issuer))" }
        query += "&algorithm=\(algorithm.rawValue)&digits=\(digits)"
        switch kind {
        case .hotp(let counter): return "otpauth://hotp/\(label)?\(query)&counter=\(counter)"
        case .totp(let timeStep): return "otpauth://totp/\(label)?\(query)&period=\(timeStep)"
        }
    }

    /// Returns a text with all but the unreserved characters (RFC 3986 section 2.3) percent-encoded.
    private static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.unicodeScalars.append(UnicodeScalar(byte))
            default:
                result += "%" + Hex.encode([byte]).uppercased()
            }
        }
    }
}
