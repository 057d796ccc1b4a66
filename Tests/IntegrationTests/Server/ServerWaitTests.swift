import Foundation
import Testing

/// Calls that wait, whose end and whose caller's end come at any time.
@Suite struct ServerWaitTests {
    private static let path = "/v1/registrations/check-status"

    @Test func `waits that end at once are answered, many side by side`() async throws {
        try await TestServer.run { server in
            try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        try await server.post(Self.path, #"{"login":"stranger","timeout":60}"#).text("activationStatus")
                    }
                }
                for try await status in group { #expect(status == "unknown") }
            }
        }
    }

    @Test func `callers that hang up at any time leave a server that answers`() async throws {
        try await TestServer.run { server in
            _ = try await server.post(
                "/v1/users/register", #"{"objectType":"RegisterUserInputEx","userID":"alice"}"#)
            let body = #"{"login":"alice","timeout":60}"#
            let request = """
                POST \(Self.path) HTTP/1.1\r
                Host: localhost\r
                Authorization: Bearer \(server.applicationKey)\r
                Content-Length: \(body.utf8.count)\r
                \r
                \(body)
                """
            for milliseconds in 0..<60 as Range<UInt32> {
                try await RawConnection.abandon(after: request, port: server.port, milliseconds: milliseconds)
            }
            let status = try await server.post(Self.path, #"{"login":"alice"}"#)
            #expect(status.text("activationStatus") == "pending")
        }
    }
}
