import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration

/// Which user a pointer belongs to, and which flow goes on.
@Suite struct PointerTests {
    @Test func `a pointer of another tenant sends nothing`() async throws {
        let stage = try await ApprovalStage()
        let (id, _) = try stage.desk.request()
        let sent = stage.wire.sent.count
        let pointer = ApprovalPointer(tenant: "other", id: id.bytes).command
        let words = try await story(stage.orchestrator().execute(pointer))
        #expect(words == ["outdated: approvalUnknown"])
        #expect(stage.wire.sent.count == sent)
    }

    @Test func `a pointer without a user sends nothing`() async throws {
        let stage = try await Stage()
        let pointer = ApprovalPointer(tenant: "default", id: [UInt8](repeating: 1, count: 16)).command
        let words = try await story(stage.orchestrator().execute(pointer))
        #expect(words == ["outdated: approvalUnknown"])
        #expect(stage.wire.sent.isEmpty)
    }

    @Test func `each user is asked in turn until one has the request`() async throws {
        let stage = try await ApprovalStage()
        for user in ["aaron", "zoe"] {
            let code = try await stage.stage.platform.register(user)
            try await stage.orchestrator().user(user).activate(with: code)
        }
        try await stage.desk.know(stage.orchestrator())
        let (_, pointer) = try stage.desk.request { $0.account = "zoe@master" }
        var asked: AccountName?
        let words = try await story(stage.orchestrator().execute(pointer)) {
            asked = $0.account
            try await $0.approve()
        }
        #expect(words == ["approval 1/2", "approval: login", "approval 2/2", "succeeded"])
        #expect(asked?.userID == "zoe")
        #expect(stage.desk.arrivals.map(\.account) == ["aaron", "alice", "zoe", "zoe"].map { $0 + "@master" })
        let (_, foreign) = try stage.desk.request { $0.account = "bob@master" }
        let unknown = try await story(stage.orchestrator().execute(foreign))
        #expect(unknown == ["outdated: approvalUnknown"])
    }

    @Test func `a refused user does not hide the one who has the request, and is named when no user has it`()
        async throws
    {
        let stage = try await ApprovalStage()
        let code = try await stage.stage.platform.register("aaron")
        try await stage.orchestrator().user("aaron").activate(with: code)
        try await stage.desk.know(stage.orchestrator())
        let (_, pointer) = try stage.desk.request(method: .possession)
        stage.desk.refuse(.suspended)
        let words = try await story(stage.orchestrator().execute(pointer)) { try await $0.approve() }
        #expect(words.last == "succeeded")
        let foreign = ApprovalPointer(tenant: "default", id: [UInt8](repeating: 1, count: 16)).command
        stage.desk.refuse(.suspended)
        let end = try await story(stage.orchestrator().execute(foreign))
        #expect(end == ["aborted: suspended"])
    }

    @Test func `requests that wait are listed and opened one by one`() async throws {
        let stage = try await ApprovalStage()
        let first = try stage.desk.request()
        stage.stage.advance(seconds: 1)
        let second = try stage.desk.request(.transaction)
        let orchestrator = try stage.orchestrator()
        let waiting = try await orchestrator.user("alice").pendingApprovals()
        #expect(waiting.map(\.id) == [first.id, second.id])
        #expect(waiting.map(\.kind) == [.login, .transaction])
        #expect(waiting.map(\.pointer) == [first.pointer, second.pointer])
        #expect(waiting.map(\.timeLeft) == [.seconds(119), .seconds(120)])
        let words = try await story(orchestrator.openApproval(second.id, for: "alice")) {
            try await $0.approve()
        }
        #expect(words.last == "succeeded")
        let left = try await orchestrator.user("alice").pendingApprovals()
        #expect(left.map(\.id) == [first.id])
        stage.desk.refuse(.suspended)
        await #expect(throws: OrchestrationError(.suspended)) {
            try await orchestrator.user("alice").pendingApprovals()
        }
        await #expect(throws: OrchestrationError(.notActivated)) {
            try await orchestrator.user("bob").pendingApprovals()
        }
        await #expect(throws: OrchestrationError(.invalidUser)) {
            try await orchestrator.user("a/b").pendingApprovals()
        }
        let unknown = try #require(ApprovalID(text: String(repeating: "0A", count: 16)))
        let end = try await story(orchestrator.openApproval(unknown, for: "alice"))
        #expect(end == ["outdated: approvalUnknown"])
        await #expect(throws: OrchestrationError(.notActivated)) {
            try await orchestrator.openApproval(unknown, for: "bob").result()
        }
    }

    @Test func `a second flow for one request supersedes the first, and other requests run side by side`() async throws
    {
        let stage = try await ApprovalStage()
        let (one, other) = (try stage.desk.request(), try stage.desk.request())
        let orchestrator = try stage.orchestrator()
        var first = orchestrator.execute(one.pointer).makeAsyncIterator()
        #expect(try await first.next()?.word == "approval 1/2")
        var parallel = orchestrator.execute(other.pointer).makeAsyncIterator()
        #expect(try await parallel.next()?.word == "approval 1/2")
        var second = orchestrator.openApproval(one.id, for: "alice").makeAsyncIterator()
        #expect(try await second.next()?.word == "approval 1/2")
        #expect(try await first.next()?.word == "approval: login")
        #expect(try await first.next()?.word == "aborted: superseded")
        for word in ["approval: login", "aborted: undecided"] {
            #expect(try await parallel.next()?.word == word)
            #expect(try await second.next()?.word == word)
        }
    }

    @Test func `an id has 32 hexadecimal digits`() throws {
        let id = try #require(ApprovalID(bytes: Array(0..<16)))
        #expect(id.description == "000102030405060708090a0b0c0d0e0f")
        #expect(ApprovalID(text: id.description.uppercased()) == id)
        for text in ["", "00", id.description + "00", String(repeating: "x", count: 32)] {
            #expect(ApprovalID(text: text) == nil)
        }
        #expect(ApprovalID(bytes: [1]) == nil)
    }
}
