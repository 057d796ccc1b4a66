internal import Crypto

extension AES.GCM.Nonce {
    /// Twelve zero bytes: for a key that seals one message in its life, and for no other.
    static var zero: AES.GCM.Nonce {
        get throws { try AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)) }
    }
}
