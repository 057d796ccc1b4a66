internal import Crypto
internal import Primitives

extension HPKE.Sender {
    /// The secret of one direction.
    func export(_ label: Label) throws(SecureChannelError) -> SymmetricKey {
        do {
            return try exportSecret(context: label.bytes, outputByteCount: ChannelKeys.exportByteCount)
        } catch {
            throw SecureChannelError(.malformed, blame: .bug, "a context exports nothing", underlying: error)
        }
    }
}

extension HPKE.Recipient {
    /// The secret of one direction.
    func export(_ label: Label) throws(SecureChannelError) -> SymmetricKey {
        do {
            return try exportSecret(context: label.bytes, outputByteCount: ChannelKeys.exportByteCount)
        } catch {
            throw SecureChannelError(.malformed, blame: .bug, "a context exports nothing", underlying: error)
        }
    }
}
