internal import Crypto
internal import Primitives

/// A secret to prove in a message: the proof is sealed beside the signature and nowhere else (PROTOCOL §3, §5).
struct ChannelProof: Sendable {
    let instance: Instance
    let method: AuthenticationMethod
    let secret: SymmetricKey
}
