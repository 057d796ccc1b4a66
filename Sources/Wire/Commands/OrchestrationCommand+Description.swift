public import Primitives

// Commands carry sealed data and, in the first steps, the name of a user: neither belongs in a log.
extension OrchestrationCommand: Redacted {
    /// The kind and the size, nothing of the content.
    public var description: String { "OrchestrationCommand(\(kind), \(bytes.count) bytes)" }

    private var kind: String {
        var reader = CBORReader(bytes)
        do throws(WireError) {
            guard try reader.peekType() == .array else {
                return try reader.readTag() == Encrypt0.tag ? "sealed" : "signed"
            }
            _ = try reader.readArray()
            switch CommandKind(rawValue: try reader.readUnsigned()) {
            case .activationRequest: return "activation request"
            case .activationAnswer: return "activation answer"
            case .activationKeyRequest: return "activation key request"
            case .activationKeyAnswer: return "activation key answer"
            case .activationRefusal: return "activation refusal"
            case nil: return "unknown"
            }
        } catch {
            return "unknown"
        }
    }
}
