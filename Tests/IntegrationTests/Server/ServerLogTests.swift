import Foundation
import Logging
import Orchestration
import OrchestrationHTTP
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
import Testing
import TrustedIdentityServer

@testable import TrustedIdentity

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

    @Test func `no library writes into the log, even at trace`() async throws {
        let record = LogRecord()
        var logger = Logger(label: "test") { _ in RecordingHandler(record: record) }
        logger.logLevel = .trace
        try await TestServer.run(logger: logger) { server in
            _ = try await server.send("GET", "/health")
            _ = try await RawConnection.exchange("rubbish\r\n\r\n", port: server.port)
        }
        #expect(record.lines.contains { $0.contains("request answered") })
        #expect(record.sources.isSubset(of: ["TrustedIdentity", "TrustedIdentityServer"]), "\(record.sources)")
    }

    /// Forwards the commands of a relay, as an app and its application server do.
    private static func forward(_ relay: RelayTransport, to server: TestServer) -> Task<Void, Never> {
        Task {
            for await exchange in relay.exchanges {
                do {
                    let body = try JSONEncoder().encode(["command": exchange.command.text])
                    let answer = try await server.send(
                        "POST", "/v1/orchestration-commands", body: body,
                        headers: ["log-correlation-id": exchange.correlationID ?? "none"])
                    exchange.reply(try OrchestrationCommand(text: #require(answer.text("command"))))
                } catch {
                    exchange.fail(error)
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func `the logs of the platform have the correlation id of the transcript, through a relay as well`(
        isRelayed: Bool
    ) async throws {
        let record = LogRecord()
        var logger = Logger(label: "test") { _ in RecordingHandler(record: record) }
        logger.logLevel = .debug
        let recorder = TranscriptRecorder()
        try await TestServer.run(logger: logger) { server in
            let registration = try await server.post(
                "/v1/users/register", #"{"objectType":"RegisterUserInputEx","userID":"alice"}"#)
            let code = try #require(registration.text("activationPassword"))
            var configuration = Configuration(
                salts: try Salts(authenticator: Array(repeating: 1, count: 16), storage: Array(repeating: 2, count: 16))
            )
            configuration.passwordCost = .testing
            let address = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
            let relay = RelayTransport()
            let carrier = Self.forward(relay, to: server)
            defer { carrier.cancel() }
            let http = try HTTPTransport(endpoint: address, timeout: .milliseconds(300_000))
            let transport: any Transport = isRelayed ? relay : http
            let app = try await Orchestrator(
                configuration: configuration, transport: transport,
                providers: [ScriptedUser(password: "482915")], store: MemoryStore(), recorder: recorder)
            _ = try await app.user("alice").activate(with: code)
            // One that the platform refuses without a seal.
            await #expect(throws: OrchestrationError(.activationPasswordNotConfirmed)) {
                _ = try await app.user("bob").activate(with: code)
            }
        }
        let transcripts = recorder.transcripts
        #expect(transcripts.count == 2)
        #expect(transcripts.last?.entries.last?.name == "aborted: activationPasswordNotConfirmed")
        for transcript in transcripts {
            let id = transcript.correlationID
            let exchanges = transcript.entries.filter { $0.kind == .exchange }
            #expect(!exchanges.isEmpty && exchanges.allSatisfy { $0.replyCorrelationID == (isRelayed ? nil : id) })
            let lines = record.lines.filter { $0.contains("\"correlation.id\": \(id)") }
            #expect(lines.count { $0.hasPrefix("debug request answered") } == exchanges.count, "\(lines)")
        }
    }

    @Test(arguments: [
        (StoreError(.full, resultCode: "13"), "full"),
        (StoreError(.inputOutput, resultCode: "778"), "inputOutput"),
        (StoreError(.busy, resultCode: "5"), "busy"), (StoreError(.corrupt, resultCode: "11"), "corrupt"),
        (StoreError(.other), "other"),
    ])
    func `a failure of the store is logged once, with its kind and the correlation id`(
        failure: StoreError, kind: String
    ) async throws {
        let store = FaultInjectingDatabase(SQLiteDatabase.inMemory())
        let lines = try await errorLines(store) { store.fail(with: failure) }
        #expect(lines.count == 1, "\(lines)")
        let line = lines.first ?? ""
        #expect(line.hasPrefix("error store failed"))
        #expect(line.contains("\"store.error\": \(kind)"))
        #expect(line.contains("\"correlation.id\": disk-1"))
        #expect(line.contains("store.result-code") == (failure.resultCode != nil))
        if let number = failure.resultCode { #expect(line.contains("\"store.result-code\": \(number)")) }
    }

    @Test func `an error that no store should throw is logged by its type, without its text`() async throws {
        struct Leaky: Error, CustomStringConvertible { let description = "canary" }
        let store = FaultInjectingDatabase(SQLiteDatabase.inMemory())
        let lines = try await errorLines(store) { store.fail(with: Leaky()) }
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.contains("Leaky") && $0.contains("other") && !$0.contains("canary") })
    }

    @Test func `a stored secret that does not open is logged once, with its code and place`() async throws {
        let store = SQLiteDatabase.inMemory()
        let record = LogRecord()
        let logger = Logger(label: "test") { _ in RecordingHandler(record: record) }
        try await TestServer.run(store: store, logger: logger) { server in
            _ = try await server.post(
                "/v1/users/register",
                #"{"objectType":"RegisterUserInputEx","userID":"canary","staticPassword":"canary-password"}"#)
            // As the platform writes: a row that only the database changed would not be opened at all.
            try await server.platform.store.write { store in
                var account = try #require(try store.account("canary@master"))
                account.staticPassword = SealedValue(revision: 1, bytes: [])
                _ = try store.update(account)
            }
            let answer = try await server.send(
                "POST", "/v1/users/canary%40master/login",
                body: Data(#"{"objectType":"LoginInput","credentials":{"passKey":"canary-password"}}"#.utf8),
                headers: ["Authorization": "Bearer \(server.applicationKey)", "log-correlation-id": "row-1"])
            #expect(answer.status == 500)
            #expect(answer.errorCode == -1006)
        }
        let lines = record.lines.filter { $0.hasPrefix("error request failed") }
        #expect(lines.count == 1, "\(record.lines)")
        let line = lines.first ?? ""
        #expect(line.contains("\"error.code\": wrongMasterKey"))
        #expect(line.contains("\"error.location\": TrustedIdentity/RowSealer.swift:"))
        #expect(line.contains("\"correlation.id\": row-1"))
        #expect(!line.contains("canary"))
    }

    @Test func `a failure of the store is the reply to an administrator, and is logged with an id`() async throws {
        let folder = try TemporaryFolder()
        let record = LogRecord()
        let logger = Logger(label: "test") { _ in RecordingHandler(record: record) }
        let store = FaultInjectingDatabase(SQLiteDatabase.inMemory())
        let installation = try await Installation(
            store: store, masterKey: MasterKey.make(id: "test"), logger: logger)
        store.fail(with: StoreError(.full, resultCode: "13"))
        let refusal = try await AdministrationTests.serving(installation, in: folder, logger: logger) { client in
            await #expect(throws: AdministrationRefusal.self) {
                let _: APIKeyListBody = try await client.send(.get, "v1/keys")
            }
        }
        #expect(refusal?.code == "storeFailed" && refusal?.text == StoreError(.full).message)
        let lines = record.lines.filter { $0.hasPrefix("error store failed") }
        #expect(Set(lines).count == lines.count && !lines.isEmpty, "each call has a correlation id")
        #expect(lines.first?.contains(#/"correlation.id": [0-9a-f]{32}/#) == true)
    }

    @Test func `a full disk is logged as full, with the code of SQLite`() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteDatabase(path: folder.file("platform.sqlite"))
        let lines = try await errorLines(store) {
            // Fewer than there are: SQLite takes the present number then.
            _ = try await store.pragma("max_page_count = 1")
        }
        #expect(!lines.isEmpty)
        for line in lines {
            #expect(line.contains("\"store.error\": full") && line.contains("\"store.result-code\": 13"), "\(line)")
        }
        try await store.close()
    }

    /// Registers users until the server answers 503, and returns what was logged as an error.
    private func errorLines(
        _ store: any SQLDatabase, _ breaking: @escaping @Sendable () async throws -> Void
    ) async throws -> [String] {
        let record = LogRecord()
        var logger = Logger(label: "test") { _ in RecordingHandler(record: record) }
        logger.logLevel = .debug
        try await TestServer.run(store: store, logger: logger) { server in
            try await breaking()
            var status = 0
            for number in 0..<1_000 where status != 503 {
                let answer = try await server.send(
                    "POST", "/v1/users/register",
                    body: Data(#"{"objectType":"RegisterUserInputEx","userID":"canary-\#(number)"}"#.utf8),
                    headers: ["Authorization": "Bearer \(server.applicationKey)", "log-correlation-id": "disk-1"])
                status = answer.status
            }
            #expect(status == 503)
        }
        let lines = record.lines
        for line in lines { #expect(!line.contains("canary"), "\(line)") }
        // Hummingbird logs that it was canceled at the end of the test.
        return lines.filter { $0.hasPrefix("error") && !$0.contains("Waiting on child channel") }
    }
}

/// The lines of a log, with message and metadata.
final class LogRecord: Sendable {
    private let storage = Mutex<[(line: String, source: String)]>([])

    var lines: [String] { storage.withLock { $0.map(\.line) } }

    /// The modules that have written lines.
    var sources: Set<String> { storage.withLock { Set($0.map(\.source)) } }

    func append(_ line: String, from source: String) { storage.withLock { $0.append((line, source)) } }
}

struct RecordingHandler: LogHandler {
    let record: LogRecord
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        record.append("\(event.level) \(event.message) \(all)", from: event.source)
    }
}
