#if canImport(Darwin)
    internal import Foundation

    /// One request and its answer, over URLSession.
    enum HTTPExchange {
        private static let session: URLSession = {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = nil
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            // Without a network, a flow continues at once without the platform, or repeats its command itself.
            configuration.waitsForConnectivity = false
            return URLSession(configuration: configuration)
        }()

        static func post(
            _ body: [UInt8], to url: String, correlationID: String?, limit: Int
        ) async throws -> (status: Int, correlationID: String?, body: [UInt8]) {
            guard let address = URL(string: url) else { throw HTTPFailure(.unreachable) }
            var request = URLRequest(url: address)
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "content-type")
            request.setValue("application/json", forHTTPHeaderField: "accept")
            if let correlationID { request.setValue(correlationID, forHTTPHeaderField: "log-correlation-id") }
            request.httpBody = Data(body)
            let (bytes, response) = try await session.bytes(for: request, delegate: RedirectRefusal())
            guard let response = response as? HTTPURLResponse else { throw HTTPFailure(.unreachable) }
            var answer: [UInt8] = []
            for try await byte in bytes {
                guard answer.count < limit else { throw HTTPFailure(.tooLarge) }
                answer.append(byte)
            }
            return (response.statusCode, response.value(forHTTPHeaderField: "log-correlation-id"), answer)
        }

        /// The session of streams, whose requests have no separate time limit.
        private static let streams: URLSession = {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = nil
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            // The feed of notifications reopens a lost stream, after its own pauses.
            configuration.waitsForConnectivity = false
            configuration.timeoutIntervalForRequest = 86_400
            configuration.timeoutIntervalForResource = 7 * 86_400
            // Each stream keeps a connection.
            configuration.httpMaximumConnectionsPerHost = HTTPTransport.maximumStreams
            return URLSession(configuration: configuration)
        }()

        /// Sends a GET request, and returns with the head of the response.
        static func open(
            _ url: String, headers: [(String, String)]
        ) async throws -> (status: Int, mediaType: String?, body: Body) {
            guard let address = URL(string: url) else { throw HTTPFailure(.unreachable) }
            var request = URLRequest(url: address)
            for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
            let (bytes, response) = try await streams.bytes(for: request, delegate: RedirectRefusal())
            guard let response = response as? HTTPURLResponse else { throw HTTPFailure(.unreachable) }
            return (
                response.statusCode, response.value(forHTTPHeaderField: "content-type"), Body(content: bytes)
            )
        }

        /// The body of a response, as it arrives.
        struct Body: Sendable {
            fileprivate let content: URLSession.AsyncBytes

            /// Reads to the end.
            func forEachByte(_ act: (UInt8) throws -> Void) async throws {
                for try await byte in content { try act(byte) }
            }
        }
    }

    /// A delegate that refuses redirects: a command is sent to the given address only.
    private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest
        ) async -> URLRequest? {
            nil
        }
    }
#endif
