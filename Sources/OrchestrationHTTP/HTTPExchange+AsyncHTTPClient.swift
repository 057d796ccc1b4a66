#if !canImport(Darwin) && HTTP
    internal import AsyncHTTPClient
    internal import NIOCore
    internal import NIOHTTP1

    /// One request and its answer, over AsyncHTTPClient.
    enum HTTPExchange {
        /// The client of all transports of the process, on NIO's own threads. It is never shut down. It is like
        /// `HTTPClient.shared`, but without redirects and decompression.
        private static let client = HTTPClient(
            eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)

        /// The client of streams. Each stream keeps a connection, and the default limit of 8 connections to a host
        /// would soon be reached.
        private static let streams: HTTPClient = {
            var configuration = Self.configuration
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = HTTPTransport.maximumStreams
            return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        }()

        private static let configuration: HTTPClient.Configuration = {
            var configuration = HTTPClient.Configuration()
            configuration.redirectConfiguration = .disallow
            configuration.decompression = .disabled
            configuration.connectionPool.retryConnectionEstablishment = false
            return configuration
        }()

        static func post(
            _ body: [UInt8], to url: String, correlationID: String?, limit: Int
        ) async throws -> (status: Int, correlationID: String?, body: [UInt8]) {
            var request = HTTPClientRequest(url: url)
            request.method = .POST
            request.headers = ["content-type": "application/json", "accept": "application/json"]
            if let correlationID { request.headers.add(name: "log-correlation-id", value: correlationID) }
            request.body = .bytes(ByteBuffer(bytes: body))
            // The caller sets the deadline. AsyncHTTPClient also requires a deadline.
            let response = try await client.execute(request, deadline: .distantFuture)
            do {
                let answer = try await response.body.collect(upTo: limit)
                let id = response.headers.first(name: "log-correlation-id")
                return (Int(response.status.code), id, Array(answer.readableBytesView))
            } catch is NIOTooManyBytesError {
                throw HTTPFailure(.tooLarge)
            }
        }

        /// Sends a GET request, and returns with the head of the response.
        static func open(
            _ url: String, headers: [(String, String)]
        ) async throws -> (status: Int, mediaType: String?, body: Body) {
            var request = HTTPClientRequest(url: url)
            request.headers = HTTPHeaders(headers)
            let response = try await streams.execute(request, deadline: .distantFuture)
            return (
                Int(response.status.code), response.headers.first(name: "content-type"), Body(content: response.body)
            )
        }

        /// The body of a response, as it arrives.
        struct Body: Sendable {
            fileprivate let content: HTTPClientResponse.Body

            /// Reads to the end.
            func forEachByte(_ act: (UInt8) throws -> Void) async throws {
                for try await chunk in content {
                    for byte in chunk.readableBytesView { try act(byte) }
                }
            }
        }
    }
#elseif !canImport(Darwin)
    #error("OrchestrationHTTP needs the package trait HTTP on this platform")
#endif
