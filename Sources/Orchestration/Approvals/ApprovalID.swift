internal import Primitives

/// The id of an approval request: 16 random bytes of the platform.
///
/// An id is not secret. It opens nothing without a device of the user.
public struct ApprovalID: Sendable, Hashable, CustomStringConvertible {
    /// The number of bytes.
    static let byteCount = 16

    /// The 16 bytes.
    package let bytes: [UInt8]

    /// The id as 32 hexadecimal digits.
    public var description: String { Hex.encode(bytes) }

    /// Creates an id from bytes.
    ///
    /// - Parameter bytes: 16 bytes.
    /// - Returns: `nil` for another number of bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Creates an id from its text.
    ///
    /// - Parameter text: 32 hexadecimal digits of either case.
    /// - Returns: `nil` for another text.
    public init?(text: String) {
        guard let bytes = try? Hex.decode(text, limit: 2 * Self.byteCount) else { return nil }
        self.init(bytes: bytes)
    }

    /// Creates the id from a verified or decoded value of the protocol.
    init(checked bytes: [UInt8]) { self.bytes = bytes }
}
