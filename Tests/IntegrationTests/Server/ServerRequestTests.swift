import Foundation
import Logging
import Testing
import TrustedIdentity

/// The rules for all requests: keys, correlation ids, sizes and forms.
@Suite struct ServerRequestTests {
    @Test func `health needs no key`() async throws {
        try await TestServer.run { server in
            let answer = try await server.send("GET", "/health")
            #expect(answer.status == 200)
            #expect(answer.text("status") == "ok")
        }
    }

    @Test(arguments: [
        nil, "Bearer", "Bearer ", "Bearer wrong", "Bearer a.b", "Basic YTpi", "Bearer a b", "KEY", "BearerKEY",
    ])
    func `a missing or wrong key is 401 with the error body`(header: String?) async throws {
        try await TestServer.run { server in
            let value = header?.replacingOccurrences(of: "KEY", with: server.applicationKey)
            for (method, path) in [
                ("POST", "/v1/users/register"), ("POST", "/v1/registrations/check-status"),
                ("GET", "/v1/users/alice"), ("POST", "/v1/users/alice/login"), ("POST", "/v1/users/alice/unregister"),
                ("POST", "/v1/users/alice/sync-authenticator"), ("POST", "/v1/users/alice/generate-challenge"),
                ("POST", "/v1/users/alice/transactions/validate"), ("POST", "/v1/users/alice/seals/validate"),
            ] {
                let answer = try await server.send(
                    method, path, body: method == "POST" ? Data("{}".utf8) : nil,
                    headers: value.map { ["Authorization": $0] } ?? [:])
                #expect(answer.status == 401, "\(path)")
                #expect(answer.errorCode == -1051)
                #expect(answer.text("errorCategory") == "system")
                #expect(answer.header("WWW-Authenticate") == "Bearer")
            }
        }
    }

    @Test func `a key stops working when it is revoked`() async throws {
        try await TestServer.run { server in
            let key = try await server.platform.createAPIKey(scope: .applicationServer, name: "short-lived")
            let body = #"{"login":"alice"}"#
            #expect(try await server.post("/v1/registrations/check-status", body, key: key.secret).status == 200)
            try await server.platform.revokeAPIKey(key.id)
            #expect(try await server.post("/v1/registrations/check-status", body, key: key.secret).status == 401)
        }
    }

    @Test func `the scheme of the key is not case-sensitive`() async throws {
        try await TestServer.run { server in
            let answer = try await server.send(
                "POST", "/v1/registrations/check-status", body: Data(#"{"login":"alice"}"#.utf8),
                headers: ["Authorization": "bEARER \(server.applicationKey)"])
            #expect(answer.status == 200)
        }
    }

    @Test func `a correlation id is returned, also with an error`() async throws {
        try await TestServer.run { server in
            let id = "shop-42_a.B"
            let fine = try await server.send("GET", "/health", headers: ["log-correlation-id": id])
            #expect(fine.header("log-correlation-id") == id)
            let wrong = try await server.send("GET", "/v1/users/alice", headers: ["log-correlation-id": id])
            #expect(wrong.header("log-correlation-id") == id)
            #expect(wrong.text("logCorrelationId") == id)
        }
    }

    @Test(arguments: ["", "two words", "<script>", String(repeating: "a", count: 65)])
    func `a correlation id that is not safe in a log line is replaced`(id: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.send("GET", "/health", headers: ["log-correlation-id": id])
            let given = try #require(answer.header("log-correlation-id"))
            #expect(given != id)
            #expect(given.count == 32)
        }
    }

    @Test func `an error has a timestamp in RFC 3339 and the name of the service`() async throws {
        try await TestServer.run { server in
            let answer = try await server.post("/v1/users/register", "{}")
            let time = try #require(answer.text("timestamp"))
            #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
            #expect(answer.text("service") == "trusted-identity")
            #expect(answer.text("message")?.isEmpty == false)
        }
    }

    @Test func `a body of 64 KiB is read, one byte more is 413`() async throws {
        try await TestServer.run { server in
            let prefix = #"{"login":"alice","pad":""#
            let fits = prefix + String(repeating: "x", count: 65_536 - prefix.utf8.count - 2) + "\"}"
            #expect(fits.utf8.count == 65_536)
            #expect(try await server.post("/v1/registrations/check-status", fits).status == 200)
            let tooLong = fits + " "
            let answer = try await server.post("/v1/registrations/check-status", tooLong)
            #expect(answer.status == 413)
            #expect(answer.errorCode == -1050)
            #expect(try await server.post("/v1/orchestration-commands", tooLong).status == 413)
        }
    }

    @Test func `a body without a length is 413 beyond 64 KiB`() async throws {
        try await TestServer.run { server in
            let chunk = String(repeating: "x", count: 0x8000)
            let head = "POST /v1/orchestration-commands HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            let body = String(repeating: "8000\r\n\(chunk)\r\n", count: 3) + "0\r\n\r\n"
            let answer = try await RawConnection.exchange(head + body, port: server.port)
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
        }
    }

    @Test(arguments: ["zz\r\nabc\r\n0\r\n\r\n", "5\r\nabc\r\n0\r\n\r\n", "3\r\nabc", "ffffffffffffffffff\r\n", "3"])
    func `a body with a malformed or missing chunk is 400, and no failure in the log`(body: String) async throws {
        let record = LogRecord()
        let logger = Logger(label: "test") { _ in RecordingHandler(record: record) }
        try await TestServer.run(logger: logger) { server in
            let head = "POST /v1/orchestration-commands HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            let answer = try await RawConnection.exchange(head + body, port: server.port)
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains(#""errorCode":-1001"#), "\(answer)")
            #expect(try await server.send("GET", "/health").status == 200)
        }
        let alarms = record.lines.filter {
            $0.hasPrefix("error") || $0.hasPrefix("critical") || $0.hasPrefix("warning")
        }
        #expect(alarms.isEmpty)
    }

    @Test func `a body without an end is 413 after 1 MiB`() async throws {
        try await TestServer.run { server in
            let head = "POST /v1/orchestration-commands HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            let chunk = "8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n"
            let body = String(repeating: chunk, count: 64)
            let answer = try await RawConnection.firstPart(after: head + body, port: server.port)
            #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer)")
        }
    }

    @Test(arguments: [(3, 200), (4, 431)])
    func `header fields have a limit of 32 KiB in all`(fields: Int, status: Int) async throws {
        try await TestServer.run { server in
            let value = String(repeating: "x", count: 8_192)
            let lines = (0..<fields).map { "X-Field-\($0): \(value)\r\n" }.joined()
            let head = "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(lines)\r\n"
            let answer = try await RawConnection.exchange(head, port: server.port)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(100))")
        }
    }

    @Test(arguments: [
        "", "{", "nonsense", "[]", "\"text\"", "12", "null", "{\"login\":\"alice\"", "{'login':'alice'}", "\u{0}",
    ])
    func `malformed JSON is 400`(body: String) async throws {
        try await TestServer.run { server in
            for path in ["/v1/registrations/check-status", "/v1/users/register", "/v1/orchestration-commands"] {
                let answer = try await server.post(path, body)
                #expect(answer.status == 400, "\(path)")
                #expect(answer.errorCode == -1001)
            }
        }
    }

    @Test func `bytes that are not UTF-8 are 400`() async throws {
        try await TestServer.run { server in
            let answer = try await server.send(
                "POST", "/v1/registrations/check-status", body: Data([0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x3A, 0x31, 0x7D]),
                headers: ["Authorization": "Bearer \(server.applicationKey)"])
            #expect(answer.status == 400)
        }
    }

    @Test func `deep nesting is 400, not a crash`() async throws {
        try await TestServer.run { server in
            let body = String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000)
            let answer = try await server.post("/v1/users/register", body)
            #expect(answer.status == 400)
            let health = try await server.send("GET", "/health")
            #expect(health.status == 200)
        }
    }

    @Test(arguments: [("GET", "/"), ("GET", "/v1/users/register/x/y"), ("DELETE", "/v2/users/alice")])
    func `an unknown route is 404 with the error body`(method: String, path: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.send(
                method, path, headers: ["Authorization": "Bearer \(server.applicationKey)"])
            #expect(answer.status == 404)
            #expect(answer.errorCode == -1053)
        }
    }

    @Test(arguments: ["GET / HTTP/9.9\r\n\r\n", "rubbish\r\n\r\n", "GET / HTTP/1.1\r\nA: \u{0}\r\n\r\n"])
    func `bytes that are not HTTP close the connection and nothing else`(bytes: String) async throws {
        try await TestServer.run { server in
            _ = try await RawConnection.exchange(bytes, port: server.port)
            let health = try await server.send("GET", "/health")
            #expect(health.status == 200)
        }
    }
}
