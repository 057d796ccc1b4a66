import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration

/// An app that is killed and started again.
@Suite struct ApprovalCrashTests {
    @Test(arguments: 1...4)
    func `an app that is killed at an event answers once`(killedAt event: Int) async throws {
        let stage = try await ApprovalStage()
        let (_, pointer) = try stage.desk.request(number: "482913")
        var seen = 0
        for try await event_ in try stage.orchestrator().execute(pointer) {
            if case .approvalRequired(let request) = event_ { try request.recordApproval(number: "482913") }
            seen += 1
            if seen == event { break }
        }
        let words = try await story(stage.orchestrator().execute(pointer)) { try await $0.approve(number: "482913") }
        // The receipt was there at the third event; the device has dropped its answer by then.
        #expect(words.last == (event < 3 ? "succeeded" : "outdated: approvalAnswered"))
        #expect(Set(stage.desk.answers.map(\.encoded)).count == 1)
        let kept = try await stage.kept()
        #expect(kept == [])
    }

    @Test func `an answer whose reply was lost is sent again with the same bytes, without a question`() async throws {
        let stage = try await ApprovalStage()
        let (id, pointer) = try stage.desk.request(number: "482913")
        try await Self.lose(stage, pointer, after: true)
        let receipt = try #require(stage.desk.entry(id)?.receipt)
        // Hours later, in another process, by a user who types nothing.
        stage.stage.advance(seconds: 7_200)
        let outcome = try await stage.orchestrator(user: ScriptedUser([])).execute(pointer).result()
        guard case .approvalAnswered(let answered) = outcome else { throw Failure() }
        #expect(answered.receipt == Receipt(receipt))
        #expect(Set(stage.desk.answers.map(\.encoded)).count == 1)
        let kept = try await stage.kept()
        #expect(kept == [])
    }

    @Test func `an answer that never arrived is sent with the same bytes after the password`() async throws {
        let stage = try await ApprovalStage()
        let (id, pointer) = try stage.desk.request(number: "482913")
        try await Self.lose(stage, pointer, after: false)
        let before = try await stage.kept()
        #expect(before.map(\.id) == [id.bytes])
        #expect(stage.desk.answers.isEmpty)
        let user = ScriptedUser([.password(Stage.password)])
        let words = try await story(stage.orchestrator(user: user).execute(pointer))
        #expect(words == ["approval 1/2", "approval 2/2", "succeeded"])
        #expect(user.prompts.map(\.displayData) == ["\u{2068}Example Shop\u{2069}\nLogin\n\"\u{2068}Log in?\u{2069}\""])
        #expect(stage.desk.answers.map(\.encoded) == before.map(\.answer))
    }

    @Test func `a user who cancels after a restart takes the decision back`() async throws {
        let stage = try await ApprovalStage()
        let (_, pointer) = try stage.desk.request()
        try await Self.lose(stage, pointer, after: false)
        let canceled = try await story(stage.orchestrator(user: ScriptedUser([.abort])).execute(pointer))
        #expect(canceled == ["approval 1/2", "aborted: canceled"])
        let words = try await story(stage.orchestrator().execute(pointer)) { try await $0.reject(.notMe) }
        #expect(words == ["approval 1/2", "approval: login", "approval 2/2", "succeeded"])
    }

    @Test func `another device that answered first ends the kept answer`() async throws {
        let stage = try await ApprovalStage()
        let (id, pointer) = try stage.desk.request()
        try await Self.lose(stage, pointer, after: false)
        stage.desk.change(id) { $0.refusal = .approvalAnswered }
        let words = try await story(stage.orchestrator(user: ScriptedUser([])).execute(pointer))
        #expect(words == ["outdated: approvalAnswered"])
        let kept = try await stage.kept()
        #expect(kept == [])
    }

    @Test func `an answer to other bytes is not repeated`() async throws {
        let stage = try await ApprovalStage()
        let (id, pointer) = try stage.desk.request()
        try await Self.lose(stage, pointer, after: false)
        let entry = try #require(stage.desk.entry(id))
        var content = entry.content
        content.display = try DisplayData([.text("Pay 1,000,000?")])
        let other = try stage.desk.sign(content.encoded)
        stage.desk.change(id) { $0.request = other }
        let words = try await story(stage.orchestrator().execute(pointer)) { try await $0.reject(.wrongData) }
        #expect(words == ["approval 1/2", "approval: login", "approval 2/2", "succeeded"])
        let decisions = try stage.desk.answers.map { try ApprovalAnswerContent(decoding: $0.payload).decision }
        #expect(decisions == [.rejected(.wrongData)])
    }

    @Test func `what is kept holds no proof and nothing of the password`() async throws {
        let stage = try await ApprovalStage()
        let (_, pointer) = try stage.desk.request()
        try await Self.lose(stage, pointer, after: true)
        let kept = try #require(try await stage.kept().first)
        let proofs = stage.desk.arrivals.compactMap(\.proof?.tag)
        #expect(!proofs.isEmpty)
        for proof in proofs { #expect(kept.answer.firstRange(of: proof) == nil) }
        // Another password leads to an answer of the same length.
        let other = try await ApprovalStage(user: ScriptedUser(password: "7391058264"))
        let (_, pointer2) = try other.desk.request()
        try await Self.lose(other, pointer2, after: false)
        let kept2 = try await other.kept()
        #expect(kept2.map(\.answer.count) == [kept.answer.count])
    }

    @Test func `at most eight answers are kept, without those that have expired`() throws {
        var record = try Sample.record()
        let start = Timestamp(secondsSinceEpoch: 1_767_000_000)
        for number in 0..<12 {
            record.keep(
                PendingAnswer(
                    id: [UInt8](repeating: UInt8(number), count: 16),
                    expiry: start.advanced(seconds: 100 + Int64(number)),
                    answer: [1, 2, 3]), at: start)
        }
        #expect(record.pendingAnswers.map { $0.id[0] } == Array(4..<12))
        let read = try UserRecord(decoding: record.encoded, allowedCosts: [.testing])
        #expect(read.pendingAnswers == record.pendingAnswers)
        record.keep(
            PendingAnswer(id: [UInt8](repeating: 4, count: 16), expiry: start.advanced(seconds: 300), answer: [4]),
            at: start.advanced(seconds: 110))
        #expect(record.pendingAnswers.map { $0.id[0] } == [11, 4])
        record.dropAnswer(to: [UInt8](repeating: 4, count: 16))
        record.dropAnswer(to: [UInt8](repeating: 11, count: 16))
        let fields = try #require(try CBORValue(decoding: record.encoded).fields)
        #expect(fields["approvalAnswers"] == nil)
    }

    /// Decides, and cuts the network before or after the answer has arrived.
    private static func lose(
        _ stage: ApprovalStage, _ pointer: OrchestrationCommand, after hasArrived: Bool
    ) async throws {
        await #expect(throws: OrchestrationError(.transport)) {
            for try await event in try stage.orchestrator().execute(pointer) {
                guard case .approvalRequired(let request) = event else { continue }
                if hasArrived {
                    stage.wire.tamper(
                        { _ in throw OrchestrationError(.transport) }, { _ in throw OrchestrationError(.transport) },
                        { _ in throw OrchestrationError(.transport) })
                } else {
                    stage.wire.cut(true)
                }
                try await request.approve(number: request.digits > 0 ? "482913" : nil)
            }
        }
        stage.wire.cut(false)
    }

    private struct Failure: Error {}
}
