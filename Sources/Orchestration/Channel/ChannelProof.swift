internal import Crypto

/// A secret to prove in a message: the proof is sealed beside the signature and nowhere else (PROTOCOL §3, §5).
struct ChannelProof: Sendable {
    /// 1 for the password's instance, 2 for the other methods.
    let instance: UInt8
    let method: AuthenticationMethod
    let secret: SymmetricKey
}
