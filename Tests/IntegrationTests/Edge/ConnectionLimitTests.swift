import Foundation
import OrchestrationTesting
import Primitives
import Synchronization
import Testing
import TrustedIdentityServer

@testable import TrustedIdentity

/// The limits of connections and requests, over real connections.
@Suite struct ConnectionLimitTests {
    private static func server(
        proxies: TrustedProxies = .init(), tls: TLSFiles = .init(), _ change: (inout ConnectionLimits) -> Void
    ) -> ServerConfiguration {
        var limits = ConnectionLimits.patient
        limits.idleTimeout = .seconds(600)
        change(&limits)
        return ServerConfiguration(port: 0, proxies: proxies, tls: tls, limits: limits)
    }

    private static let post = "POST /v1/orchestration-commands HTTP/1.1\r\nHost: a\r\n"

    @Test(arguments: ["Content-Length: 60000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nffff\r\n"])
    func `a body that does not arrive is a 408 at its deadline, and ends the connection`(
        framing: String
    ) async throws {
        try await TestServer.run(server: Self.server { $0.bodyTimeout = .seconds(1) }) { server in
            let answer = try await RawConnection.drip(Self.post + framing + "x", byte: nil, port: server.port)
            #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.contains(#""errorCode":-1055"#), "\(answer)")
            // Each byte is a sign of life, and none moves the deadline. A byte that the server no longer reads may
            // reset the connection before the client has the answer.
            let dripped = try await RawConnection.drip(Self.post + framing, port: server.port)
            #expect(dripped.hasPrefix("HTTP/1.1 408 ") || dripped == "", "\(dripped)")
            let health = try await server.send("GET", "/health").status
            #expect(health == 200)
        }
    }

    @Test func `a body that no handler reads ends at its deadline, too`() async throws {
        try await TestServer.run(server: Self.server { $0.bodyTimeout = .seconds(1) }) { server in
            let head = "GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n"
            let answer = try await RawConnection.drip(head, port: server.port)
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
        }
    }

    @Test func `a body that arrives in time is answered, and the connection goes on after the deadline`() async throws {
        try await TestServer.run(server: Self.server { $0.bodyTimeout = .seconds(1) }) { server in
            let request = Self.post + "Content-Length: 18\r\n\r\n" + #"{"command":"8101"}"#
            let answer = try await RawConnection.exchange(
                [request, "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"], pause: 1_500,
                port: server.port)
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("HTTP/1.1 200 "), "\(answer)")
        }
    }

    @Test(arguments: ["", "GET /health HTTP/1.1\r\nHost: "])
    func `a connection that says nothing, or only a part of its headers, is closed`(text: String) async throws {
        try await TestServer.run(server: Self.server { $0.idleTimeout = .seconds(1) }) { server in
            let answer = try await RawConnection.drip(text, byte: text.isEmpty ? nil : "a", port: server.port)
            #expect(answer == "")
        }
        try await TestServer.run(server: Self.server(tls: TLSTests.files) { $0.idleTimeout = .seconds(1) }) { server in
            let overTLS = try await RawConnection.drip("", byte: nil, port: server.port)
            #expect(overTLS == "")
        }
    }

    @Test func `a connection whose answers are not read is closed`() async throws {
        let limits = Self.server { ($0.connections, $0.idleTimeout) = (1, .seconds(1)) }
        try await TestServer.run(server: limits) { server in
            // 34 MB of answers, more than the system takes for a connection.
            let requests = String(repeating: "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n", count: 300)
            try await RawConnection.abandon(after: requests, port: server.port) {
                try await Patience.wait(for: "room for another connection") {
                    try await RawConnection.exchange(
                        "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", port: server.port
                    ).hasPrefix("HTTP/1.1 200 ")
                }
            }
        }
    }

    @Test func `too many and too large headers are refused`() async throws {
        let limits = Self.server {
            ($0.headerFields, $0.headerFieldBytes, $0.headerBytes) = (16, 1_024, 4_096)
        }
        try await TestServer.run(server: limits) { server in
            func status(_ headers: [String]) async throws -> String {
                let lines = (["Host: a", "Connection: close"] + headers).joined(separator: "\r\n")
                return String(
                    try await RawConnection.exchange("GET /health HTTP/1.1\r\n\(lines)\r\n\r\n", port: server.port)
                        .dropFirst("HTTP/1.1 ".count).prefix(3))
            }
            func field(_ bytes: Int) -> String { "x: " + String(repeating: "y", count: bytes) }
            #expect(try await status(Array(repeating: "x: y", count: 14)) == "200")
            #expect(try await status(Array(repeating: "x: y", count: 15)) == "431")
            #expect(try await status([field(1_000)]) == "200")
            #expect(try await status([field(1_100)]) == "431")
            #expect(try await status(Array(repeating: field(900), count: 4)) == "200")
            #expect(try await status(Array(repeating: field(900), count: 5)) == "431")
            let after = try await server.send("GET", "/health").status
            #expect(after == 200)
        }
    }

    @Test func `silent connections take the share of their address and no more, until they are closed`() async throws {
        let limits = Self.server {
            ($0.connections, $0.connectionsPerAddress, $0.idleTimeout) = (400, 300, .seconds(600))
        }
        try await TestServer.run(server: limits) { server in
            // Ten are closed at once, long before their time.
            let open = try await RawConnection.silent(310, untilClosed: 10, port: server.port)
            #expect(open.closed == 10)
            open.close()
            try await Patience.wait(for: "room for a new connection") {
                try await RawConnection.exchange(
                    "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", port: server.port
                ).hasPrefix("HTTP/1.1 200 ")
            }
        }
    }

    @Test func `a trusted proxy has no share of its own, and the limit of all connections counts`() async throws {
        let proxies = TrustedProxies([AddressRange("127.0.0.0/8")].compactMap(\.self))
        let limits = Self.server(proxies: proxies) {
            ($0.connections, $0.connectionsPerAddress, $0.idleTimeout) = (100, 1, .seconds(600))
        }
        try await TestServer.run(server: limits) { server in
            let open = try await RawConnection.silent(105, untilClosed: 5, port: server.port)
            #expect(open.closed == 5)
            open.close()
        }
    }

    @Test func `a connection with a proven key, and one with a request, outlast those that say nothing`() async throws {
        let limits = Self.server { ($0.connections, $0.idleTimeout) = (3, .seconds(600)) }
        try await TestServer.run(server: limits) { server in
            let user = "/v1/users/alice HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(server.applicationKey)\r\n\r\n"
            let known = try await RawConnection.Kept(port: server.port)
            #expect(try await known.exchange("GET " + user).hasPrefix("HTTP/1.1 404 "))
            let stranger = try await RawConnection.Kept(port: server.port)
            #expect(try await stranger.exchange("GET /health HTTP/1.1\r\nHost: a\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
            // A body that does not arrive is no request.
            let slow = try await RawConnection.Kept(port: server.port)
            try await slow.send(Self.post + "Content-Length: 9\r\n\r\n{")
            for _ in 0..<20 {
                let other = try await RawConnection.Kept(port: server.port)
                #expect(try await other.exchange("GET /health HTTP/1.1\r\nHost: a\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
            }
            #expect(try await stranger.isClosed())
            #expect(try await slow.isClosed())
            #expect(try await known.exchange("GET " + user).hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test func `a call that waits keeps its connection`() async throws {
        let limits = Self.server { ($0.connections, $0.idleTimeout) = (2, .seconds(600)) }
        var configuration = PlatformConfiguration()
        configuration.waitingCalls = 1
        let time = ManualTimeSource()
        try await TestServer.run(configuration, time: time, server: limits) { server in
            _ = try await server.platform.register(.init(account: AccountName(text: "alice", defaultDomain: "master")))
            let body = #"{"login":"alice","timeoutSeconds":30}"#
            let waiting = try await RawConnection.Kept(port: server.port)
            try await waiting.send(
                "POST /v1/registrations/check-status HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n"
                    + "Connection: close\r\nAuthorization: Bearer \(server.applicationKey)\r\n\r\n" + body)
            await time.sleepers(1)
            for _ in 0..<10 {
                let other = try await RawConnection.Kept(port: server.port)
                #expect(try await other.exchange("GET /health HTTP/1.1\r\nHost: a\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
            }
            time.advance(seconds: 30)
            var answer = ""
            while case let part = try await waiting.exchange(""), !part.isEmpty { answer += part }
            #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains(#""timeout""#), "\(answer)")
        }
    }

    @Test func `a server that is canceled while connections wait to be served ends cleanly`() async throws {
        for _ in 0..<10 {
            try await TestServer.run(server: Self.server { _ in }) { server in
                try await RawConnection.silent(100, port: server.port).close()
            }
        }
    }

    @Test func `a request that hangs is a 503 at its deadline, and a wait for a user has its own time`() async throws {
        let store = StallingStore()
        // Long enough for what is not to hang on a busy machine.
        try await TestServer.run(store: store, server: Self.server { $0.requestTimeout = .seconds(20) }) { server in
            store.isStalling.store(true, ordering: .relaxed)
            let late = try await server.send("GET", "/health")
            #expect(late.status == 503 && late.errorCode == -1056 && late.header("Retry-After") == "5")
            store.isStalling.store(false, ordering: .relaxed)
            let health = try await server.send("GET", "/health").status
            #expect(health == 200)
            let registration = try await server.post("/v1/users/register", ServerEndpointTests.registration).status
            #expect(registration == 200)
            let waited = try await server.post(
                "/v1/registrations/check-status",
                #"{"objectType":"CheckActivationStatusInput","login":"alice","timeoutSeconds":"23"}"#)
            #expect(waited.status == 200, "\(waited.json)")
        }
    }
}

/// A store in memory. On demand, its reads hang until they are canceled.
private final class StallingStore: SQLDatabase {
    let isStalling = Atomic(false)
    private let store = SQLiteDatabase.inMemory()

    func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        if isStalling.load(ordering: .relaxed) { try await Task.sleep(for: .seconds(600)) }
        return try await store.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try await store.write(body)
    }
}
