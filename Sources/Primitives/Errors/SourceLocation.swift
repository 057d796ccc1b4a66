/// Where in the source an error was made: helps a developer, says nothing about data.
public struct SourceLocation: Sendable, Hashable, CustomStringConvertible {
    /// The file as `Module/File.swift`.
    public let fileID: String

    /// The line, counted from 1.
    public let line: Int

    /// The place where this is called, when both parameters keep their defaults.
    public init(fileID: String = #fileID, line: Int = #line) {
        self.fileID = fileID
        self.line = line
    }

    /// `Module/File.swift:line`.
    public var description: String { "\(fileID):\(line)" }
}
