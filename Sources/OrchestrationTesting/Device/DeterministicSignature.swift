internal import Crypto

/// ECDSA over P-256 and SHA-256 with a nonce from the key and the message (RFC 6979), which gives the same message the
/// same signature in every run. The signatures of swift-crypto are randomized.
enum DeterministicSignature {
    /// Signs a message.
    ///
    /// - Parameters:
    ///   - message: The message, of any length.
    ///   - privateKey: The private key: 32 bytes, a number from 1 to n - 1.
    /// - Returns: The numbers r and s, 32 bytes each.
    static func sign(_ message: [UInt8], privateKey: [UInt8]) throws -> [UInt8] {
        let digest = P256Scalar(reducing: Array(SHA256.hash(data: message)))
        var nonces = NonceGenerator(privateKey: privateKey, digest: digest.bytes)
        while true {
            let nonce = nonces.next()
            guard let k = P256Scalar(nonZero: nonce) else { continue }
            let point = try P256.Signing.PrivateKey(rawRepresentation: nonce).publicKey.x963Representation
            let r = P256Scalar(reducing: point.dropFirst().prefix(32))
            let s = k.inverse * (digest + r * P256Scalar(reducing: privateKey))
            if r != .zero, s != .zero { return r.bytes + s.bytes }
        }
    }
}

/// The generator of RFC 6979, section 3.2, for a hash and a group order of 256 bits.
private struct NonceGenerator {
    private var key = [UInt8](repeating: 0, count: 32)
    private var value = [UInt8](repeating: 1, count: 32)
    private var isFirst = true

    init(privateKey: [UInt8], digest: [UInt8]) {
        for separator: UInt8 in [0, 1] {
            key = hmac(value + [separator] + privateKey + digest)
            value = hmac(value)
        }
    }

    mutating func next() -> [UInt8] {
        if !isFirst {
            key = hmac(value + [0])
            value = hmac(value)
        }
        isFirst = false
        value = hmac(value)
        return value
    }

    private func hmac(_ message: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }
}
