import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Requests that no longer wait, and pointers that lead nowhere.
@Suite struct RemoteEndTests {
    @Test func `a request that has expired is outdated, before and after it is shown`() async throws {
        let scene = try await ApprovalScene()
        let report = try await scene.platform.requestLogin("alice", lifetime: .seconds(30))
        let run = try await scene.decide(report) { request in
            #expect(request.timeLeft == .seconds(30))
            scene.stage.advance(seconds: 30)
            try await request.approve()
        }
        #expect(run.words == ["approval 1/2", "approval: login", "outdated: approvalExpired"])
        let again = try await scene.decide(report) { _ in }
        #expect(again.words == ["outdated: approvalExpired"])
        let ended = try await scene.platform.approval(report)
        #expect(ended.status == .timeout)
        #expect(scene.stage.user.prompts.isEmpty)
    }

    @Test func `a request that expires while the password is typed is outdated`() async throws {
        let clock = ClockBox()
        let user = ScriptedUser([
            ScriptedAnswer { _ in
                clock.time?.advance(seconds: 121)
                return UserInput(SecretBytes(copying: Array(Stage.password.utf8)))
            }
        ])
        let scene = try await ApprovalScene(user: user)
        clock.time = scene.time
        let report = try await scene.platform.requestLogin("alice")
        let run = try await scene.decide(report) { try await $0.approve() }
        #expect(run.words.last == "outdated: approvalExpired")
        let kept = try await scene.kept()
        #expect(kept.isEmpty)
        let count = try await scene.answerCount()
        #expect(count == 0)
    }

    @Test func `a newer login of the same source takes the place of the older one`() async throws {
        let scene = try await ApprovalScene()
        let old = try await scene.platform.requestLogin("alice", source: "browser")
        var new: ApprovalReport?
        var iterator = try scene.app().execute(#require(old.pointer)).makeAsyncIterator()
        while let event = try await iterator.next() {
            guard case .approvalRequired(let request) = event else { continue }
            new = try await scene.platform.requestLogin("alice", source: "browser")
            await #expect(throws: OrchestrationError(.approvalReplaced)) { try await request.approve() }
            break
        }
        #expect(try await iterator.next()?.word == "outdated: approvalReplaced")
        let report = try #require(new)
        let run = try await scene.decide(report) { try await $0.approve() }
        _ = try await scene.checkReceipt(run, of: report)
        let ended = try await scene.platform.approval(old)
        #expect((ended.status, ended.declineReason) == (.refused, .replaced))
    }

    @Test func `a request that the application server takes back is canceled, at each stage`() async throws {
        let scene = try await ApprovalScene()
        let first = try await scene.platform.requestLogin("alice", source: "a")
        try await scene.platform.cancelApproval(first)
        let unopened = try await scene.decide(first) { _ in }
        #expect(unopened.words == ["outdated: approvalCanceled"])
        let second = try await scene.platform.requestLogin("alice", source: "b")
        let opened = try await scene.decide(second) { request in
            try await scene.platform.cancelApproval(second)
            try await request.approve()
        }
        #expect(opened.words == ["approval 1/2", "approval: login", "outdated: approvalCanceled"])
        let kept = try await scene.kept()
        #expect(kept.isEmpty)
    }

    @Test func `what the application server says about a cancellation reaches the app`() async throws {
        let scene = try await ApprovalScene()
        let notice = try RefusalNotice(text: "Sold out", payload: [1, 2])
        let first = try await scene.platform.requestLogin("alice", source: "a")
        try await scene.platform.cancelApproval(first, notice: notice)
        let unopened = try await scene.decide(first) { _ in }
        #expect(unopened.words == ["outdated: approvalCanceled, notice: Sold out"])
        let error = await #expect(throws: OrchestrationError.self) {
            try await scene.app().execute(#require(first.pointer)).result()
        }
        #expect(error?.code == .approvalCanceled)
        #expect(error?.notice == notice)
        #expect(error.map { "\($0)" + String(reflecting: $0) }?.contains("Sold") == false)
        // Also when the request is open on the device.
        let second = try await scene.platform.requestLogin("alice", source: "b")
        let run = try await scene.decide(second) { _ in }
        #expect(run.words.last == "aborted: undecided")
        let opened = try await scene.decide(second) { request in
            try await scene.platform.cancelApproval(second, notice: RefusalNotice(payload: [3]))
            try await request.approve()
        }
        #expect(opened.words == ["approval 1/2", "approval: login", "outdated: approvalCanceled, notice: -"])
    }

    @Test func `no notice comes from an answer with a flipped bit, and none from an unsealed source`() async throws {
        let scene = try await ApprovalScene()
        let report = try await scene.platform.requestLogin("alice")
        try await scene.platform.cancelApproval(report, notice: RefusalNotice(text: "Sold out"))
        let pointer = try #require(report.pointer)
        for byte in stride(from: 0, to: 480, by: 16) {
            if byte % 160 == 0 { scene.stage.advance(seconds: 60) }
            let answers = ChangedAnswers(scene.stage.wire) { answer in
                var bytes = answer.bytes
                bytes[byte % bytes.count] ^= 1 << UInt8(byte / 16 % 8)
                return try OrchestrationCommand(bytes: bytes)
            }
            await expectNoNotice(try scene.stage.orchestrator(transport: answers).execute(pointer), "byte \(byte)")
        }
        // A refusal of an activation is the one that no key protects. JSON of a proxy is no command.
        let unsealed = [
            [0x83, 0x05, 0x50] + [UInt8](repeating: 1, count: 16) + [0x01], Array(#"{"message":"x"}"#.utf8),
        ]
        for bytes in unsealed {
            let answers = ChangedAnswers(scene.stage.wire) { _ in try OrchestrationCommand(bytes: bytes) }
            await expectNoNotice(try scene.stage.orchestrator(transport: answers).execute(pointer), "\(bytes.count)")
        }
    }

    /// Runs a flow whose answers are no answers of the platform.
    private func expectNoNotice(
        _ flow: @autoclosure () throws -> AsyncThrowingStream<FlowEvent, any Error>, _ comment: Comment
    ) async {
        var words: [String] = []
        do {
            for try await event in try flow() { words.append(event.word) }
            Issue.record("the flow has ended with \(words)", sourceLocation: #_sourceLocation)
        } catch {
            let code = (error as? OrchestrationError)?.code
            #expect(code == .invalidAnswer || code == .transport, comment)
        }
        #expect(words.isEmpty, comment)
    }

    @Test func `a request that a second device has answered is outdated`() async throws {
        let scene = try await ApprovalScene()
        let tablet = try await scene.otherDevice()
        let report = try await scene.platform.requestLogin("alice")
        let onTablet = try await scene.decide(report, on: tablet) { try await $0.reject(.canceled) }
        let onPhone = try await scene.decide(report) { try await $0.approve() }
        #expect(onPhone.words == ["outdated: approvalAnswered"])
        _ = try await scene.checkReceipt(onTablet, of: report)
        let ended = try await scene.platform.approval(report)
        #expect(ended.declineReason == .canceled)
    }

    @Test func `of two devices that answer at once, one succeeds and the other is outdated`() async throws {
        let scene = try await ApprovalScene()
        let tablet = try await scene.otherDevice()
        for round in 0..<8 {
            scene.stage.advance(seconds: 700)
            let report = try await scene.platform.requestLogin("alice")
            async let onPhone = scene.decide(report) { try await $0.approve() }
            async let onTablet = scene.decide(report, on: tablet) { try await $0.reject(.wrongData) }
            let runs = try await [onPhone, onTablet]
            #expect(runs.count { $0.words.last == "succeeded" } == 1, "round \(round)")
            #expect(runs.count { $0.words.last == "outdated: approvalAnswered" } == 1, "round \(round)")
            let winner = try #require(runs.first { $0.answered != nil })
            _ = try await scene.checkReceipt(winner, of: report)
            let count = try await scene.answerCount()
            #expect(count == round + 1)
        }
    }

    @Test func `the request of another user is unknown, and a device has the requests of all its users`() async throws {
        let scene = try await ApprovalScene()
        let bob = try await scene.otherDevice(of: "bob", seed: 8)
        let report = try await scene.platform.requestLogin("alice")
        let foreign = try await scene.decide(report, on: bob) { _ in }
        #expect(foreign.words == ["outdated: approvalUnknown"])
        // Carol has activated the device of alice, too.
        let code = try await scene.platform.register("carol")
        try await scene.app().user("carol").activate(with: code)
        let login = try await scene.platform.requestLogin("carol")
        var asked: AccountName?
        let run = try await scene.decide(login) { request in
            asked = request.account
            try await request.approve()
        }
        #expect(asked?.userID == "carol")
        _ = try await scene.checkReceipt(run, of: login)
        let waiting = try await scene.platform.approval(report)
        #expect(waiting.status == .pending)
    }

    @Test func `a request for a user that does not exist leads nowhere`() async throws {
        let scene = try await ApprovalScene()
        let report = try await scene.platform.requestLogin("stranger")
        let run = try await scene.decide(report) { _ in }
        #expect(run.words == ["outdated: approvalUnknown"])
    }

    @Test func `a pointer of another tenant ends as an unknown one does, and sends nothing`() async throws {
        let scene = try await ApprovalScene()
        let report = try await scene.platform.requestLogin("alice")
        let id = try #require(report.id)
        let sent = scene.stage.wire.sent.count
        let foreign = ApprovalPointer(tenant: "other", id: id).command
        let other = try await ApprovalRun(scene.app().execute(foreign)) { _ in }
        #expect(other.words == ["outdated: approvalUnknown"])
        #expect(scene.stage.wire.sent.count == sent)
        let unknown = ApprovalPointer(tenant: "default", id: [UInt8](repeating: 7, count: 16)).command
        let run = try await ApprovalRun(scene.app().execute(unknown)) { _ in }
        #expect(run.words == other.words)
        // The platform opens nothing for a pointer either.
        await #expect(throws: OrchestrationError(.transport)) {
            try await scene.platform.transport.send(#require(report.pointer))
        }
    }

    @Test func `a pointer with any bit flipped opens nothing`() async throws {
        let scene = try await ApprovalScene()
        let report = try await scene.platform.requestLogin("alice")
        let bytes = try #require(report.pointer).bytes
        for bit in 0..<(bytes.count * 8) {
            // A device may ask 60 times in a minute.
            if bit % 50 == 49 { scene.stage.advance(seconds: 60) }
            var tampered = bytes
            tampered[bit / 8] ^= 1 << (bit % 8)
            guard let command = try? OrchestrationCommand(bytes: tampered) else { continue }
            do {
                let run = try await ApprovalRun(scene.app().execute(command)) { _ in }
                #expect(run.words == ["outdated: approvalUnknown"], "bit \(bit)")
            } catch {
                #expect((error as? OrchestrationError)?.code == .commandUnknown, "bit \(bit)")
            }
        }
        let untouched = try await scene.platform.approval(report)
        #expect(!untouched.isOpened)
    }

    @Test func `what waits is listed, and opened one by one`() async throws {
        let scene = try await ApprovalScene()
        let login = try await scene.platform.requestLogin("alice")
        scene.stage.advance(seconds: 5)
        let payment = try await scene.platform.requestPayment("alice", "30", to: "Shop")
        let app = try scene.app()
        let waiting = try await app.user("alice").pendingApprovals()
        #expect(waiting.map(\.pointer) == [login.pointer, payment.pointer])
        #expect(waiting.map(\.kind) == [.login, .transaction])
        #expect(waiting.map(\.timeLeft) == [.seconds(115), .seconds(120)])
        let run = try await ApprovalRun(app.openApproval(#require(waiting.last).id, for: "alice")) {
            try await $0.reject(.wrongData)
        }
        _ = try await scene.checkReceipt(run, of: payment)
        let left = try await app.user("alice").pendingApprovals()
        #expect(left.map(\.pointer) == [login.pointer])
        // A request that is not announced is in the list, too.
        scene.stage.advance(seconds: 121)
        let none = try await app.user("alice").pendingApprovals()
        #expect(none.isEmpty)
    }
}

/// The clock of a scene, for an answer that is written before the scene.
private final class ClockBox: @unchecked Sendable {
    // SAFETY: a test writes it once, before the flow reads it.
    var time: ManualTimeSource?
}

/// A transport that changes each answer.
private struct ChangedAnswers: Transport {
    let base: any Transport
    let change: @Sendable (OrchestrationCommand) throws -> OrchestrationCommand

    init(
        _ base: any Transport, _ change: @escaping @Sendable (OrchestrationCommand) throws -> OrchestrationCommand
    ) {
        (self.base, self.change) = (base, change)
    }

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        try change(try await base.send(command))
    }
}
