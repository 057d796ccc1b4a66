import Foundation
import Testing
import TrustedIdentity
import TrustedIdentityServer

/// What RFC 9110 and RFC 9112 ask of a server, byte by byte.
@Suite(.timeLimit(.minutes(20))) struct ServerProtocolTests {
    /// Requests as they are sent, the beginning of the answer, and lines that it has.
    private static let cases: [(request: String, begin: String, lines: [String])] = [
        ("GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 200 ", ["connection: close"]),
        ("GET http://x/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 200 ", []),
        (
            "GET /health/live HTTP/1.1\r\nhOST: x\r\nConnection: TE, Close\r\n\r\n", "HTTP/1.1 200 ",
            ["connection: close"]
        ),
        ("GET /health/live HTTP/1.0\r\n\r\n", "HTTP/1.0 200 ", ["connection: close"]),
        ("GET /health/live HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "HTTP/1.0 200 ", ["connection: close"]),
        ("GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n", "HTTP/1.1 400 ", []),
        ("GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "HTTP/1.1 400 ", []),
        (
            "HEAD /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 200 ",
            ["content-type: application/json"]
        ),
        ("HEAD /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 404 ", []),
        (
            "HEAD /v1/notifications/00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 405 ",
            ["allow: GET, OPTIONS"]
        ),
        (
            "GET /v1/users/a/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 405 ",
            ["allow: OPTIONS, POST"]
        ),
        (
            "PUT /v1/users/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 405 ",
            ["allow: GET, HEAD, OPTIONS"]
        ),
        (
            "OPTIONS /v1/users/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 204 ",
            ["allow: GET, HEAD, OPTIONS"]
        ),
        ("PROPFIND /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 501 ", []),
        ("BREW /health HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 501 ", ["connection: close"]),
        ("GET /health HTTP/3.0\r\nHost: x\r\n\r\n", "HTTP/1.1 505 ", ["connection: close"]),
        (
            "GET /health HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "x", count: 40_000))\r\n\r\n", "HTTP/1.1 431 ",
            ["connection: close"]
        ),
        (
            "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 204 ",
            ["allow: DELETE, GET, HEAD, OPTIONS, POST"]
        ),
        ("GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 404 ", []),
        (
            "POST /v1/orchestration-commands HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 ", []
        ),
        (
            "POST /v1/orchestration-commands HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 70000\r\n\r\n",
            "HTTP/1.1 413 ", ["connection: close"]
        ),
        (
            "POST /v1/orchestration-commands HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.0 400 ", []
        ),
        (
            "POST /v1/orchestration-commands HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: tea\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1 417 ", []
        ),
        (
            "POST /v1/orchestration-commands HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1 415 ", ["accept-encoding: identity"]
        ),
        (
            "POST /v1/orchestration-commands HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1 400 ", []
        ),
        (
            "POST /v1/orchestration-commands HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 501 ", []
        ),
    ]

    @Test func `messages are answered as the RFCs say`() async throws {
        try await TestServer.run { server in
            for (request, begin, lines) in Self.cases {
                let answer = try await RawConnection.exchange([request], pause: 0, port: server.port)
                let (head, content) = Self.parts(of: answer)
                #expect(answer.hasPrefix(begin), "\(request) \(answer)")
                for line in lines { #expect(head.contains(line.lowercased()), "\(request) \(answer)") }
                let hasNone = request.hasPrefix("HEAD") || begin.contains(" 204 ")
                #expect(!hasNone || content.isEmpty, "\(request) \(answer)")
            }
        }
    }

    @Test func `an answer to HTTP 1.0 closes, and requests in a row on HTTP 1.1 do not`() async throws {
        try await TestServer.run { server in
            let get = "GET /health/live HTTP/1.1\r\nHost: x\r\n"
            let last = "Connection: close\r\n\r\n"
            let answer = try await RawConnection.exchange(
                [get + "\r\n" + get + "\r\n" + get + last], pause: 0, port: server.port)
            #expect(answer.components(separatedBy: "HTTP/1.1 200 ").count == 4)
            #expect(answer.lowercased().components(separatedBy: "connection: close").count == 2)
        }
    }

    @Test(arguments: [
        "GET /health/live HTTP/1.1\r\n\r\n", "GET /health/live HTTP/1.0\r\n\r\n",
        "CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
    ])
    func `nothing is read after the last message, and the connection ends`(last: String) async throws {
        try await TestServer.run { server in
            let more = String(repeating: "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n", count: 3)
            let answer = try await RawConnection.exchange([last + more], pause: 0, port: server.port)
            #expect(answer.components(separatedBy: "HTTP/1.").count == 2, "\(answer)")
            #expect(answer.lowercased().contains("connection: close"))
        }
    }

    @Test(arguments: [
        ("/v1/orchestration-commands", "gzip", "{}", "400"),
        ("/v1/orchestration-commands", "chunked, gzip", "{}", "400"),
        ("/nothing", "chunked", "zz\r\n", "404"),
    ])
    func `a body without an end has one answer, and ends the connection`(
        path: String, coding: String, body: String, status: String
    ) async throws {
        try await TestServer.run { server in
            let answer = try await RawConnection.exchange(
                ["POST \(path) HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \(coding)\r\n\r\n\(body)"], pause: 0,
                port: server.port)
            let statuses = answer.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
            #expect(statuses == [status] || status == "404" && statuses == ["400"], "\(answer)")
        }
    }

    @Test func `100 Continue comes after the answers to earlier requests`() async throws {
        try await TestServer.run { server in
            let get = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
            let post =
                "POST /v1/orchestration-commands HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}"
            let answer = try await RawConnection.exchange([get + post], pause: 0, port: server.port)
            let parts = answer.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
            #expect(parts == ["200", "100", "400"], "\(parts)")
        }
    }

    @Test func `each path of the REST API names its methods`() async throws {
        try await TestServer.run { server in
            for path in ["/health", "/openapi.json", "/v1/platform-keys", "/v1/users/register", "/v1/sessions/1"] {
                let options = try await RawConnection.exchange(
                    ["OPTIONS \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"], pause: 0, port: server.port)
                #expect(options.hasPrefix("HTTP/1.1 204 "))
                let trace = try await RawConnection.exchange(
                    ["TRACE \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"], pause: 0, port: server.port)
                #expect(trace.hasPrefix("HTTP/1.1 405 ") && trace.contains(#""errorCode":-1058"#))
            }
        }
    }

    @Test(arguments: [
        (#"{"login":"alice","login":"bob"}"#, "line 1, column 18: a name occurs twice in this object"),
        (#"{"login":"alice","x":01}"#, "line 1, column 22: this is not a JSON number"),
        (#"{"login":"alice",}"#, "line 1, column 18: a name in quotation marks is missing"),
        ("login=alice", "line 1, column 1: this is not a JSON value"), ("", "line 1, column 1: there is no JSON value"),
    ])
    func `a body that is not JSON is refused with the place`(body: String, fault: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.post("/v1/registrations/check-status", body)
            let problems = answer.json["validationErrors"] as? [[String: String]]
            #expect(answer.status == 400 && answer.errorCode == -1001 && answer.fields == ["body"])
            #expect(problems?.first?["message"] == "is not JSON: \(fault)")
            #expect(answer.text("error") == answer.text("message") && answer.text("error") != nil)
        }
    }

    /// Returns the head in lower case, and the content of the last message.
    private static func parts(of answer: String) -> (head: String, content: String) {
        let parts = answer.components(separatedBy: "\r\n\r\n").filter { !$0.hasPrefix("HTTP/1.1 100") }
        return ((parts.first ?? "").lowercased(), parts.dropFirst().joined())
    }
}
