/// What the authenticator and the platform hand each other: opaque to everybody who carries it.
///
/// A transport moves a command unchanged, as bytes or as text. Whether its content is genuine is decided where it is
/// opened; here only the outermost frame is looked at, so that rubbish is refused before it travels.
///
/// The protocol article "The format of a command" says what is inside.
public struct OrchestrationCommand: Sendable, Hashable {
    /// The most bytes that a command may have: 64 KiB.
    public static let maximumByteCount = 65_536

    /// The command as bytes.
    public let bytes: [UInt8]

    /// Takes a command as bytes.
    ///
    /// - Parameter bytes: 1 to 65,536 bytes: one array, or one COSE message.
    /// - Throws: ``WireError`` with the code `empty`, `tooLarge`, `unexpectedType` when the outermost item is neither, or
    ///   any other code of the decoder when it is not well-formed.
    public init(bytes: [UInt8]) throws(WireError) {
        guard !bytes.isEmpty else { throw WireError(.empty) }
        guard bytes.count <= Self.maximumByteCount else { throw WireError(.tooLarge) }
        var reader = CBORReader(bytes)
        guard [.array, .tag].contains(try reader.peekType()) else { throw WireError(.unexpectedType, offset: 0) }
        try reader.skipItem()
        try reader.finish()
        self.bytes = bytes
    }

    /// Takes what this library has encoded.
    init(encoded bytes: [UInt8]) {
        precondition(
            !bytes.isEmpty && bytes.count <= Self.maximumByteCount, "a message beyond the bounds of its fields")
        self.bytes = bytes
    }
}
