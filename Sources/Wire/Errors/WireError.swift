public import Primitives

/// Bytes or text that are not what the protocol allows, refused by name.
///
/// Every error of this module is a `WireError`. Two are equal when their codes are, whatever their place. Neither
/// ``description`` nor any other property holds a byte of what was refused, so an error may be logged and shown.
public struct WireError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public let code: Code

    /// Who has to act so that the error goes away.
    public let blame: Blame

    /// The offset in bytes, from 0, of the item that was refused, in the byte string that was being decoded.
    public let offset: Int?

    /// Where in the source the error was made.
    public let location: SourceLocation

    /// A constant sentence for a developer.
    public var message: String { code.message }

    package init(
        _ code: Code, offset: Int? = nil, blame: Blame = .peer, fileID: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.blame = blame
        self.offset = offset
        self.location = SourceLocation(fileID: fileID, line: line)
    }

    /// The code, the offset where there is one, and the message. Safe to log.
    public var description: String {
        let place = offset.map { " at byte \($0)" } ?? ""
        return "\(code)\(place): \(message)"
    }

    /// Whether both errors have the same code.
    public static func == (a: WireError, b: WireError) -> Bool { a.code == b.code }

    /// Hashes the code alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
