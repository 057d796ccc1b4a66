import Foundation
import Orchestration
import OrchestrationHTTP
import OrchestrationTesting
import TestSupport
import Testing

/// Approvals between an application server, the server and a device, over HTTP and on SQLite.
@Suite struct ApprovalEndToEndTests {
    let folder: TemporaryFolder
    let device: TestPhone

    init() throws {
        folder = try TemporaryFolder()
        device = try TestPhone(folder: folder)
    }

    @Test func `a blocking login is approved on the stream, with the number of the site`() async throws {
        let device = device
        try await LivePlatform.running(in: folder, showsNumbers: true) { live in
            let app = try await device.activated(on: live)
            let site = Site(live)
            async let blocked = site.logIn(#""timeout":300,"requestID":"r1""#)
            var answered: AnsweredApproval?
            for try await pointer in app.notifications(for: "alice") {
                let number = try await site.session("r1").text("numberToMatch")
                answered = try await Self.answer(app.execute(pointer)) { try await $0.approve(number: number) }
                break
            }
            let reply = try await blocked
            #expect(reply.text("sessionStatus") == "accepted" && reply.json["riskResponseCode"] as? Int == 0)
            #expect(reply.text("numberToMatch") == nil)
            let text = try #require(reply.text("receipt"))
            #expect(text == answered?.receipt.text)
            let keys = try PublishedKeys(pages: [Array(try await site.platformKeys())])
            let statement = try Receipt(text: text).verify(with: keys)
            #expect(statement == answered?.statement)
            #expect((statement.requestID, statement.number?.count) == ("r1", 6))
        }
    }

    @Test func `a rejection as not the user's reaches the blocked caller with its reason`() async throws {
        let device = device
        try await LivePlatform.running(in: folder) { live in
            try await live.requirePasswordInRejections()
            let app = try await device.activated(on: live)
            let site = Site(live)
            async let blocked = site.logIn(#""timeout":300,"requestID":"r1""#)
            var rejected = ContinuousClock.now
            for try await pointer in app.notifications(for: "alice") {
                _ = try await Self.answer(app.execute(pointer)) { try await $0.reject(.notMe) }
                rejected = .now
                break
            }
            let reply = try await blocked
            #expect(reply.text("sessionStatus") == "refused" && reply.text("declineReason") == "notMe")
            #expect(rejected.duration(to: .now) < .seconds(200))
            // The password has proven the rejection: the next login is strict, and this site shows no numbers.
            let next = try await site.logIn(#""timeout":0"#)
            #expect(next.text("sessionStatus") == "refused" && next.text("declineReason") == "policy")
        }
    }

    @Test func `the notice for an answer that the policy refuses reaches the app`() async throws {
        let device = device
        try await LivePlatform.running(in: folder) { live in
            try await live.requirePasswordInRejections()
            let app = try await device.activated(on: live)
            let site = Site(live)
            let notice = #""refusal":{"message":"Call us – merci","payload":"AQID"}"#
            let first = try await site.logIn(#""timeout":0,"sourceID":"a",\#(notice)"#)
            let second = try await site.logIn(#""timeout":0,"sourceID":"b","requestID":"r2",\#(notice)"#)
            let pointers = try [first, second].map { reply in
                try OrchestrationCommand(text: #require(reply.text("requestMessage")))
            }
            // Of a rejection nothing is said. From then on, the policy refuses approvals without a number.
            #expect(try await Self.answer(app.execute(pointers[0])) { try await $0.reject(.notMe) } != nil)
            let error = await #expect(throws: OrchestrationError(.methodRefused)) {
                try await Self.answer(app.execute(pointers[1])) { try await $0.approve() }
            }
            #expect(error?.notice?.text == "Call us – merci" && error?.notice?.payload == [1, 2, 3])
            #expect(try await site.session("r2").text("declineReason") == "methodRefused")
        }
    }

    @Test func `an application server that hangs up leaves a login that can be answered`() async throws {
        let device = device
        try await LivePlatform.running(in: folder) { live in
            let app = try await device.activated(on: live)
            let site = Site(live)
            try await site.hangUp(onLogin: #""timeout":300,"requestID":"r1""#, onceKnown: "r1")
            let waiting = try await app.user("alice").pendingApprovals()
            let pointer = try #require(waiting.first).pointer
            let answered = try await Self.answer(app.execute(pointer)) { try await $0.approve() }
            let session = try await site.session("r1")
            #expect(session.text("sessionStatus") == "accepted")
            #expect(session.text("receipt") == answered?.receipt.text)
        }
    }

    @Test func `a platform that restarts while a login blocks loses neither the request nor the answer`() async throws {
        let device = device
        let key = try await LivePlatform.running(in: folder) { live in
            _ = try await device.activated(on: live)
            let site = Site(live)
            // The stop of the server ends the call, which nothing waits for.
            Task { _ = try? await site.logIn(#""timeout":300,"requestID":"r1""#) }
            try await site.waitForSession("r1")
            return live.apiKey
        }
        try await LivePlatform.running(in: folder, apiKey: key) { live in
            let (app, site) = (try await device.app(on: live), Site(live))
            #expect(try await site.session("r1").text("sessionStatus") == "pending")
            for try await pointer in app.notifications(for: "alice") {
                let answered = try await Self.answer(app.execute(pointer)) { try await $0.approve() }
                let session = try await site.session("r1")
                #expect(session.text("sessionStatus") == "accepted")
                #expect(session.text("receipt") == answered?.receipt.text)
                break
            }
        }
    }

    @Test func `an answer whose reply is lost with the platform is repeated to the next one`() async throws {
        let device = device
        let key = try await LivePlatform.running(in: folder) { live in
            let app = try await device.activated(on: live)
            let site = Site(live)
            _ = try await site.logIn(#""timeout":0,"requestID":"r1""#)
            let pointer = try #require(try await app.user("alice").pendingApprovals().first).pointer
            let plan = FaultPlan(script: [.noFault, .loseAnswer, .loseAnswer, .loseAnswer, .loseAnswer])
            let unlucky = try await device.app(on: live, plan: plan)
            await #expect(throws: OrchestrationError(.transport)) {
                try await Self.answer(unlucky.execute(pointer)) { try await $0.approve() }
            }
            #expect(try await site.session("r1").text("sessionStatus") == "accepted")
            return (live.apiKey, pointer)
        }
        try await LivePlatform.running(in: folder, apiKey: key.0) { live in
            let app = try await device.app(on: live)
            let answered = try await Self.answer(app.execute(key.1)) { _ in Issue.record("the user has decided") }
            #expect(try await Site(live).session("r1").text("receipt") == answered?.receipt.text)
        }
    }

    /// Follows a flow to its end, with a decision.
    @discardableResult
    private static func answer(
        _ flow: AsyncThrowingStream<FlowEvent, any Error>, deciding decide: (ApprovalRequest) async throws -> Void
    ) async throws -> AnsweredApproval? {
        for try await event in flow {
            if case .approvalRequired(let request) = event { try await decide(request) }
            if case .succeeded(.approvalAnswered(let approval)) = event { return approval }
        }
        return nil
    }
}

/// A device with its store in files, which several runs of the app and the platform use.
struct TestPhone: Sendable {
    static let password = "482915"
    private let store: FileStore

    init(folder: TemporaryFolder) throws { store = try FileStore(directory: folder.file("phone")) }

    /// Starts the app.
    ///
    /// - Parameter transport: Its transport; by default over HTTP to the platform.
    func app(
        on live: LivePlatform, transport: (any Transport)? = nil, plan: FaultPlan? = nil
    ) async throws -> Orchestrator {
        let http: any Transport = try transport ?? HTTPTransport(endpoint: live.address, timeout: .seconds(300))
        return try await Orchestrator(
            configuration: .testing(), transport: plan.map { FaultInjectingTransport(http, plan: $0) } ?? http,
            providers: [ScriptedUser(password: Self.password)], store: store)
    }

    /// Starts the app, and registers and activates alice.
    func activated(on live: LivePlatform) async throws -> Orchestrator {
        let (app, code) = (try await app(on: live), try await live.register("alice"))
        try await app.user("alice").activate(with: code)
        try await app.user("alice").registerNotifications()
        return app
    }
}

/// The application server of a live platform.
struct Site: Sendable {
    private let server: TestServer

    init(_ live: LivePlatform) {
        server = TestServer(
            platform: live.platform, port: live.address.port ?? 0, applicationKey: live.apiKey, administratorKey: "")
    }

    func logIn(_ fields: String) async throws -> TestServer.Answer {
        try await server.post("/v1/users/alice@master/login", #"{"objectType":"LoginInput",\#(fields)}"#)
    }

    /// Sends a login, and closes the connection while it blocks.
    func hangUp(onLogin fields: String, onceKnown id: String) async throws {
        let body = #"{"objectType":"LoginInput",\#(fields)}"#
        let request = """
            POST /v1/users/alice@master/login HTTP/1.1\r
            Host: localhost\r
            Authorization: Bearer \(server.applicationKey)\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """
        try await RawConnection.abandon(after: request, port: server.port) { try await waitForSession(id) }
    }

    func session(_ id: String) async throws -> TestServer.Answer {
        try await server.send(
            "GET", "/v1/sessions/\(id)", headers: ["Authorization": "Bearer \(server.applicationKey)"])
    }

    /// Returns when the platform knows a request.
    func waitForSession(_ id: String) async throws {
        try await Patience.wait(for: "session \(id)") { try await session(id).status != 404 }
    }

    func platformKeys() async throws -> Data { try await server.send("GET", "/v1/platform-keys").body }
}
