/// An error of one design: a code, a constant message, and the place in the source.
///
/// Two errors are equal when their codes are equal. ``description`` and `debugDescription` are safe to log and to show:
/// they contain no value that an input may have influenced, and only the type name of an underlying error.
public protocol CodedError: Error, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The kinds of this error. Later versions may add kinds.
    associatedtype Code: Hashable, Sendable, CustomStringConvertible

    /// The kind of error.
    var code: Code { get }

    /// A constant English sentence for developers, in lower case and without closing punctuation: the fault and, where
    /// useful, the recovery.
    var message: String { get }

    /// The error of another module that led to this one. It may contain more than is safe to log.
    var underlying: (any Error)? { get }

    /// The place in the source where the error was created.
    var location: SourceLocation { get }
}

extension CodedError {
    /// No error of another module.
    public var underlying: (any Error)? { nil }

    /// The code, the message and the type of the underlying error.
    public var description: String {
        guard let underlying else { return "\(code): \(message)" }
        return "\(code): \(message) (\(type(of: underlying)))"
    }

    /// The description and the location.
    public var debugDescription: String { "\(description) [\(location)]" }

    /// Returns whether the codes are equal.
    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// The party that must act to resolve an error.
public enum Blame: String, Sendable, Hashable, Codable, CaseIterable {
    /// The code that calls the library: an argument or the order of calls is wrong.
    case caller
    /// The other end of the channel, or an attacker that impersonates it.
    case peer
    /// The person at the device, for example after a typing error.
    case user
    /// The machine or the network: for example a missing connection or a full disk.
    case environment
    /// This library. Report it as a bug.
    case bug
}

/// A place in the source where an error was created. It reveals nothing about data.
public struct SourceLocation: Sendable, Hashable, CustomStringConvertible {
    /// The file as `Module/File.swift`.
    public let fileID: String

    /// The line, counted from 1.
    public let line: Int

    /// Creates the location of the call, unless the arguments specify another.
    public init(fileID: String = #fileID, line: Int = #line) {
        self.fileID = fileID
        self.line = line
    }

    /// The location as `Module/File.swift:line`.
    public var description: String { "\(fileID):\(line)" }
}
