import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import Testing

@testable import Orchestration

@Suite struct FlowRunnerTests {
    /// What a test flow does at a step.
    private enum Act: Sendable {
        case events([FlowEvent])
        case fail(any Error)
        case wait(Waiting)
        case hold(Hold)
    }

    /// The parameters of a test flow: its acts.
    private struct Script: FlowParameters {
        let user: UserName
        let acts: [Act]
        let counter: Counter
    }

    private final class ScriptedFlow: Flow {
        static let kind = FlowKind("scripted")

        private let acts: [Act]
        private let counter: Counter

        init(_ parameters: Script, account: AccountName, orchestrator: Orchestrator) {
            acts = parameters.acts
            counter = parameters.counter
            counter.made.add(1, ordering: .relaxed)
        }

        deinit { counter.released.add(1, ordering: .relaxed) }

        func run(_ events: FlowEvents) async throws -> [FlowEvent] {
            defer { counter.cleaned.add(1, ordering: .relaxed) }
            for act in acts {
                counter.steps.add(1, ordering: .relaxed)
                switch act {
                case .events(let next) where next.last?.isTerminal == true: return next
                case .events(let next): try await events.send(next)
                case .fail(let error): throw error
                case .hold(let hold): await hold.wait()
                case .wait(let waiting):
                    try await waiting.wait()
                    try await events.send(.warning(Warning(.notificationsPending)))
                }
            }
            throw OrchestrationError(.internal)
        }
    }

    /// Counts what happens to the flows.
    private final class Counter: Sendable {
        let made = Atomic(0)
        let released = Atomic(0)
        let steps = Atomic(0)
        let cleaned = Atomic(0)

        var numberMade: Int { made.load(ordering: .relaxed) }
        var numberReleased: Int { released.load(ordering: .relaxed) }
        var numberOfSteps: Int { steps.load(ordering: .relaxed) }
        var numberCleaned: Int { cleaned.load(ordering: .relaxed) }
    }

    /// Reports that a step waits, and waits until the task is canceled.
    private struct Waiting: Sendable {
        let reached = AsyncStream<Void>.makeStream()

        func wait() async throws {
            reached.continuation.yield()
            let forever = AsyncStream<Void>.makeStream()
            for await _ in forever.stream {}
            try Task.checkCancellation()
        }
    }

    /// Reports that a step is held, and holds it until it is released or its task is canceled.
    private struct Hold {
        let reached = AsyncStream<Void>.makeStream()
        let released = AsyncStream<Void>.makeStream()

        func wait() async {
            reached.continuation.yield()
            for await _ in released.stream { break }
        }
    }

    private let counter = Counter()
    private let orchestrator: Orchestrator
    private let progress = Act.events([.warning(Warning(.notificationsPending))])
    private let end = Act.events([.aborted(.canceled)])

    init() async throws { orchestrator = try await Stage().orchestrator() }

    private func stream(_ acts: Act..., user: String = "alice") -> AsyncThrowingStream<FlowEvent, any Error> {
        let script = Script(user: UserName(user, domain: nil), acts: acts, counter: counter)
        return FlowRunner<ScriptedFlow>.stream(script, on: orchestrator)
    }

    @Test func `the terminal event is the last one, and the flow is gone after it`() async throws {
        var terminals = 0
        for try await event in stream(progress, progress, end, progress) where event.isTerminal {
            terminals += 1
            #expect(counter.numberReleased == 1)
        }
        #expect(terminals == 1)
    }

    @Test func `nothing happens before the first pull`() async throws {
        let flow = stream(progress, end)
        #expect(counter.numberMade == 0)
        for try await _ in flow { break }
        #expect(counter.numberMade == 1)
    }

    @Test(.timeLimit(.minutes(5))) func `leaving the loop drops the flow, which does not go on`() async throws {
        for try await _ in stream(progress, progress, end) { break }
        // The task of the flow ends on its own.
        while counter.numberReleased == 0 { await Task.yield() }
        #expect(counter.numberOfSteps == 1 && counter.numberCleaned == 1)
    }

    @Test func `only errors of the SDK and cancellation leave a flow`() async throws {
        struct Foreign: Error {}
        await #expect(throws: OrchestrationError(.unexpected)) { try await stream(.fail(Foreign())).result() }
        await #expect(throws: OrchestrationError(.storeBusy)) {
            try await stream(.fail(OrchestrationError(.storeBusy))).result()
        }
        await #expect(throws: CancellationError.self) { try await stream(.fail(CancellationError())).result() }
        #expect(counter.numberReleased == 3)
        // An error of a module of the SDK is never blamed on the app.
        let device = DeviceAddress(tenant: "default", account: try Sample.account(), id: [])
        let otherSuite = #expect(throws: SecureChannelError.self) {
            _ = try ChannelClient.seal(
                [], to: SealingKeyPair(suite: .classic, random: SystemRandomSource()).publicKey,
                as: ChannelIdentity(device: device, suite: .hybrid, presharedKey: SymmetricKey(size: .bits256)),
                requestID: [], expiry: Timestamp(secondsSinceEpoch: 0), random: SystemRandomSource())
        }
        await #expect(throws: OrchestrationError(.invalidAnswer)) {
            try await stream(.fail(try #require(otherSuite))).result()
        }
        let form = #expect(throws: WireError.self) { try OrchestrationCommand(bytes: []) }
        await #expect(throws: OrchestrationError(.internal)) { try await stream(.fail(try #require(form))).result() }
    }

    @Test func `after an error the next pull gives the end, and no step runs`() async throws {
        var iterator = stream(progress, .fail(OrchestrationError(.storeBusy)), progress, end).makeAsyncIterator()
        #expect(try await iterator.next()?.word == "warning: notificationsPending")
        var thrown: (any Error)?
        do { _ = try await iterator.next() } catch { thrown = error }
        #expect((thrown as? OrchestrationError)?.code == .storeBusy)
        #expect(counter.numberReleased == 1 && counter.numberCleaned == 1)
        for _ in 0..<3 { #expect(try await iterator.next() == nil) }
        #expect(counter.numberMade == 1 && counter.numberOfSteps == 2 && counter.numberCleaned == 1)
    }

    @Test func `after an activation threw, further pulls send and store nothing`() async throws {
        for failing in 1...4 {
            let stage = try await Stage()
            let password = try await stage.platform.register("alice")
            let lost: @Sendable (OrchestrationCommand) async throws -> OrchestrationCommand = { _ in
                throw OrchestrationError(.transport)
            }
            let passed: @Sendable (OrchestrationCommand) async throws -> OrchestrationCommand = { $0 }
            for _ in 1..<failing { stage.wire.tamper(passed) }
            for _ in 0..<100 { stage.wire.tamper(lost) }
            let flow = try stage.orchestrator().activate("alice", with: password)
            var iterator = flow.makeAsyncIterator()
            var thrown: (any Error)?
            do { while try await iterator.next() != nil {} } catch { thrown = error }
            #expect((thrown as? OrchestrationError)?.code == .transport)
            let before = (sent: stage.wire.sent.count, stored: try await stage.contents())
            for _ in 0..<3 { #expect(try await iterator.next() == nil) }
            var second = flow.makeAsyncIterator()
            #expect(try await second.next() == nil)
            #expect(stage.wire.sent.count == before.sent)
            #expect(try await stage.contents() == before.stored)
        }
    }

    @Test func `result throws for the terminal events that are no success`() async throws {
        await #expect(throws: OrchestrationError(.canceled)) { try await stream(progress, end).result() }
        await #expect(throws: OrchestrationError(.exchangeExpired)) {
            try await stream(.events([.outdated(OrchestrationError(.exchangeExpired))])).result()
        }
    }

    @Test func `a task canceled inside a step gets a cancellation error`() async throws {
        let waiting = Waiting()
        let flow = stream(.wait(waiting), end)
        let task = Task { try await flow.result() }
        for await _ in waiting.reached.stream { break }
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
        let waiting = Waiting()
        let flow = stream(.wait(waiting), end)
        let first = Task { try await flow.result() }
        for await _ in waiting.reached.stream { break }
        await #expect(throws: OrchestrationError(.consumedTwice)) { try await flow.result() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
    }

    private func runner(_ acts: Act...) -> FlowRunner<ScriptedFlow> {
        FlowRunner(Script(user: UserName("alice", domain: nil), acts: acts, counter: counter), orchestrator)
    }

    @Test func `the outcome of an effect is not lost when the call is canceled at that moment`() async throws {
        let hold = Hold()
        let runner = runner(
            .hold(hold), .events([.warning(Warning(.notSynchronized)), .succeeded(.replyDelivered)]))
        let call = Task { try await runner.finish() }
        for await _ in hold.reached.stream { break }
        call.cancel()
        guard case .replyDelivered = try await call.value else {
            Issue.record("the outcome is lost")
            return
        }
    }

    @Test func `a call at the same time as a pull is refused, and the stream goes on`() async throws {
        let hold = Hold()
        let runner = runner(.hold(hold), progress, end)
        let pull = Task { try await runner.next()?.word }
        for await _ in hold.reached.stream { break }
        await #expect(throws: OrchestrationError(.consumedTwice)) { _ = try await runner.finish() }
        hold.released.continuation.yield()
        #expect(try await pull.value == "warning: notificationsPending")
        #expect(try await runner.next()?.word == "aborted: canceled")
    }

    @Test func `the events of a step are delivered one by one before the next step`() async throws {
        let first: [FlowEvent] = [.warning(Warning(.notSynchronized)), .warning(Warning(.notificationsPending))]
        var iterator = stream(.events([]), .events(first), end).makeAsyncIterator()
        for expected in ["warning: notSynchronized", "warning: notificationsPending"] {
            #expect(try await iterator.next()?.word == expected)
            #expect(counter.numberOfSteps == 2)
        }
        #expect(try await iterator.next()?.word == "aborted: canceled")
        #expect(counter.numberOfSteps == 3)
        #expect(try await iterator.next() == nil)
    }

    @Test func `a newer flow of the kind for the user takes the next step away`() async throws {
        var older = stream(progress, progress, end).makeAsyncIterator()
        _ = try await older.next()
        var newer = stream(progress, end).makeAsyncIterator()
        _ = try await newer.next()
        #expect(try await older.next()?.word == "aborted: superseded")
        #expect(counter.numberOfSteps == 2)
        #expect(counter.numberCleaned == 1)
        #expect(try await newer.next()?.word == "aborted: canceled")
        #expect(counter.numberCleaned == 2)
    }

    @Test func `what a step has done is reported although a newer flow has started`() async throws {
        let both: [FlowEvent] = [.warning(Warning(.notSynchronized)), .aborted(.canceled)]
        var older = stream(.events(both)).makeAsyncIterator()
        _ = try await older.next()
        var newer = stream(end).makeAsyncIterator()
        _ = try await newer.next()
        #expect(try await older.next()?.word == "aborted: canceled")
    }

    @Test func `flows of different users do not supersede each other`() async throws {
        var alice = stream(progress, end).makeAsyncIterator()
        _ = try await alice.next()
        var bob = stream(progress, end, user: "bob").makeAsyncIterator()
        _ = try await bob.next()
        #expect(try await alice.next()?.word == "aborted: canceled")
        #expect(try await bob.next()?.word == "aborted: canceled")
    }

    @Test func `a flow that ended does not take the lease of a newer one`() async throws {
        var older = stream(progress, end).makeAsyncIterator()
        _ = try await older.next()
        var newer = stream(progress, end).makeAsyncIterator()
        _ = try await newer.next()
        while try await older.next() != nil {}
        #expect(try await newer.next()?.word == "aborted: canceled")
    }

    @Test func `a stream works on when the app holds no orchestrator, and releases it at its end`() async throws {
        let stage = try await Stage()
        let activationPassword = try await stage.platform.register("alice")
        let flow: AsyncThrowingStream<FlowEvent, any Error>
        weak let released: Orchestrator?
        do {
            let orchestrator = try stage.orchestrator()
            released = orchestrator
            flow = orchestrator.activate("alice", with: activationPassword)
        }
        #expect(released != nil)
        #expect(try await story(flow).last == "succeeded")
        #expect(released == nil)
    }

    @MainActor @Test func `a loop on the main actor gets its events there`() async throws {
        var words: [String] = []
        for try await event in stream(progress, progress, end) {
            MainActor.assertIsolated()
            words.append(event.word)
        }
        #expect(words.count == 3)
    }
}
