public import Orchestration
public import OrchestrationProtocol

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A transport that posts commands to the platform, or to an application server that forwards them under the same path.
///
/// Each command is one `POST {endpoint}/v1/orchestration-commands` with `{"command": text}`. The answer has the same
/// form. Commands are protected without TLS. Therefore only the address needs to be configured. TLS also hides which
/// users communicate with the platform.
///
/// ```swift
/// let transport = try HTTPTransport("https://id.example.com")
/// ```
///
/// A flow that is recorded (`TranscriptRecorder`) sends its correlation id in the header `log-correlation-id`, and its
/// transcript contains the correlation id of the reply.
///
/// Redirects are not followed: a command is sent to the given address only. On Apple platforms a `URLSession` without
/// cookies, cache and credentials makes the requests, elsewhere AsyncHTTPClient.
public struct HTTPTransport: Transport {
    /// The maximum size of an answer body in bytes: 64 KiB of command as Base64, and the JSON around it.
    static let maximumAnswerBytes = 64 * 1024 * 4 / 3 + 4096

    let endpoint: HTTPEndpoint
    let timeout: Duration

    /// Creates a transport to one platform.
    ///
    /// - Parameters:
    ///   - address: The base address of the platform, for example `https://id.example.com` or, with a path in front of
    ///     `/v1`, `https://example.com/identity`. Printable ASCII, without user, query and fragment.
    ///   - timeout: The limit for one exchange, including connection and body; more than zero. 15 s by default.
    ///   - allowsPlainHTTP: Whether `http:` is accepted for hosts other than this machine. The commands stay protected,
    ///     because the channel does not depend on TLS, but an observer sees which users activate and log in, and when.
    /// - Throws: `invalidConfiguration` for an address that is neither `https:` nor `http:` to a loopback host, or that
    ///   breaks a rule above; its message names the rule. The same error for a timeout that is not positive.
    public init(
        _ address: String, timeout: Duration = .seconds(15), allowsPlainHTTP: Bool = false
    ) throws(OrchestrationError) {
        guard timeout > .zero else {
            throw OrchestrationError(.invalidConfiguration("the timeout of a transport must be more than zero"))
        }
        endpoint = try HTTPEndpoint(address, allowsPlainHTTP: allowsPlainHTTP)
        self.timeout = timeout
    }

    /// Creates a transport to one platform, whose address is a URL.
    ///
    /// The same as ``init(_:timeout:allowsPlainHTTP:)`` with the text of the URL.
    ///
    /// - Parameters:
    ///   - endpoint: The base address of the platform.
    ///   - timeout: The limit for one exchange.
    ///   - allowsPlainHTTP: Whether `http:` is accepted for hosts other than this machine.
    /// - Throws: `invalidConfiguration`.
    public init(
        endpoint: URL, timeout: Duration = .seconds(15), allowsPlainHTTP: Bool = false
    ) throws(OrchestrationError) {
        try self.init(endpoint.absoluteString, timeout: timeout, allowsPlainHTTP: allowsPlainHTTP)
    }

    /// Posts a command once. The flow repeats a command when necessary.
    ///
    /// - Parameter command: The command.
    /// - Returns: The answer of the platform.
    /// - Throws: ``/Orchestration/OrchestrationError`` with the code `transport` and an ``HTTPFailure`` as the
    ///   underlying error; `CancellationError` when the task was canceled.
    public func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        do {
            let body = try CommandBody.encoded(command)
            let run = TranscriptRun.current
            let reply = try await Deadline.run(within: timeout) {
                try await HTTPExchange.post(
                    body, to: endpoint.url, correlationID: run?.correlationID, limit: Self.maximumAnswerBytes)
            }
            if let id = reply.correlationID { run?.received(replyCorrelationID: id) }
            guard reply.status == 200 else {
                throw HTTPFailure(.status(reply.status, errorCode: CommandBody.errorCode(in: reply.body)))
            }
            return try CommandBody.command(in: reply.body)
        } catch {
            // An HTTP client may report a cancellation with a separate error.
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            throw OrchestrationError(.transport, underlying: error as? HTTPFailure ?? HTTPFailure(.unreachable))
        }
    }
}
