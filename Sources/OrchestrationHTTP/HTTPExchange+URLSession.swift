#if canImport(Darwin)
    internal import Foundation

    /// One request and its answer, over URLSession.
    enum HTTPExchange {
        private static let session: URLSession = {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = nil
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            return URLSession(configuration: configuration)
        }()

        static func post(_ body: [UInt8], to url: String, limit: Int) async throws -> (status: Int, body: [UInt8]) {
            guard let address = URL(string: url) else { throw HTTPFailure(.unreachable) }
            var request = URLRequest(url: address)
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "content-type")
            request.setValue("application/json", forHTTPHeaderField: "accept")
            request.httpBody = Data(body)
            let (bytes, response) = try await session.bytes(for: request, delegate: RedirectRefusal())
            guard let response = response as? HTTPURLResponse else { throw HTTPFailure(.unreachable) }
            var answer: [UInt8] = []
            for try await byte in bytes {
                guard answer.count < limit else { throw HTTPFailure(.tooLarge) }
                answer.append(byte)
            }
            return (response.statusCode, answer)
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
