import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Orchestration
import OrchestrationTesting
import Primitives
import TestSupport
import Testing
import TrustedIdentity
import TrustedIdentityServer

/// One code in 256 requests at once, over HTTP, on SQLite.
@Suite(.serialized) struct SingleUseTests {
    enum Code: CaseIterable {
        case oneTimePassword, challengeResponse, signature
    }

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: Code.allCases) func `of 256 parallel requests with one code one is accepted`(code: Code)
        async throws
    {
        let store = try await SQLiteDatabase(path: folder.file("platform.sqlite"))
        let request = try await prepare(code, on: store)
        // Two servers use one store, so that the store alone prevents the second use.
        #expect(try await accepted(request, on: [store, store]) == 1)
        try await store.close()
    }

    @Test(arguments: Code.allCases) func `two databases that do not share their writes accept a code twice`(
        code: Code
    ) async throws {
        let store = try await SQLiteDatabase(path: folder.file("platform.sqlite"))
        let request = try await prepare(code, on: store)
        try await store.close()
        try FileManager.default.copyItem(atPath: folder.file("platform.sqlite"), toPath: folder.file("copy.sqlite"))
        let stores = [
            try await SQLiteDatabase(path: folder.file("platform.sqlite")),
            try await SQLiteDatabase(path: folder.file("copy.sqlite")),
        ]
        #expect(try await accepted(request, on: stores) == 2)
        for store in stores { try await store.close() }
    }

    private struct PreparedRequest: Sendable {
        let key: String
        let path: String
        let body: String
    }

    private static let time = ManualTimeSource(at: Timestamp(secondsSinceEpoch: 1_800_000_000))

    private func installation(on store: any SQLDatabase) async throws -> Installation {
        var platform = PlatformConfiguration()
        platform.answerInterval = .zero
        return try await Installation(
            configuration: .init(platform: platform, server: ServerConfiguration(port: 0, limits: .patient)),
            store: store,
            masterKey: MasterKey(id: "test", bytes: SecretBytes(copying: [UInt8](repeating: 7, count: 32))),
            time: Self.time)
    }

    /// Activates a device and makes a code on it.
    private func prepare(_ code: Code, on store: any SQLDatabase) async throws -> PreparedRequest {
        let platform = try await installation(on: store).platform
        let key = try await platform.createAPIKey(scope: .applicationServer, name: "test")
        let account = try AccountName(userID: "alice", domain: "master")
        let password = try await platform.register(Registration(account: account)).activationPassword
        let app = try await TestDevice(seed: 1, time: Self.time).orchestrator(
            transport: InProcessTransport { platform }, user: ScriptedUser(password: "482915"))
        _ = try await app.user("alice").activate(with: password)
        func login(_ code: String, _ more: String) -> PreparedRequest {
            PreparedRequest(
                key: key.secret, path: "/v1/users/alice/login",
                body: #"{"objectType":"LoginInput","credentials":{"authenticator":{"OTP":"\#(code)"\#(more)}"#)
        }
        switch code {
        case .oneTimePassword:
            return login(try await app.user("alice").oneTimePassword().oneTimePassword, "}}")
        case .challengeResponse:
            let challenge = try await platform.generateChallenge(for: account, principal: key.id)
            let made = try await app.user("alice").oneTimePassword(application: .app3, challenge: challenge.digits)
            return login(made.oneTimePassword, #","application":3}},"requestID":"\#(challenge.requestID)""#)
        case .signature:
            let made = try await app.user("alice").sign([DataField(value: "10 EUR")])
            return PreparedRequest(
                key: key.secret, path: "/v1/users/alice/transactions/validate",
                body: #"""
                    {"objectType":"TransactionInput",
                    "data":{"standard":{"dataFields":["10 EUR"],"signature":"\#(made.signature)"}}}
                    """#)
        }
    }

    /// Sends the request 256 times at once, to a server on each store in turn, and returns how often it was accepted.
    private func accepted(_ request: PreparedRequest, on stores: [SQLiteDatabase]) async throws -> Int {
        let (first, second) = (try await installation(on: stores[0]), try await installation(on: stores[1]))
        return try await first.server().run { one in
            try await second.server().run { other in
                try await withThrowingTaskGroup(of: String?.self) { group in
                    for number in 0..<256 {
                        group.addTask {
                            try await Self.status(of: request, port: number.isMultiple(of: 2) ? one : other)
                        }
                    }
                    var statuses: [String?] = []
                    for try await status in group { statuses.append(status) }
                    #expect(statuses.count == 256 && statuses.allSatisfy { ["accepted", "failed"].contains($0) })
                    return statuses.count { $0 == "accepted" }
                }
            }
        }
    }

    /// A client that opens as many connections as there are requests. URLSession takes a minute for so many on Linux.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }()

    private static func status(of prepared: PreparedRequest, port: Int) async throws -> String? {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(prepared.path)")
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer \(prepared.key)")
        request.body = .bytes(ByteBuffer(string: prepared.body))
        let answer = try await client.execute(request, timeout: .minutes(5))
        let body = try await answer.body.collect(upTo: 65_536)
        let json = try JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any]
        return json?["sessionStatus"] as? String
    }
}
