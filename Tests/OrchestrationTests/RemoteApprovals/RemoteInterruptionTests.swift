import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Apps that are killed, networks that break, platforms that restart, and application servers that hang up.
@Suite struct RemoteInterruptionTests {
    @Test(arguments: 1...4)
    func `an app that is killed at an event and started again answers once`(killedAt event: Int) async throws {
        let scene = try await ApprovalScene(showsNumbers: true)
        let report = try await scene.platform.requestLogin("alice")
        let number = try #require(report.numberToMatch)
        var seen = 0
        for try await event_ in try scene.app().execute(#require(report.pointer)) {
            if case .approvalRequired(let request) = event_ { try request.recordApproval(number: number) }
            seen += 1
            if seen == event { break }
        }
        let run = try await scene.decide(report) { try await $0.approve(number: number) }
        if event < 3 {
            _ = try await scene.checkReceipt(run, of: report)
        } else {
            // The device had the receipt, and has dropped its answer.
            #expect(run.words == ["outdated: approvalAnswered"])
        }
        let ended = try await scene.platform.approval(report)
        #expect(ended.status == .accepted)
        let count = try await scene.answerCount()
        #expect(count == 1)
        let kept = try await scene.kept()
        #expect(kept.isEmpty)
    }

    @Test func `an answer whose reply is lost is repeated for its receipt, without a question`() async throws {
        let scene = try await ApprovalScene()
        let report = try await scene.platform.requestPayment("alice", "99", to: "Shop")
        try await Self.lose(scene, report, afterArrival: true)
        let ended = try await scene.platform.approval(report)
        #expect(ended.status == .accepted)
        // Hours later, in another process, by a user who types nothing.
        scene.stage.advance(seconds: 7_200)
        let run = try await ApprovalRun(scene.app(user: ScriptedUser([])).execute(#require(report.pointer))) { _ in }
        #expect(run.words == ["approval 2/2", "succeeded"])
        let statement = try await scene.checkReceipt(run, of: report)
        #expect(statement.decision == .approved)
        let count = try await scene.answerCount()
        #expect(count == 1)
    }

    @Test func `a lost receipt can be collected after the keys of the platform were replaced ten times`() async throws {
        let scene = try await ApprovalScene()
        let report = try await scene.platform.requestPayment("alice", "99", to: "Shop")
        try await Self.lose(scene, report, afterArrival: true)
        // Neither the key of the request nor that of the receipt is in the latest statement, and one answer does not
        // hold all statements.
        for _ in 0..<10 {
            scene.stage.advance(seconds: 3_600)
            try await scene.platform.platform.rotateKeys(.signing)
        }
        let run = try await ApprovalRun(scene.app(user: ScriptedUser([])).execute(#require(report.pointer))) { _ in }
        #expect(run.words == ["approval 2/2", "succeeded"])
        let statement = try await scene.checkReceipt(run, of: report)
        #expect(statement.decision == .approved)
        let kept = try await scene.kept()
        #expect(kept.isEmpty)
    }

    @Test func `an answer that never arrived is sent again, and counts once`() async throws {
        let scene = try await ApprovalScene()
        let report = try await scene.platform.requestLogin("alice")
        try await Self.lose(scene, report, afterArrival: false)
        let waiting = try await scene.platform.approval(report)
        #expect(waiting.status == .pending)
        // The platform restarts, too.
        try await scene.platform.restart()
        let user = ScriptedUser([.password(Stage.password)])
        let run = try await ApprovalRun(scene.app(user: user).execute(#require(report.pointer))) { _ in }
        #expect(run.words == ["approval 1/2", "approval 2/2", "succeeded"])
        _ = try await scene.checkReceipt(run, of: report)
    }

    @Test func `an answer that was kept until its request expired is dropped`() async throws {
        let scene = try await ApprovalScene()
        let report = try await scene.platform.requestLogin("alice")
        try await Self.lose(scene, report, afterArrival: false)
        scene.stage.advance(seconds: 120)
        let run = try await ApprovalRun(scene.app(user: ScriptedUser([])).execute(#require(report.pointer))) { _ in }
        #expect(run.words == ["outdated: approvalExpired"])
        let kept = try await scene.kept()
        #expect(kept.isEmpty)
        let count = try await scene.answerCount()
        #expect(count == 0)
    }

    @Test func `a wrong number whose refusal is lost stays refused`() async throws {
        let scene = try await ApprovalScene(showsNumbers: true)
        let report = try await scene.platform.requestLogin("alice")
        let wrong = report.numberToMatch == "123456" ? "123457" : "123456"
        try await Self.lose(scene, report, afterArrival: true, number: wrong)
        let run = try await ApprovalRun(scene.app(user: ScriptedUser([])).execute(#require(report.pointer))) { _ in }
        #expect(run.words == ["aborted: wrongNumber"])
        let kept = try await scene.kept()
        #expect(kept.isEmpty)
    }

    @Test func `a platform that restarts while a login blocks loses neither the request nor the answer`() async throws {
        let scene = try await ApprovalScene()
        let platform = scene.platform
        let report = try await platform.requestLogin("alice")
        let blocked = Task { try await platform.approval(report, waiting: .seconds(60)) }
        await scene.time.sleepers(1)
        // The process of the platform ends, and with it the call.
        blocked.cancel()
        await #expect(throws: CancellationError.self) { try await blocked.value }
        try await platform.restart()
        async let repeated = platform.approval(report, waiting: .seconds(60))
        await scene.time.sleepers(1)
        let run = try await scene.decide(report) { try await $0.approve() }
        let ended = try await repeated
        #expect(ended.status == .accepted)
        #expect(ended.receipt == run.answered?.receipt.bytes)
    }

    @Test func `a platform that restarts between fetch and answer accepts the answer`() async throws {
        let scene = try await ApprovalScene()
        let report = try await scene.platform.requestLogin("alice")
        var iterator = try scene.app().execute(#require(report.pointer)).makeAsyncIterator()
        var answered: AnsweredApproval?
        while let event = try await iterator.next() {
            if case .approvalRequired(let request) = event {
                try await scene.platform.restart()
                try await request.approve()
            }
            if case .succeeded(.approvalAnswered(let approval)) = event { answered = approval }
        }
        let ended = try await scene.platform.approval(report)
        #expect(ended.receipt == answered?.receipt.bytes)
    }

    @Test func `an application server that hangs up leaves a request that can be answered`() async throws {
        let scene = try await ApprovalScene()
        let platform = scene.platform
        let (reports, requested) = AsyncStream<ApprovalReport>.makeStream()
        let blocked = Task {
            let alice = ActivationExchange.account
            for try await event in platform.platform.approvals(ApprovalParameters(.login, of: alice)) {
                if case .requested(let report) = event { requested.yield(report) }
            }
            try Task.checkCancellation()
        }
        var iterator = reports.makeAsyncIterator()
        let report = try #require(await iterator.next())
        blocked.cancel()
        await #expect(throws: CancellationError.self) { try await blocked.value }
        let run = try await scene.decide(report) { try await $0.approve() }
        _ = try await scene.checkReceipt(run, of: report)
    }

    @Test func `the events of both sides follow each other`() async throws {
        let scene = try await ApprovalScene(showsNumbers: true)
        let (platform, app) = (scene.platform, try scene.app())
        let parameters = ApprovalParameters(.login, of: ActivationExchange.account, showsNumbers: true)
        var words: [String] = []
        var flow: Task<ApprovalRun, any Error>?
        for try await event in platform.platform.approvals(parameters) {
            switch event {
            case .requested(let report):
                words.append("requested")
                let (pointer, number) = (try #require(report.pointer), report.numberToMatch)
                flow = Task { try await ApprovalRun(app.execute(pointer)) { try await $0.approve(number: number) } }
            case .opened: words.append("opened")
            case .ended(let report): words.append("ended: \(report.status)")
            }
        }
        let run = try await flow?.value
        #expect(run?.words == ApprovalRun.answeredWords(.login))
        // A quick user answers before the loop has seen that the request is open.
        #expect(words == ["requested", "opened", "ended: accepted"] || words == ["requested", "ended: accepted"])
    }

    /// Decides, and cuts the network before or after the answer has arrived.
    private static func lose(
        _ scene: ApprovalScene, _ report: ApprovalReport, afterArrival: Bool, number: String? = nil
    ) async throws {
        let wire = scene.stage.wire
        await #expect(throws: OrchestrationError(.transport)) {
            for try await event in try scene.app().execute(#require(report.pointer)) {
                guard case .approvalRequired(let request) = event else { continue }
                if afterArrival {
                    wire.tamper(
                        { _ in throw OrchestrationError(.transport) }, { _ in throw OrchestrationError(.transport) },
                        { _ in throw OrchestrationError(.transport) })
                } else {
                    wire.cut(true)
                }
                try await request.approve(number: number)
            }
        }
        wire.cut(false)
    }
}
