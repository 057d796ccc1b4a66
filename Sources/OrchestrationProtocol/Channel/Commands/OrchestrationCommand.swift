public import Primitives

/// A command or its answer, opaque to all code that carries it between the authenticator and the platform.
///
/// A transport moves a command unchanged, as bytes or as text. The code that opens the command authenticates its
/// content; this type checks only the outermost frame, to refuse bytes that cannot be a command before they are sent.
///
/// The article <doc:Format> describes the content.
public struct OrchestrationCommand: Sendable, Hashable {
    /// The maximum length of a command: 65,536 bytes.
    public static let maximumByteCount = 65_536

    /// The command as bytes.
    public let bytes: [UInt8]

    /// Creates a command from bytes.
    ///
    /// - Parameter bytes: 1 to 65,536 bytes: one CBOR array, or one COSE message.
    /// - Throws: ``WireError`` with the code `empty`, `tooLarge`, `unexpectedType` if the outermost item is neither, or
    ///   another code of the decoder if the bytes are not well-formed.
    public init(bytes: [UInt8]) throws(WireError) {
        guard !bytes.isEmpty else { throw WireError(.empty) }
        guard bytes.count <= Self.maximumByteCount else { throw WireError(.tooLarge) }
        var reader = CBORReader(bytes)
        guard [.array, .tag].contains(try reader.peekType()) else { throw WireError(.unexpectedType, offset: 0) }
        try reader.skipItem()
        try reader.finish()
        self.bytes = bytes
    }

    /// Creates a command from an encoding that this library made.
    init(encoded bytes: [UInt8]) {
        precondition(
            !bytes.isEmpty && bytes.count <= Self.maximumByteCount, "a message beyond the limits of its fields")
        self.bytes = bytes
    }
}

// Commands carry sealed data and, in the first steps, the name of a user. Neither belongs in a log.
extension OrchestrationCommand: Redacted {
    /// The kind and the length, without the content.
    public var description: String { "OrchestrationCommand(\(kind), \(bytes.count) bytes)" }

    private var kind: String {
        var reader = CBORReader(bytes)
        do throws(WireError) {
            guard try reader.peekType() == .array else {
                return try reader.readTag() == Encrypt0.tag ? "sealed" : "signed"
            }
            _ = try reader.readArray()
            return CommandKind(rawValue: try reader.readUnsigned())?.name ?? "unknown"
        } catch {
            return "unknown"
        }
    }
}
