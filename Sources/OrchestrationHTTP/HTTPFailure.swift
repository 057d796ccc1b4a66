public import Orchestration

/// Why an HTTP exchange brought no command. It stands below an `OrchestrationError` with the code `transport`.
///
/// It holds numbers only, nothing that the other end wrote.
public struct HTTPFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// No connection, or it broke: no such host, refused, TLS failed.
        case unreachable
        /// The exchange took longer than the transport allows.
        case timedOut
        /// The other end answered with another status than 200.
        ///
        /// - Parameter errorCode: the platform's code from its error body, from -1999 to -1000; `nil` when the body
        ///   holds none. Nobody vouches for it: show it, do not act on it.
        case status(Int, errorCode: Int?)
        /// The other end answered with status 200 and something that is no command.
        case notACommand
        /// The answer is longer than a command can be.
        case tooLarge
    }

    /// What happened.
    public let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }

    /// The environment when there was no answer, the peer when there was a wrong one.
    public var blame: Blame {
        switch kind {
        case .unreachable, .timedOut: .environment
        case .status, .notACommand, .tooLarge: .peer
        }
    }

    /// A sentence that is safe to log and to show.
    public var description: String {
        switch kind {
        case .unreachable: "the platform cannot be reached"
        case .timedOut: "the platform did not answer in time"
        case .status(let status, nil): "the platform answered with status \(status)"
        case .status(let status, let errorCode?): "the platform answered with status \(status) (error \(errorCode))"
        case .notACommand: "the platform's answer is not a command"
        case .tooLarge: "the platform's answer is too large"
        }
    }
}
