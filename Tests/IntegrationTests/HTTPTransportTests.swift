import Foundation
import Hummingbird
import Orchestration
import OrchestrationHTTP
import OrchestrationProtocol
import Testing

@Suite struct HTTPTransportTests {
    /// The smallest command there is: an empty array.
    static func command() throws -> OrchestrationCommand { try OrchestrationCommand(bytes: [0x80]) }

    @Test func `a command is posted as JSON and so is the answer`() async throws {
        let command = try Self.command()
        try await RogueServer.serving { request in
            guard request.method == .post, request.uri.path == "/id/v1/orchestration-commands",
                request.headers[.contentType] == "application/json"
            else { return RogueServer.answer(.notFound, "") }
            let body = try await request.body.collect(upTo: 1000)
            return Response(status: .ok, body: ResponseBody(byteBuffer: body))
        } _: { url in
            let answer = try await HTTPTransport(endpoint: url.appending(path: "id"), timeout: .milliseconds(300_000))
                .send(command)
            #expect(answer == command)
        }
    }

    @Test func `a platform that is down is a transport error of the environment`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let failure = try await failure(of: HTTPTransport(endpoint: url, timeout: .milliseconds(300_000)))
        #expect(failure.code == .unreachable)
    }

    @Test func `a platform that does not answer in time ends the exchange`() async throws {
        try await RogueServer.serving { _ in
            try await Task.sleep(for: .seconds(60))
            return RogueServer.answer(.ok, "")
        } _: { url in
            let failure = try await failure(of: HTTPTransport(endpoint: url, timeout: .milliseconds(200)))
            #expect(failure.code == .timedOut)
        }
    }

    @Test func `a body that arrives too slowly ends the exchange, too`() async throws {
        try await RogueServer.serving { _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "{"))
                    try await Task.sleep(for: .seconds(60))
                    try await writer.finish(nil)
                })
        } _: { url in
            let failure = try await failure(of: HTTPTransport(endpoint: url, timeout: .milliseconds(200)))
            #expect(failure.code == .timedOut)
        }
    }

    @Test(
        arguments: [
            (500, #"{"errorCategory":"system","errorCode":-1000,"message":"MARK"}"#, -1000),
            (429, #"{"errorCode":-1007}"#, -1007),
            (500, "MARK", nil), (500, "", nil), (500, #"{"errorCode":7}"#, nil), (500, #"{"errorCode":"MARK"}"#, nil),
            (404, "<html>MARK</html>", nil), (204, "", nil), (307, "", nil),
        ] as [(Int, String, Int?)])
    func `another status is reported with the platform's code and nothing else`(
        status: Int, body: String, code: Int?
    ) async throws {
        try await RogueServer.serving { _ in
            RogueServer.answer(.init(code: status), body)
        } _: { url in
            let failure = try await failure(of: HTTPTransport(endpoint: url, timeout: .milliseconds(300_000)))
            #expect(failure.code == .status(status, errorCode: code))
            #expect(!failure.description.contains("MARK"))
        }
    }

    @Test func `without a recorder a command has no correlation id`() async throws {
        try await RogueServer.serving { request in
            let names = request.headers.map(\.name.rawName)
            guard !names.contains("log-correlation-id") else { return RogueServer.answer(.badRequest, "") }
            let body = try await request.body.collect(upTo: 1000)
            return Response(status: .ok, body: ResponseBody(byteBuffer: body))
        } _: { url in
            let command = try Self.command()
            let answer = try await HTTPTransport(endpoint: url, timeout: .milliseconds(300_000)).send(command)
            #expect(answer == command)
        }
    }

    @Test func `a redirect is not followed`() async throws {
        let text = try Self.command().text
        try await RogueServer.serving { request in
            guard request.uri.path != "/elsewhere" else { return RogueServer.answer(.ok, #"{"command":"\#(text)"}"#) }
            return Response(status: .temporaryRedirect, headers: [.location: "/elsewhere"])
        } _: { url in
            let failure = try await failure(of: HTTPTransport(endpoint: url, timeout: .milliseconds(300_000)))
            #expect(failure.code == .status(307, errorCode: nil))
        }
    }

    @Test(arguments: [
        "", "rubbish", "{}", "[]", #"{"command":7}"#, #"{"command":""}"#, #"{"command":"%%%"}"#, #"{"command":"AA"}"#,
        #"{"command":"gA"#, #"{"command":"gAA"}"#,
    ])
    func `an answer that is not a command is refused`(body: String) async throws {
        try await RogueServer.serving { _ in
            RogueServer.answer(.ok, body)
        } _: { url in
            let failure = try await failure(of: HTTPTransport(endpoint: url, timeout: .milliseconds(300_000)))
            #expect(failure.code == .notACommand)
        }
    }

    @Test func `a body over the limit is refused before it is read to its end`() async throws {
        try await RogueServer.serving { _ in
            RogueServer.answer(.ok, #"{"command":""# + String(repeating: "A", count: 100_000) + #""}"#)
        } _: { url in
            let failure = try await failure(of: HTTPTransport(endpoint: url, timeout: .milliseconds(300_000)))
            #expect(failure.code == .tooLarge)
        }
    }

    @Test func `the largest command passes and one byte more does not`() async throws {
        // An array of one byte string that fills 65,536 bytes.
        let largest = [0x81, 0x59, 0xFF, 0xFC] + [UInt8](repeating: 0, count: 65_532)
        let command = try OrchestrationCommand(bytes: largest)
        let tooLong = Data(largest + [0]).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
        try await RogueServer.serving { request in
            let body = try await request.body.collect(upTo: 100_000)
            guard request.uri.path.hasPrefix("/long") else {
                return Response(status: .ok, body: ResponseBody(byteBuffer: body))
            }
            return RogueServer.answer(.ok, #"{"command":"\#(tooLong)"}"#)
        } _: { url in
            #expect(try await HTTPTransport(endpoint: url, timeout: .milliseconds(300_000)).send(command) == command)
            let failure = try await failure(
                of: HTTPTransport(endpoint: url.appending(path: "long"), timeout: .milliseconds(300_000)))
            #expect(failure.code == .notACommand)
        }
    }

    @Test func `a canceled task ends the exchange with a cancellation`() async throws {
        let command = try Self.command()
        try await RogueServer.serving { _ in
            try await Task.sleep(for: .seconds(60))
            return RogueServer.answer(.ok, "")
        } _: { url in
            let transport = try HTTPTransport(endpoint: url, timeout: .milliseconds(300_000))
            let exchange = Task { try await transport.send(command) }
            exchange.cancel()
            await #expect(throws: CancellationError.self) { try await exchange.value }
        }
    }

    @Test(arguments: [
        ("https://id.example.com", true), ("https://id.example.com/", true), ("https://id.example.com/path", true),
        ("http://localhost:8080", true), ("http://127.0.0.1", true), ("http://[::1]:8080", true),
        ("http://id.example.com", false), ("http://127.0.0.1.example.com", false), ("http://localhost.example", false),
        ("ftp://localhost", false), ("id.example.com", false), ("https://", false),
        ("https://alice@id.example.com", false), ("https://id.example.com/?a=b", false),
        ("https://id.example.com/#a", false),
    ])
    func `an address must be https or of this machine`(address: String, isTaken: Bool) throws {
        let transport = try? HTTPTransport(address, timeout: .milliseconds(300_000))
        #expect((transport != nil) == isTaken)
    }

    @Test(arguments: [
        ("id.example.com", "https://"), ("", "https://"), ("ftp://id.example.com", "https://"),
        ("https://", "no host"), ("https://[::1", "no address"), ("https://id.example.com:0", "port"),
        ("https://id.example.com:65536", "port"),
        ("https://alice@id.example.com", "user"), ("https://id.example.com?a=b", "query"),
        ("https://id.example.com#a", "fragment"), ("https://bücher.example", "ASCII"),
        ("https://id.example.com /", "ASCII"), ("http://id.example.com", "this machine"),
        ("http://127.0.0.+1", "this machine"), ("http://127.0.0.256", "this machine"),
    ])
    func `an address that is refused is named with its rule`(address: String, rule: String) throws {
        let error = #expect(throws: OrchestrationError(.invalidConfiguration)) { try HTTPTransport(address) }
        #expect(error?.message.contains(rule) == true, "\(error?.message ?? "")")
    }

    @Test func `plain HTTP to another machine is accepted when the app allows it`() throws {
        let url = try #require(URL(string: "http://id.example.com"))
        _ = try HTTPTransport(endpoint: url, allowsPlainHTTP: true)
        #expect(throws: OrchestrationError(.invalidConfiguration)) {
            try HTTPTransport(endpoint: url, timeout: .milliseconds(0), allowsPlainHTTP: true)
        }
    }

    private func failure(of transport: HTTPTransport) async throws -> HTTPFailure {
        let command = try Self.command()
        let error = await #expect(throws: OrchestrationError.self) { try await transport.send(command) }
        #expect(error?.code == .transport)
        return try #require(error?.underlying as? HTTPFailure)
    }
}
