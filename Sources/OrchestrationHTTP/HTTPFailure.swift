public import Orchestration

/// The reason why an HTTP exchange returned no command: the underlying error of an `OrchestrationError` with the code
/// `transport`.
///
/// It contains only numbers, and no text of the server.
public struct HTTPFailure: CodedError, Sendable {
    /// A kind of failure.
    @nonexhaustive
    public enum Code: Sendable, Hashable, CustomStringConvertible {
        /// There was no connection, or it broke: the host does not exist, the connection was refused, or TLS failed.
        case unreachable
        /// The exchange took longer than the transport allows.
        case timedOut
        /// The server answered with a status other than 200.
        ///
        /// - Parameter errorCode: The platform's code from its error body, from -1999 to -1000; `nil` when the body
        ///   contains none. It is not authenticated: show it, but do not act on it.
        case status(Int, errorCode: Int?)
        /// The server answered with status 200 and a body that is not a command.
        case notACommand
        /// The server answered with status 200 and a body that is not a stream of Server-Sent Events.
        case notAStream
        /// The answer is longer than a command can be, or a line or event of a stream is too long.
        case tooLarge

        /// The name of the code, with its numbers.
        public var description: String {
            switch self {
            case .unreachable: "unreachable"
            case .timedOut: "timedOut"
            case .status(let status, nil): "status(\(status))"
            case .status(let status, let errorCode?): "status(\(status), errorCode: \(errorCode))"
            case .notACommand: "notACommand"
            case .notAStream: "notAStream"
            case .tooLarge: "tooLarge"
            }
        }
    }

    /// The kind of failure.
    public let code: Code

    /// The place in the source where the error was created.
    public let location: SourceLocation

    init(_ code: Code, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        location = SourceLocation(fileID: fileID, line: line)
    }

    /// A sentence that is safe to log and to show. A status and an error code are the only values in it.
    public var message: String {
        switch code {
        case .unreachable: "the platform cannot be reached"
        case .timedOut: "the platform did not answer in time"
        case .status(let status, nil): "the platform answered with status \(status)"
        case .status(let status, let errorCode?): "the platform answered with status \(status) (error \(errorCode))"
        case .notACommand: "the platform's answer is not a command"
        case .notAStream: "the platform's answer is not a stream of notifications"
        case .tooLarge: "the platform's answer is too large"
        }
    }
}
