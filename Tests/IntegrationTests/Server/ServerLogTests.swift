import Foundation
import Logging
import Synchronization
import Testing

@Suite struct ServerLogTests {
    @Test func `logs hold neither names nor secrets, even at trace`() async throws {
        let record = LogRecord()
        var logger = Logger(label: "test") { _ in RecordingHandler(record: record) }
        logger.logLevel = .trace
        let secrets = Mutex<[String]>([])
        try await TestServer.run(logger: logger) { server in
            let registration = try await server.post(
                "/v1/users/register",
                #"{"objectType":"RegisterUserInputEx","userID":"canary-user","staticPassword":"canary-password"}"#)
            let code = try #require(registration.text("activationPassword"))
            secrets.withLock { $0 += [server.applicationKey, server.administratorKey, code] }
            let login = "/v1/users/canary-user%40master/login"
            for credentials in [
                #"{"passKey":"canary-password"}"#, #"{"passKey":"canary-wrong"}"#,
                #"{"authenticator":{"OTP":"73519284"}}"#, #"{"passKey":["canary-type"]}"#,
            ] {
                _ = try await server.post(login, #"{"objectType":"LoginInput","credentials":\#(credentials)}"#)
            }
            _ = try await server.post("/v1/orchestration-commands", #"{"command":"canary-command"}"#)
            _ = try await server.post("/v1/users/register", "canary-malformed")
            _ = try await server.post(login, "{}", key: "canary-key.canary-key")
            _ = try await server.send(
                "GET", "/v1/canary-path?canary=1", headers: ["log-correlation-id": "canary\u{7F}id"])
            _ = try await server.post("/v1/users/canary-user/unregister", "")
        }
        let lines = record.lines
        #expect(!lines.isEmpty)
        for line in lines {
            #expect(!line.contains("canary"), "\(line)")
            #expect(!line.contains("73519284"), "\(line)")
            for secret in secrets.withLock({ $0 }) { #expect(!line.contains(secret), "\(line)") }
        }
    }
}

/// The lines of a log, with message and metadata.
private final class LogRecord: Sendable {
    private let storage = Mutex<[String]>([])

    var lines: [String] { storage.withLock { $0 } }

    func append(_ line: String) { storage.withLock { $0.append(line) } }
}

private struct RecordingHandler: LogHandler {
    let record: LogRecord
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        record.append("\(event.level) \(event.message) \(all)")
    }
}
