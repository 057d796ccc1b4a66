package import Crypto
internal import Primitives

/// The keys that an exchange derives. The exchange keeps neither K, ISK nor PRK.
struct ActivationKeys: Sendable {
    /// The tag of answer 1, 32 bytes. It proves that the platform knows the activation password.
    let platformTag: SymmetricKey

    /// The tag of request 2, 32 bytes. It proves that the authenticator knows the activation password.
    let authenticatorTag: SymmetricKey

    /// The secret that the key of request 2 is derived from.
    let keyRequest: ActivationMessageSecret

    /// The secret that the key of answer 2 is derived from.
    let keyAnswer: ActivationMessageSecret

    /// 64 bytes. The secrets of the instances, the ratchet and the channel are derived from them.
    let provisioning: SymmetricKey

    static let tagByteCount = 32
    static let provisioningByteCount = 64

    /// Derives the keys.
    ///
    /// - Parameters:
    ///   - sessionKey: ISK of the exchange.
    ///   - hybridSecret: The secret of X-Wing in suite 2, otherwise nil.
    ///   - request: Request 1 as it was sent or received.
    ///   - body: Answer 1 without its tag, as it was sent or received.
    init(
        sessionKey: SymmetricKey, hybridSecret: SymmetricKey?, sessionID: [UInt8], request: [UInt8], body: [UInt8]
    ) {
        let material = hybridSecret.map { SymmetricKey(sessionKey, $0) } ?? sessionKey
        let root = KeyDerivation<SHA512>.extract(
            salt: SymmetricKey(data: Label.activation.bytes + sessionID), material)
        // Both are single CBOR items: no byte of one can be taken for a byte of the other.
        var hash = SHA512()
        hash.update(data: request)
        hash.update(data: body)
        let transcript = hash.finalize().withSpan { [UInt8]($0) }
        func derive(_ label: Label, _ count: Int) -> SymmetricKey {
            KeyDerivation<SHA512>.expand(root, as: label, context: transcript, count: count)
        }
        platformTag = derive(.platformTag, Self.tagByteCount)
        authenticatorTag = derive(.authenticatorTag, Self.tagByteCount)
        keyRequest = .request(derive(.keyRequest, ActivationMessageSecret.byteCount))
        keyAnswer = .answer(derive(.keyAnswer, ActivationMessageSecret.byteCount))
        provisioning = derive(.provisioning, Self.provisioningByteCount)
    }
}

/// The secret from which the key of request 2 or answer 2 is derived, together with a random value.
///
/// A side that was restored from a snapshot made after request 1 has the same secret again, and may seal another
/// message: a platform answers request 2 again, and an authenticator registers another device key. The random value
/// gives the second message another key, because no key may seal two messages.
struct ActivationMessageSecret: Sendable {
    let material: SymmetricKey

    private let label: Label
    private let hedgeLabel: Label

    static let byteCount = 32

    /// Returns the secret of request 2.
    ///
    /// - Parameter material: ``byteCount`` bytes.
    static func request(_ material: SymmetricKey) -> ActivationMessageSecret {
        ActivationMessageSecret(material: material, label: .keyRequest, hedgeLabel: .hedgeKeyRequest)
    }

    /// Returns the secret of answer 2.
    ///
    /// - Parameter material: ``byteCount`` bytes.
    static func answer(_ material: SymmetricKey) -> ActivationMessageSecret {
        ActivationMessageSecret(material: material, label: .keyAnswer, hedgeLabel: .hedgeKeyAnswer)
    }

    /// Returns a random value for a plaintext. Another plaintext gets another value, even with the same random bytes.
    func random(for plaintext: [UInt8], random: any RandomSource) -> [UInt8] {
        let key = KeyDerivation<SHA512>.derive(material, as: hedgeLabel, count: 32)
        return HedgedRandom.bytes(for: plaintext, key: key, random: random)
    }

    /// Returns the key of the message with this random value.
    func key(random: [UInt8]) -> OneTimeKey {
        OneTimeKey(
            KeyDerivation<SHA512>.derive(
                material, salt: SymmetricKey(data: random), as: label, count: OneTimeKey.byteCount))
    }
}

/// The secrets that both sides keep after an activation, 32 bytes each.
package struct ActivationSecrets: Sendable {
    /// K₁, the secret of the password instance. The authenticator stores it only masked by the password.
    package let passwordInstance: SymmetricKey

    /// K₂n, the secret of the instance for the other methods.
    package let possessionInstance: SymmetricKey

    /// D₀, the first state of the key ratchet.
    package let ratchet: SymmetricKey

    /// The pre-shared key of the channel.
    package let channel: SymmetricKey

    init(
        provisioning: SymmetricKey, context: ActivationContext, registration: DeviceRegistration,
        answer: Provisioning
    ) {
        let info = context.provisioning(
            clientRandom: registration.clientRandom, platformRandom: answer.platformRandom, deviceID: answer.deviceID)
        func derive(_ label: Label) -> SymmetricKey {
            KeyDerivation<SHA512>.expand(provisioning, as: label, context: info, count: 32)
        }
        passwordInstance = derive(.passwordInstance)
        possessionInstance = derive(.otherInstance)
        ratchet = derive(.ratchetStart)
        channel = derive(.presharedKey)
    }
}

/// The account and the tenant of an activation, as both sides must spell them.
struct ActivationContext: Sendable {
    let account: AccountName

    /// 1 to 64 bytes of ASCII.
    let tenant: String

    /// The channel identifier CI of the exchange: CBOR `[protocol, "authenticator", account, "platform", tenant]`.
    var channelIdentifier: [UInt8] {
        var writer = CBORWriter()
        writer.array(5)
        writer.text("swift-orchestration/1")
        writer.text("authenticator")
        writer.text(account.text)
        writer.text("platform")
        writer.text(tenant)
        return writer.finish()
    }

    /// Returns the HKDF info of the secrets: CBOR `[clientRandom, platformRandom, deviceID, tenant, account]`.
    func provisioning(clientRandom: [UInt8], platformRandom: [UInt8], deviceID: [UInt8]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(5)
        writer.bytes(clientRandom)
        writer.bytes(platformRandom)
        writer.bytes(deviceID)
        writer.text(tenant)
        writer.text(account.text)
        return writer.finish()
    }
}
