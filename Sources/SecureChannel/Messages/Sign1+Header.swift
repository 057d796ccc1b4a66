internal import Primitives
internal import Wire

extension Sign1 {
    /// Refuses a header that holds anything but the algorithm and, where one is expected, this key id.
    func requireHeader(keyID: [UInt8]?) throws(SecureChannelError) {
        do throws(WireError) {
            try header.require(
                only: keyID == nil ? [COSELabel.algorithm] : [COSELabel.algorithm, COSELabel.keyID])
        } catch {
            throw SecureChannelError(
                .malformed, blame: .peer, "a signed message with an unexpected header", underlying: error)
        }
        guard header.keyID == keyID else {
            throw SecureChannelError(.wrongKey, blame: .peer, "a message signed by another key")
        }
    }
}
