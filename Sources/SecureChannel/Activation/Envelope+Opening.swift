internal import Primitives
internal import Wire

extension Envelope {
    /// Decodes a command; what is wrong with its bytes stands in the underlying error.
    init(opening command: OrchestrationCommand) throws(SecureChannelError) {
        do throws(WireError) {
            try self.init(decoding: command)
        } catch {
            throw SecureChannelError(.malformed, blame: .peer, "a command is not of the agreed form", underlying: error)
        }
    }
}

extension WireForm {
    /// Decodes what was sealed or signed; what is wrong with its bytes stands in the underlying error.
    init(opened bytes: [UInt8]) throws(SecureChannelError) {
        do throws(WireError) {
            try self.init(decoding: bytes)
        } catch {
            throw SecureChannelError(.malformed, blame: .peer, "a message is not of the agreed form", underlying: error)
        }
    }
}
