import Foundation
import Testing

@testable import TrustedIdentity

/// Callers that wait for the end of an approval, and the bound on their number.
@Suite struct ServerWaitingTests {
    private static func login(
        _ id: String, timeout: Int = 300, on server: TestServer
    ) async throws -> TestServer.Answer {
        try await server.post(
            ServerApprovalTests.login,
            #"{"objectType":"LoginInput","timeout":\#(timeout),"sourceID":"\#(id)","requestID":"\#(id)"}"#)
    }

    private static func session(
        _ id: String, _ method: String = "GET", on server: TestServer
    ) async throws -> TestServer.Answer {
        try await server.send(
            method, "/v1/sessions/\(id)", headers: ["Authorization": "Bearer \(server.applicationKey)"])
    }

    @Test func `more waiting calls than may are a 429, and ask no user`() async throws {
        var configuration = PlatformConfiguration()
        configuration.waitingCalls = 2
        try await TestServer.run(configuration) { server in
            async let first = Self.login("first", on: server)
            async let second = Self.login("second", on: server)
            while server.platform.watch.hasRoom { try await Task.sleep(for: .milliseconds(1)) }
            for path in [ServerApprovalTests.login, "/v1/users/alice/events/validate", ServerPaymentTests.path] {
                let answer = try await server.post(
                    path,
                    #"""
                    {"objectType":"\#(path == ServerPaymentTests.path ? "TransactionInput" : "LoginInput")",
                    "eventType":"x","data":\#(ServerPaymentTests.message),"timeout":60,"requestID":"third"}
                    """#)
                #expect(answer.status == 429 && answer.errorCode == -1004 && answer.header("Retry-After") == "5")
                #expect(try await Self.session("third", on: server).status == 404)
            }
            let pending = try await server.platform.store.read { try $0.pendingApprovals(of: "alice@master") }
            #expect(Set(pending.map(\.requestID)) == ["first", "second"])
            // A call that does not wait needs no place.
            #expect(try await Self.login("at once", timeout: 0, on: server).text("sessionStatus") == "pending")
            // The end of a wait leaves its place to another one.
            _ = try await Self.session("first", "DELETE", on: server)
            #expect(try await first.text("declineReason") == "canceled")
            async let fourth = Self.login("fourth", on: server)
            while server.platform.watch.hasRoom { try await Task.sleep(for: .milliseconds(1)) }
            for id in ["second", "fourth"] { _ = try await Self.session(id, "DELETE", on: server) }
            let ended = try await [second, fourth]
            #expect(ended.allSatisfy { $0.status == 200 && $0.text("declineReason") == "canceled" })
        }
    }

    @Test(arguments: [0, 100_001]) func `a number of waiting calls outside its limits is refused`(count: Int) async {
        var configuration = PlatformConfiguration()
        configuration.waitingCalls = count
        await #expect(throws: PlatformError(.malformedRequest)) {
            try await TestServer.run(configuration) { _ in }
        }
    }
}
