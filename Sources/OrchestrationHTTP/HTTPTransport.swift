public import Orchestration
public import Wire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Posts commands to the platform, or to an application server that passes them on under the same path.
///
/// Each command is one `POST {endpoint}/v1/orchestration-commands` with `{"command": text}`, and so is the answer.
/// Commands protect themselves, so there is nothing to configure but the address; TLS comes on top and hides who
/// talks to whom.
///
/// ```swift
/// let transport = try HTTPTransport(endpoint: url)        // https://id.example.com
/// ```
///
/// Redirects are not followed: a command goes where the app said and nowhere else. On Apple platforms the requests
/// are those of a `URLSession` without cookies, cache and credentials, elsewhere those of AsyncHTTPClient.
public struct HTTPTransport: Transport {
    /// An answer's body may have this many bytes: 64 KiB of command as base64, and some room for the JSON around it.
    static let maximumAnswerBytes = 64 * 1024 * 4 / 3 + 4096

    private let endpoint: HTTPEndpoint
    private let timeoutMilliseconds: Int64

    /// A transport to one platform.
    ///
    /// - Parameters:
    ///   - endpoint: the platform's base address, for example `https://id.example.com` or, with a path in front of
    ///     `/v1`, `https://example.com/identity`. Without user, query and fragment.
    ///   - timeoutMilliseconds: how long one exchange may take, connection and body included. 15 s by default; 1 or
    ///     more.
    ///   - allowsPlainHTTP: whether `http:` is taken for other hosts than this machine. The commands bear it (the
    ///     channel does not rest on TLS), but everybody on the way sees who activates and logs in, and when.
    /// - Throws: `invalidConfiguration` when the address is not `https:`, or `http:` to a loopback host, or breaks a
    ///   rule above.
    public init(
        endpoint: URL, timeoutMilliseconds: Int64 = 15_000, allowsPlainHTTP: Bool = false
    ) throws(OrchestrationError) {
        guard timeoutMilliseconds > 0 else { throw OrchestrationError(.invalidConfiguration) }
        self.endpoint = try HTTPEndpoint(endpoint, allowsPlainHTTP: allowsPlainHTTP)
        self.timeoutMilliseconds = timeoutMilliseconds
    }

    /// Posts a command once. It does not try again; the flow does.
    ///
    /// - Throws: ``OrchestrationError`` with the code `transport`, the ``HTTPFailure`` below it; `CancellationError`
    ///   when the task was canceled.
    public func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        do {
            let body = try CommandBody.encoded(command)
            let reply = try await Deadline.run(milliseconds: timeoutMilliseconds) {
                try await HTTPExchange.post(body, to: endpoint.url, limit: Self.maximumAnswerBytes)
            }
            guard reply.status == 200 else {
                throw HTTPFailure(.status(reply.status, errorCode: CommandBody.errorCode(in: reply.body)))
            }
            return try CommandBody.command(in: reply.body)
        } catch {
            // Whatever the client made of a cancellation, it is one.
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            throw OrchestrationError(.transport, underlying: error as? HTTPFailure ?? HTTPFailure(.unreachable))
        }
    }
}
