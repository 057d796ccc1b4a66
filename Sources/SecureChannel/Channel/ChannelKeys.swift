internal import Crypto
internal import Primitives

/// The keys of a request and its answer, from the secrets that their HPKE context exports.
enum ChannelKeys {
    static let contextLabel = Label.channel

    /// How many bytes a context exports for each direction.
    static let exportByteCount = 32

    /// The key of a request. The exported secret is fresh for each context, so one key seals one message.
    static func request(exported: SymmetricKey, presharedKey: SymmetricKey) -> OneTimeKey {
        OneTimeKey(
            KeyDerivation<SHA256>.derive(exported, salt: presharedKey, as: .request, count: OneTimeKey.byteCount))
    }

    /// The key of an answer. The random bytes make it a new one when an answer has to be made twice.
    static func answer(exported: SymmetricKey, presharedKey: SymmetricKey, random: [UInt8]) -> OneTimeKey {
        let salt = SymmetricKey(presharedKey, SymmetricKey(data: random))
        return OneTimeKey(KeyDerivation<SHA256>.derive(exported, salt: salt, as: .answer, count: OneTimeKey.byteCount))
    }
}
