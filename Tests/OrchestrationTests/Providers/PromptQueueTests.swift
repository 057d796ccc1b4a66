import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration

/// A provider whose prompts are a sequence, in flows on a platform of the test kit.
@Suite(.timeLimit(.minutes(20))) struct PromptQueueTests {
    private let clock = ManualTimeSource()
    private let queue: PromptQueue
    private let stage: Stage

    init() async throws {
        queue = PromptQueue(time: clock)
        stage = try await Stage()
        try await stage.activate()
    }

    /// Starts a flow that asks for the password.
    private func makeCode() throws -> Task<Void, any Error> {
        let orchestrator = try stage.orchestrator(providers: [queue])
        return Task { _ = try await orchestrator.user("alice").oneTimePassword() }
    }

    private func next() async throws -> PendingPrompt {
        for try await pending in queue.prompts { return pending }
        throw CancellationError()
    }

    private func input(_ text: String) -> UserInput { UserInput(SecretBytes(copying: text.utf8)) }

    private let question = Prompt(purpose: .authenticate, method: .password, account: "a@b", policy: .default)

    @Test func `a flow gets the answer`() async throws {
        let flow = try makeCode()
        let pending = try await next()
        #expect(pending.isOpen)
        #expect(pending.prompt.text == "Enter your password")
        #expect(pending.prompt.rejection == nil)
        #expect(pending.answer(input(Stage.password)))
        try await flow.value
        await pending.end()
        #expect(!pending.isOpen)
    }

    @Test func `a refused answer is asked for again with the reason`() async throws {
        let flow = try makeCode()
        #expect(try await next().answer(input("4829")))
        let second = try await next()
        #expect(second.prompt.rejection == .unsuitable(.tooShort(minimum: 6)))
        #expect(second.prompt.rejectionText == "The password is too short. Please enter at least 6 characters.")
        #expect(second.answer(input(Stage.password)))
        try await flow.value
    }

    @Test func `a prompt that is canceled ends the flow for the user`() async throws {
        let flow = try makeCode()
        let pending = try await next()
        #expect(pending.cancel())
        #expect(!pending.cancel())
        let error = await #expect(throws: OrchestrationError.self) { try await flow.value }
        #expect(error?.code == .canceled)
    }

    @Test func `a prompt that no reader takes ends the flow after the limit`() async throws {
        let flow = try makeCode()
        await clock.sleepers(1)
        clock.advance(milliseconds: PromptQueue.readerLimit.wholeMilliseconds - 1)
        #expect(clock.sleeperCount == 1)
        clock.advance(milliseconds: 1)
        await #expect(throws: OrchestrationError(.promptUnanswered)) { try await flow.value }
    }

    @Test func `a prompt that was read has no time limit`() async throws {
        let flow = try makeCode()
        await clock.sleepers(1)
        let pending = try await next()
        #expect(pending.isOpen)
        clock.advance(seconds: 3_600)
        #expect(clock.sleeperCount == 0)
        #expect(pending.answer(input(Stage.password)))
        try await flow.value
    }

    @Test func `a prompt that is released without an answer ends the flow`() async throws {
        let flow = try makeCode()
        _ = try await next()
        await #expect(throws: OrchestrationError(.promptUnanswered)) { try await flow.value }
    }

    @Test func `a canceled flow takes its prompt away`() async throws {
        let flow = try makeCode()
        let pending = try await next()
        flow.cancel()
        await pending.end()
        #expect(!pending.isOpen)
        #expect(!pending.answer(input(Stage.password)))
        #expect(!pending.cancel())
        await #expect(throws: CancellationError.self) { try await flow.value }
    }

    @Test func `a canceled flow takes away a prompt that was not read`() async throws {
        let flow = try makeCode()
        await clock.sleepers(1)
        flow.cancel()
        await #expect(throws: CancellationError.self) { try await flow.value }
        // The reader gets the prompt of the next flow.
        let second = try makeCode()
        let pending = try await next()
        #expect(pending.isOpen)
        #expect(pending.answer(input(Stage.password)))
        try await second.value
    }

    @Test func `an answer to a prompt that was answered changes nothing`() async throws {
        let flow = try makeCode()
        let first = try await next()
        #expect(first.answer(input("4829")))
        let second = try await next()
        #expect(!first.answer(input(Stage.password)))
        #expect(!first.cancel())
        #expect(second.isOpen)
        #expect(first.id != second.id)
        #expect(second.answer(input(Stage.password)))
        try await flow.value
    }

    @Test func `prompts of several flows come one after another, and the time of the next begins at the end`()
        async throws
    {
        let first = Task { try await queue.authenticate(question) }
        let pending = try await next()
        let second = Task { try await queue.authenticate(question) }
        clock.advance(seconds: 60)
        #expect(pending.answer(input("482915")))
        #expect(try await first.value.text == "482915")
        await clock.sleepers(1)
        clock.advance(seconds: 10)
        await #expect(throws: OrchestrationError(.promptUnanswered)) { try await second.value }
    }

    @Test func `there is one reader`() async throws {
        // One of both waits, and the other one gets the error.
        let error = await #expect(throws: OrchestrationError.self) {
            try await withThrowingTaskGroup(of: PendingPrompt.self) { group in
                for _ in 0..<2 { group.addTask { try await next() } }
                _ = try await group.next()
            }
        }
        #expect(error?.code == .consumedTwice)
    }

    @Test func `another reader goes on after one that was canceled`() async throws {
        let reader = Task { try await next() }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        let flow = try makeCode()
        #expect(try await next().answer(input(Stage.password)))
        try await flow.value
    }
}
