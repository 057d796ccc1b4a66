internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The keyed hashes by which the store finds secrets of other parties: API keys, login sources, transaction creditors
/// and browser fingerprints.
///
/// Each is an HMAC-SHA-256, under a separate key of the ``DataKeys``. Without it, a writer to the database can neither
/// make the row of a known API key nor test a guess of a source. A hash cannot be computed again without its input. The
/// hash keys of API keys and creditors therefore never change.
struct KeyedHashes: Sendable, Redacted {
    private let apiKeys: SymmetricKey
    private let sources: SymmetricKey
    private let creditors: SymmetricKey
    private let browsers: SymmetricKey

    /// Takes the four keys of a store: for API keys, sources, creditors and browsers.
    init(keys: [SymmetricKey]) {
        (apiKeys, sources, creditors, browsers) = (keys[0], keys[1], keys[2], keys[3])
    }

    /// Returns the hash that the store keeps of an API key's secret.
    func stored(apiKeySecret secret: borrowing SecretBytes) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: Label.apiKey.bytes)
        secret.withBytes { span in unsafe span.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) } }
        return stored(apiKeyHash: Array(hash.finalize()))
    }

    /// Returns the hash that the store keeps of a certificate's SHA-256. It never equals the hash of a secret, because
    /// a certificate is public and must not act as an API key.
    func stored(certificateHash: [UInt8]) -> [UInt8] {
        stored(apiKeyHash: Array(SHA256.hash(data: Label.clientCertificate.bytes + certificateHash)))
    }

    /// Returns the hash that the store keeps of an unlock code's secret. It is not valid in another row.
    ///
    /// - Parameters:
    ///   - id: The id of the row, 16 bytes.
    ///   - device: The id of the device, 16 bytes.
    func stored(unlockCodeSecret secret: MessageSecret, id: [UInt8], device: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: Label.unlockCode.bytes + id + device)
        secret.withBytes { span in unsafe span.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) } }
        return stored(apiKeyHash: Array(hash.finalize()))
    }

    /// Returns the hash that the store keeps of an API key's secret, from its unkeyed hash.
    func stored(apiKeyHash hash: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: hash, using: apiKeys))
    }

    /// Returns the hash that the store keeps of a login source, which may be a browser fingerprint.
    ///
    /// - Parameter source: The source as the application server names it; at most
    ///   ``ThrottleScope/maximumSourceBytes`` of its bytes count.
    /// - Returns: A hash that depends on the account; empty for no source.
    func stored(source: String?, of account: String) -> String {
        let bytes = Array((source ?? "").utf8.prefix(ThrottleScope.maximumSourceBytes))
        guard !bytes.isEmpty else { return "" }
        let named = Label.loginSource.bytes + [0] + Array(account.utf8) + [0] + bytes
        return stored(sourceHash: Hex.encode(Array(SHA256.hash(data: named))))
    }

    /// Returns the hash that the store keeps of a login with an unknown source: a hash of its session, which is not a
    /// source.
    ///
    /// - Returns: Empty for no session.
    func stored(session: String, of account: String) -> String {
        session.isEmpty ? "" : Self.sessionPrefix + stored(source: session, of: account)
    }

    /// Returns whether a stored value is the hash of a session. No later login has that session.
    static func isSession(_ stored: String) -> Bool { stored.hasPrefix(sessionPrefix) }

    private static let sessionPrefix = "session "

    /// Returns the hash that the store keeps of a transaction's creditor: 16 bytes, which depend on the account.
    func stored(creditor: String, of account: String) -> [UInt8] { Self.short(creditor, of: account, using: creditors) }

    /// Returns the hash that the store keeps of a browser fingerprint: 16 bytes, which depend on the account.
    func stored(browser fingerprint: String, of account: String) -> [UInt8] {
        Self.short(fingerprint, of: account, using: browsers)
    }

    private static func short(_ text: String, of account: String, using key: SymmetricKey) -> [UInt8] {
        let named = Array(account.utf8) + [0] + Array(text.utf8)
        return Array(HMAC<SHA256>.authenticationCode(for: named, using: key).prefix(16))
    }

    /// Returns the hash that the store keeps of an exchange's network address.
    ///
    /// - Returns: 16 hexadecimal digits; empty for no address.
    func stored(address: String?) -> String {
        guard let address else { return "" }
        let named = Label.activationSource.bytes + [0] + AddressNetwork(address).bytes
        return Hex.encode(Array(HMAC<SHA256>.authenticationCode(for: named, using: sources).prefix(8)))
    }

    /// Returns the hash that the store keeps of an end user's network address.
    ///
    /// - Returns: 16 hexadecimal digits, which depend on the account. All addresses of a 64-bit IPv6 network give the
    ///   same digits.
    func stored(address: NetworkAddress, of account: String) -> String {
        let network = address.isIPv4 ? address.bits : (address.bits >> 64) << 64
        let bytes: [UInt8] = (0..<16).map { UInt8(truncatingIfNeeded: network >> UInt128(120 - 8 * $0)) }
        let named = Label.loginSource.bytes + [1] + Array(account.utf8) + [0] + bytes
        return Hex.encode(Array(HMAC<SHA256>.authenticationCode(for: named, using: sources).prefix(8)))
    }

    /// Returns the hash that the store keeps of a source, from its unkeyed hash.
    func stored(sourceHash hash: String) -> String {
        Hex.encode(Array(HMAC<SHA256>.authenticationCode(for: Array(hash.utf8), using: sources)))
    }
}
