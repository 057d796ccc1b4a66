import Foundation
import Logging
import Primitives
import TestSupport
import Testing
import TrustedIdentity

@testable import TrustedIdentityServer

/// The routes of administration, over the socket and in this process.
@Suite struct AdministrationTests {
    /// Serves the administration on a socket while the body runs.
    static func serving<Result: Sendable>(
        _ installation: Installation, in folder: TemporaryFolder,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: @Sendable (AdministrationClient) async throws -> Result
    ) async throws -> Result {
        let socket = folder.file("admin.sock")
        let (started, starting) = AsyncStream<Void>.makeStream()
        let server = AdministrationServer(installation.administration, socket: socket, logger: logger) {
            starting.finish()
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // A server that cannot listen ends the wait, too.
                defer { starting.finish() }
                try await server.run()
            }
            defer { group.cancelAll() }
            for await _ in started {}
            return try await body(AdministrationClient(socket: socket))
        }
    }

    /// A request of a command: its method, its path, its body, and the members of the reply that differ in each reply.
    struct Question: Sendable, CustomTestStringConvertible {
        let method: AdministrationClient.Method
        let path: String
        var body: (any Encodable & Sendable)?
        var varying: Set<String> = []
        /// The code of the refusal.
        var refusal: String?

        var testDescription: String { "\(method.rawValue) \(path)" }
    }

    private static let device = String(repeating: "0", count: 32)

    private static let questions: [Question] = [
        .init(method: .get, path: "v1/users?limit=2&prefix=a"),
        .init(method: .get, path: "v1/users?limit=0", refusal: "malformedRequest"),
        .init(method: .get, path: "v1/users/%61lice"),
        .init(method: .get, path: "v1/users/nobody", refusal: "unknownUser"),
        .init(method: .get, path: "v1/users/a%40b%40c_", refusal: "invalidUserName"),
        .init(method: .post, path: "v1/users/alice/lift-blocks"),
        .init(method: .post, path: "v1/users/alice/test-notifications"),
        .init(method: .post, path: "v1/users/nobody/test-notifications", refusal: "unknownUser"),
        .init(method: .post, path: "v1/users/alice/test-notifications?device=0", refusal: "malformedRequest"),
        .init(
            method: .post, path: "v1/users/alice/test-notifications?device=\(device)", refusal: "unknownDevice"),
        .init(method: .delete, path: "v1/users/nobody", refusal: "unknownUser"),
        .init(method: .post, path: "v1/users/nobody/unlock", refusal: "unknownUser"),
        .init(method: .post, path: "v1/users/alice/devices/\(device)/unlock", refusal: "unknownDevice"),
        .init(method: .post, path: "v1/users/alice/devices/0/unlock", refusal: "malformedRequest"),
        .init(method: .get, path: "v1/users/alice/devices/\(device)/data", refusal: "unknownDevice"),
        .init(method: .delete, path: "v1/users/alice/devices/0", refusal: "malformedRequest"),
        .init(method: .get, path: "v1/approvals/none", refusal: "unknownApproval"),
        .init(method: .get, path: "v1/keys"),
        .init(
            method: .post, path: "v1/keys",
            body: NewKeyRequest(
                scope: .administrator, name: "ops", showsNumbers: false, domains: ["shop"], certificate: nil),
            varying: ["id", "key"]),
        .init(
            method: .post, path: "v1/keys",
            body: NewKeyRequest(
                scope: .administrator, name: "ops", showsNumbers: false, domains: ["_"], certificate: nil),
            refusal: "malformedRequest"),
        .init(
            method: .post, path: "v1/keys",
            body: NewKeyRequest(scope: .administrator, name: "", showsNumbers: false, domains: [], certificate: nil),
            refusal: "malformedRequest"),
        .init(
            method: .post, path: "v1/keys",
            body: NewKeyRequest(
                scope: .applicationServer, name: String(repeating: "x", count: 1_000), showsNumbers: false, domains: [],
                certificate: nil),
            refusal: "malformedRequest"),
        .init(
            method: .post, path: "v1/keys",
            body: NewKeyRequest(
                scope: .administrator, name: "ops", showsNumbers: false, domains: [], certificate: "none"),
            refusal: "malformedRequest"),
        .init(method: .delete, path: "v1/keys/none", refusal: "unknownAPIKey"),
        .init(method: .post, path: "v1/restored", body: RestoredRequest(nothingRevoked: false)),
        .init(method: .post, path: "v1/restored/audit", refusal: "conflict"),
        .init(method: .post, path: "v1/lift-suspensions"),
        .init(method: .get, path: "v1/platform-keys"),
        .init(method: .get, path: "v1/platform-keys/statements"),
        .init(
            method: .post, path: "v1/platform-keys/rotate",
            body: RotationRequest(use: .signing, startingIn: -1, ignoringClock: false), refusal: "malformedRequest"),
        .init(method: .get, path: "v1/events"),
        .init(method: .get, path: "v1/master-keys"),
        .init(method: .post, path: "v1/master-keys/replace", refusal: "conflict"),
        .init(method: .get, path: "v1/audit?first=99", refusal: "malformedRequest"),
        .init(method: .get, path: "v1/audit/counts"),
        .init(method: .get, path: "v1/audit/keys"),
        .init(method: .get, path: "v1/audit/checkpoints?limit=3"),
        .init(method: .post, path: "v1/audit/checkpoint", varying: ["note"]),
        .init(method: .get, path: "v1/audit/proof?entry=1", varying: ["proof"]),
        .init(method: .get, path: "v1/audit/proof?entry=99", refusal: "malformedRequest"),
        .init(
            method: .post, path: "v1/audit/verify", body: VerificationRequest(checkpoints: []),
            varying: ["size", "root", "lastEntry", "compared"]),
        .init(
            method: .post, path: "v1/audit/verify", body: VerificationRequest(checkpoints: ["none"]),
            refusal: "conflict"),
        .init(method: .get, path: "v1/audit/extract?user=nobody", refusal: "unknownUser"),
        .init(method: .get, path: "v1/audit/before?date=2026", refusal: "malformedRequest"),
        .init(method: .get, path: "v1/audit/before?date=2026-01-31", refusal: "conflict"),
        .init(method: .post, path: "v1/audit/pruned-rows"),
        .init(method: .get, path: "v1/readiness"),
    ]

    @Test(arguments: questions)
    func `a request has the same reply over the socket and in this process`(question: Question) async throws {
        let installation = try await Installation(
            store: SQLiteDatabase.inMemory(), masterKey: MasterKey.make(id: "test"))
        _ = try await installation.platform.register(
            Registration(account: AccountName(userID: "alice", domain: "master")))
        let here = try await reply(to: question, AdministrationClient(installation))
        // A second key with the same name is refused while the first one is valid.
        for key in try await installation.platform.apiKeys() { try await installation.platform.revokeAPIKey(key.id) }
        let there = try await Self.serving(installation, in: TemporaryFolder()) { try await reply(to: question, $0) }
        #expect(here == there)
        #expect(here.refusal == question.refusal)
    }

    /// A reply without the members that vary, or the code and the text of a refusal.
    private struct Reply: Equatable {
        var json: JSON?
        var refusal: String?
        var text = ""
    }

    private func reply(to question: Question, _ client: AdministrationClient) async throws -> Reply {
        do {
            let json: JSON = try await client.send(question.method, question.path, question.body)
            guard case .object(let members) = json else { return Reply(json: json) }
            return Reply(json: .object(members.filter { !question.varying.contains($0.key) }))
        } catch let refusal as AdministrationRefusal {
            return Reply(refusal: refusal.code, text: refusal.text)
        }
    }

    /// Any value of JSON.
    private indirect enum JSON: Decodable, Equatable, Sendable {
        case object([String: JSON]), array([JSON]), text(String), number(Int64), flag(Bool), null

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode([String: JSON].self) {
                self = .object(value)
            } else if let value = try? container.decode([JSON].self) {
                self = .array(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode(Bool.self) {
                self = .flag(value)
            } else if container.decodeNil() {
                self = .null
            } else {
                self = .number(try container.decode(Int64.self))
            }
        }
    }

    @Test func `an exported audit log is read and sent back over the socket and in this process`() async throws {
        let installation = try await Installation(
            store: SQLiteDatabase.inMemory(), masterKey: MasterKey.make(id: "test"))
        let (here, folder) = (AdministrationClient(installation), try TemporaryFolder())
        try await Self.serving(installation, in: folder) { there in
            for client in [here, there] {
                let (parts, part) = AsyncStream<[UInt8]>.makeStream()
                try await client.download("v1/audit") { part.yield($0) }
                part.finish()
                let file = await parts.reduce(into: []) { $0 += $1 }
                #expect(file.first == UInt8(ascii: "{") && file.last == UInt8(ascii: "\n"))
                let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
                continuation.yield(file)
                continuation.finish()
                let refusal = await #expect(throws: AdministrationRefusal.self) {
                    let _: RestoreBody = try await client.upload(stream, to: "v1/restored/audit")
                }
                // The data was not restored from a backup. The file was read to its end, and verified.
                #expect(refusal?.code == "conflict")
                #expect(refusal?.text.hasPrefix("the file does not cover the time after the backup") == true)
            }
        }
    }

    @Test func `a route that does not exist is a wrong answer, over the socket and in this process`() async throws {
        let installation = try await Installation(
            store: SQLiteDatabase.inMemory(), masterKey: MasterKey.make(id: "test"))
        let here = AdministrationClient(installation)
        try await Self.serving(installation, in: TemporaryFolder()) { there in
            for client in [here, there] {
                await #expect(throws: AdministrationError.badAnswer) {
                    let _: StatusReply = try await client.send(.get, "v1/nothing")
                }
            }
        }
    }

    @Test func `the owner's requests are in the audit log as those of an administrator, with an id`() async throws {
        let installation = try await Installation(
            store: SQLiteDatabase.inMemory(), masterKey: MasterKey.make(id: "test"))
        @Sendable func wish(_ name: String) -> NewKeyRequest {
            NewKeyRequest(scope: .administrator, name: name, showsNumbers: false, domains: [], certificate: nil)
        }
        let here = AdministrationClient(installation)
        let _: NewKeyBody = try await here.send(.post, "v1/keys", wish("here"))
        try await Self.serving(installation, in: TemporaryFolder()) { there in
            let _: NewKeyBody = try await there.send(.post, "v1/keys", wish("there"))
        }
        let entries = try await installation.platform.audit(limit: 2)
        #expect(entries.count == 2)
        #expect(entries.allSatisfy { $0.actor == .administrator && $0.correlationID != nil && $0.address == nil })
    }

    @Test func `a key with a name like that of another one is refused, with the way out`() async throws {
        let installation = try await Installation(
            store: SQLiteDatabase.inMemory(), masterKey: MasterKey.make(id: "test"))
        let client = AdministrationClient(installation)
        func make(_ name: String) async throws {
            let wish = NewKeyRequest(
                scope: .applicationServer, name: name, showsNumbers: false, domains: [], certificate: nil)
            let _: NewKeyBody = try await client.send(.post, "v1/keys", wish)
        }
        try await make("Example Bank")
        let refusal = await #expect(throws: AdministrationRefusal.self) { try await make("example-bank") }
        #expect(refusal?.code == "apiKeyNameInUse")
        #expect(refusal?.text.hasSuffix("choose another name, or revoke that key first") == true)
        try await make("Example Shop")
        // What is not shown makes no other name.
        try await make("Shop \u{2764}")
        await #expect(throws: AdministrationRefusal.self) { try await make("Shop \u{2764}\u{FE0F}") }
    }

    @Test func `only the owner can open the socket`() async throws {
        let installation = try await Installation(
            store: SQLiteDatabase.inMemory(), masterKey: MasterKey.make(id: "test"))
        let folder = try TemporaryFolder()
        let mode = try await Self.serving(installation, in: folder) { _ in
            try FileManager.default.attributesOfItem(atPath: folder.file("admin.sock"))[.posixPermissions] as? Int
        }
        #expect(mode == 0o600)
    }
}
