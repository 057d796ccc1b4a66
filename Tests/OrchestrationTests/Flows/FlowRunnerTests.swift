import Crypto
import SecureChannel
import Synchronization
import Testing
import Wire

@testable import Orchestration

@Suite struct FlowRunnerTests {
    /// What a test flow does at each pull.
    private enum Act: Sendable {
        case tell(FlowEvent)
        case fail(any Error)
        case wait(Gate)
    }

    private final class ScriptedFlow: Flow {
        private var acts: [Act]
        private let grave: Grave

        init(_ acts: [Act], grave: Grave) {
            self.acts = acts
            self.grave = grave
            grave.births.add(1, ordering: .relaxed)
        }

        deinit { grave.visits.add(1, ordering: .relaxed) }

        func next() async throws -> FlowEvent {
            switch acts.removeFirst() {
            case .tell(let event): return event
            case .fail(let error): throw error
            case .wait(let gate):
                try await gate.wait()
                return .warning(Warning(.notificationsPending))
            }
        }
    }

    /// Counts the flows that were made and those that are gone.
    private final class Grave: Sendable {
        let births = Atomic(0)
        let visits = Atomic(0)
        var made: Int { births.load(ordering: .relaxed) }
        var count: Int { visits.load(ordering: .relaxed) }
    }

    /// Says that somebody waits, and waits until canceled.
    private struct Gate: Sendable {
        let reached = AsyncStream<Void>.makeStream()

        func wait() async throws {
            reached.continuation.yield()
            let forever = AsyncStream<Void>.makeStream()
            for await _ in forever.stream {}
            try Task.checkCancellation()
        }
    }

    private let grave = Grave()
    private let progress = Act.tell(.warning(Warning(.notificationsPending)))
    private let end = Act.tell(.aborted(.user))

    private func stream(_ acts: Act...) -> AsyncThrowingStream<FlowEvent, any Error> {
        let grave = grave
        return FlowRunner.stream { ScriptedFlow(acts, grave: grave) }
    }

    @Test func `the terminal event is the last one, and the flow is gone after it`() async throws {
        var terminals = 0
        for try await event in stream(progress, progress, end, progress) where event.isTerminal {
            terminals += 1
            #expect(grave.count == 1)
        }
        #expect(terminals == 1)
    }

    @Test func `nothing happens before the first pull`() async throws {
        let flow = stream(progress, end)
        #expect(grave.made == 0)
        for try await _ in flow { break }
        #expect(grave.made == 1)
    }

    @Test func `leaving the loop drops the flow`() async throws {
        for try await _ in stream(progress, progress, end) { break }
        #expect(grave.count == 1)
    }

    @Test func `only errors of the SDK and cancellation leave a flow`() async throws {
        struct Foreign: Error {}
        await #expect(throws: OrchestrationError(.unexpected)) { try await stream(.fail(Foreign())).result() }
        await #expect(throws: OrchestrationError(.storeBusy)) {
            try await stream(.fail(OrchestrationError(.storeBusy))).result()
        }
        await #expect(throws: CancellationError.self) { try await stream(.fail(CancellationError())).result() }
        #expect(grave.count == 3)
        // What a part of the SDK throws is the platform's or ours to answer for, never the app's.
        let leap = #expect(throws: SecureChannelError.self) {
            try KeyRatchet.advance(SymmetricKey(size: .bits256), from: 0, to: .max)
        }
        await #expect(throws: OrchestrationError(.invalidAnswer)) {
            try await stream(.fail(try #require(leap))).result()
        }
        let form = #expect(throws: WireError.self) { try OrchestrationCommand(bytes: []) }
        await #expect(throws: OrchestrationError(.internal)) { try await stream(.fail(try #require(form))).result() }
    }

    @Test func `result throws for the terminal events that are no success`() async throws {
        let aborted = await #expect(throws: OrchestrationError(.aborted)) { try await stream(progress, end).result() }
        #expect(aborted?.abortCause == .user)
        #expect(aborted?.outdatedReason == nil)
        let outdated = await #expect(throws: OrchestrationError(.outdated)) {
            try await stream(.tell(.outdated(.expired))).result()
        }
        #expect(outdated?.outdatedReason == .expired)
    }

    @Test func `a task canceled inside a step gets a cancellation error`() async throws {
        let gate = Gate()
        let flow = stream(.wait(gate), end)
        let task = Task { try await flow.result() }
        for await _ in gate.reached.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a task canceled before or between steps gets no terminal event`() async throws {
        let events = stream(progress, end)
        let task = Task {
            var seen: [FlowEvent] = []
            for try await event in events {
                seen.append(event)
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            }
            return seen
        }
        // The standard stream ends without an error here; hence the documented check after a loop.
        #expect(try await task.value.count == 1)

        let early = stream(progress, end)
        let canceled = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await early.result()
        }
        await #expect(throws: CancellationError.self) { try await canceled.value }
    }

    @Test func `a second iterator that pulls at the same time gets an error`() async throws {
        let gate = Gate()
        let flow = stream(.wait(gate), end)
        let first = Task { try await flow.result() }
        for await _ in gate.reached.stream { break }
        await #expect(throws: OrchestrationError(.consumedTwice)) { try await flow.result() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
    }
}
