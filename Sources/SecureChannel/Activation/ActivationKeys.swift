internal import Crypto
internal import Primitives
internal import Wire

/// What comes out of an exchange. K, ISK and PRK are gone when this exists.
struct ActivationKeys: Sendable {
    /// Shows that the platform knows the code; 32 bytes, in answer 1.
    let platformTag: SymmetricKey

    /// Shows that the authenticator knows it; 32 bytes, in request 2.
    let authenticatorTag: SymmetricKey

    /// Seals the device registration of request 2.
    let keyRequest: OneTimeKey

    /// Seals the provisioning of answer 2.
    let keyAnswer: OneTimeKey

    /// 64 bytes; what the secrets of the instances, the ratchet and the channel come from.
    let provisioning: SymmetricKey

    static let tagByteCount = 32
    static let provisioningByteCount = 64

    /// - Parameters:
    ///   - sessionKey: ISK of the exchange.
    ///   - hybridSecret: the secret of X-Wing in suite 2, else nil.
    ///   - request: request 1 as it was sent or received.
    ///   - body: answer 1 without its tag, as it was sent or received.
    init(
        sessionKey: SymmetricKey, hybridSecret: SymmetricKey?, sessionID: [UInt8], request: [UInt8], body: [UInt8]
    ) {
        let material = hybridSecret.map { SymmetricKey(sessionKey, $0) } ?? sessionKey
        let root = KeyDerivation<SHA512>.extract(
            salt: SymmetricKey(data: Label.activation.bytes + sessionID), material)
        // Both are single CBOR items, so that the one cannot borrow bytes of the other.
        var hash = SHA512()
        hash.update(data: request)
        hash.update(data: body)
        let transcript = hash.finalize().withSpan { [UInt8]($0) }
        func derive(_ label: Label, _ count: Int) -> SymmetricKey {
            KeyDerivation<SHA512>.expand(root, as: label, context: transcript, count: count)
        }
        platformTag = derive(.platformTag, Self.tagByteCount)
        authenticatorTag = derive(.authenticatorTag, Self.tagByteCount)
        keyRequest = OneTimeKey(derive(.keyRequest, OneTimeKey.byteCount))
        keyAnswer = OneTimeKey(derive(.keyAnswer, OneTimeKey.byteCount))
        provisioning = derive(.provisioning, Self.provisioningByteCount)
    }
}
