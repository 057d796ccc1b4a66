package import Crypto
package import Primitives

/// The values of the channel that a device and the platform share after the activation.
package struct ChannelIdentity: Sendable {
    package let device: DeviceAddress

    /// The suite of the activation. Keys of another suite are refused.
    package let suite: Suite

    /// The secret that both sides keep from the activation.
    package let presharedKey: SymmetricKey

    package init(device: DeviceAddress, suite: Suite, presharedKey: SymmetricKey) {
        self.device = device
        self.suite = suite
        self.presharedKey = presharedKey
    }

    /// Returns the `info` of the HPKE context: CBOR `[label, suite, tenant, platform key id, device id]`.
    func info(platformKeyID: [UInt8]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(5)
        writer.text(ChannelKeys.contextLabel.text)
        writer.unsigned(suite.wire)
        writer.text(device.tenant)
        writer.bytes(platformKeyID)
        writer.bytes(device.id)
        return writer.finish()
    }
}

/// The keys of a request and its answer. They are derived from the secrets that the HPKE context exports.
enum ChannelKeys {
    static let contextLabel = Label.channel

    /// The number of bytes that a context exports for each direction.
    static let exportByteCount = 32

    /// Returns the key of a request. The exported secret is fresh for each context, so the key seals one message. If a
    /// snapshot creates the same context again, the random value gives another plaintext another key.
    static func request(exported: SymmetricKey, presharedKey: SymmetricKey, random: [UInt8]) -> OneTimeKey {
        key(exported: exported, presharedKey: presharedKey, random: random, as: .request)
    }

    /// Returns the key of an answer. The random value gives another key to an answer that is sealed again.
    static func answer(exported: SymmetricKey, presharedKey: SymmetricKey, random: [UInt8]) -> OneTimeKey {
        key(exported: exported, presharedKey: presharedKey, random: random, as: .answer)
    }

    private static func key(
        exported: SymmetricKey, presharedKey: SymmetricKey, random: [UInt8], as label: Label
    ) -> OneTimeKey {
        let salt = SymmetricKey(presharedKey, SymmetricKey(data: random))
        return OneTimeKey(KeyDerivation<SHA256>.derive(exported, salt: salt, as: label, count: OneTimeKey.byteCount))
    }

    /// Returns the random value of a request.
    static func requestRandom(
        for plaintext: [UInt8], presharedKey: SymmetricKey, random: any RandomSource
    ) -> [UInt8] {
        let key = KeyDerivation<SHA256>.deriveKey(presharedKey, as: .hedgeRequest)
        return HedgedRandom.bytes(for: plaintext, key: key, random: random)
    }

    /// Returns the random value of an answer. The hash of the request is in the header: one key must not authenticate
    /// two headers.
    static func answerRandom(
        for plaintext: [UInt8], to requestHash: [UInt8], presharedKey: SymmetricKey, random: any RandomSource
    ) -> [UInt8] {
        let key = KeyDerivation<SHA256>.deriveKey(presharedKey, as: .hedgeAnswer)
        return HedgedRandom.bytes(for: requestHash + plaintext, key: key, random: random)
    }
}

extension HPKE.Sender {
    /// Returns the secret of one direction.
    func export(_ label: Label) throws(SecureChannelError) -> SymmetricKey {
        do {
            return try exportSecret(context: label.bytes, outputByteCount: ChannelKeys.exportByteCount)
        } catch {
            throw SecureChannelError(.malformed, blame: .bug, "an HPKE context exports nothing", underlying: error)
        }
    }
}

extension HPKE.Recipient {
    /// Returns the secret of one direction.
    func export(_ label: Label) throws(SecureChannelError) -> SymmetricKey {
        do {
            return try exportSecret(context: label.bytes, outputByteCount: ChannelKeys.exportByteCount)
        } catch {
            throw SecureChannelError(.malformed, blame: .bug, "an HPKE context exports nothing", underlying: error)
        }
    }
}
