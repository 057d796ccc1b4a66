public import Primitives

/// What went wrong in the platform.
///
/// Every public method of ``Platform`` throws a `PlatformError` or `CancellationError`. Two errors are equal when their
/// codes are. Neither ``description`` nor ``message`` ever holds a name, a code, a password or a key, so both may be
/// logged and sent to an application server.
public struct PlatformError: Error, Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// What went wrong, for programs.
    public let code: Code

    /// The error below this one, where there is one: a store's, most likely. Do not send it to anybody.
    public let underlying: (any Error)?

    /// Where in the source the error was made.
    public let location: SourceLocation

    /// Who has to act so that the error goes away.
    public var blame: Blame { code.blame }

    /// A constant English sentence, for developers.
    public var message: String { code.message }

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: what went wrong.
    ///   - underlying: the error that caused this one.
    ///   - fileID: where the error was made; keep the default.
    ///   - line: where the error was made; keep the default.
    public init(_ code: Code, underlying: (any Error)? = nil, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        self.underlying = underlying
        location = SourceLocation(fileID: fileID, line: line)
    }

    /// The code and its sentence. Of the underlying error it names the type only, which cannot hold a secret.
    public var description: String {
        guard let underlying else { return "\(code): \(message)" }
        return "\(code): \(message) (\(type(of: underlying)))"
    }

    /// The description with the place in the source.
    public var debugDescription: String { "\(description) [\(location)]" }

    /// Whether both errors have the same code.
    public static func == (a: PlatformError, b: PlatformError) -> Bool { a.code == b.code }

    /// Hashes the code alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
