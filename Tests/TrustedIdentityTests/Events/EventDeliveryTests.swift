import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The delivery of events to a receiver that is up, down, slow, or wrong about one event.
@Suite struct EventDeliveryTests {
    private static let refused = EventDelivery.failed(retryAfter: nil, answer: 503)

    private let time = ManualTimeSource()

    private func harness(_ receiver: ScriptedReceiver) async throws -> Harness {
        try await Harness(events: receiver, time: time)
    }

    private func lift(_ users: [String], _ harness: Harness) async throws {
        for user in users { try await harness.platform.liftBlocks(of: Harness.account(user)) }
    }

    private func isEmpty(_ harness: Harness) async throws -> Bool {
        try await harness.store.read { try $0.eventCount() == 0 }
    }

    @Test func `events reach the receiver in their order and are removed`() async throws {
        let receiver = ScriptedReceiver(time)
        let harness = try await harness(receiver)
        let device = try await harness.activate()
        let waiting = try await harness.waitingEvents()
        try await harness.deliveringEvents {
            await receiver.until { $0.taken.count == 1 }
            try await harness.platform.revokeDevice(device.id, of: Harness.account())
            await receiver.until { $0.taken.count == 2 }
            try await receiver.until { _ in try await isEmpty(harness) }
        }
        #expect(receiver.taken.first == waiting.first)
        #expect(receiver.taken.map(\.kind) == [.activationCompleted, .deviceRevoked])
        #expect(receiver.attempts.count == 2)
        let status = try await harness.platform.eventStatus()
        #expect(status.isRecording && status.waiting == 0 && status.deliveredAt == time.now() && status.failures == 0)
    }

    @Test func `events survive a receiver that is down for an hour, and a restart meanwhile`() async throws {
        let receiver = ScriptedReceiver(time) { _ in throw CancellationError() }
        let users = ["alice@master", "bob@master", "carol@master"]
        let harness = try await harness(receiver)
        for user in users { _ = try await harness.register(user) }
        var rounds = 0
        try await harness.deliveringEvents {
            while time.uptime() < .seconds(1_800) {
                rounds += 1
                try await lift(users, harness)
                let count = receiver.attempts.count
                await receiver.until(movingBy: 30) { $0.attempts.count > count }
                // Logins go on.
                #expect(try await harness.login("000000").status == .refused)
            }
        }
        #expect(receiver.taken.isEmpty)
        #expect(try await harness.platform.eventStatus().failures >= 4)
        // The process ends, and another one goes on where it was.
        let restarted = try await harness.restarted(events: receiver)
        let recorded = try await restarted.waitingEvents()
        try await restarted.deliveringEvents {
            while time.uptime() < .seconds(3_600) {
                let count = receiver.attempts.count
                await receiver.until(movingBy: 30) { $0.attempts.count > count }
            }
            #expect(receiver.taken.isEmpty)
            receiver.answer { _ in .delivered }
            await receiver.until(movingBy: 1) { $0.taken.count >= recorded.count }
            try await receiver.until { _ in try await isEmpty(restarted) }
        }
        #expect(recorded.count == 3 * rounds && rounds > 0)
        // An attempt that the platform has given up may have reached the receiver, which knows the id then.
        var ids: Set<[UInt8]> = []
        let taken = receiver.taken.filter { ids.insert($0.id).inserted }
        // The clock moves while the receiver works, so an attempt may end by its time, and its event comes later.
        #expect(Set(taken) == Set(recorded) && taken.count == recorded.count)
    }

    @Test func `an answer that is lost is repeated with the same id, after a restart, too`() async throws {
        let (answers, _) = AsyncStream.makeStream(of: Void.self)
        let receiver = ScriptedReceiver(time) { _ in
            // The receiver has the event, and its answer never comes.
            for await _ in answers {}
            return Self.refused
        }
        let harness = try await harness(receiver)
        _ = try await harness.activate()
        try await harness.deliveringEvents { await receiver.until { $0.attempts.count == 1 } }
        receiver.answer { _ in .delivered }
        let restarted = try await harness.restarted(events: receiver)
        try await restarted.deliveringEvents { await receiver.until { $0.taken.count == 1 } }
        #expect(receiver.attempts.count == 2)
        #expect(receiver.attempts.first?.event == receiver.attempts.last?.event)
    }

    @Test func `an event whose removal is lost is delivered again with its id`() async throws {
        let receiver = ScriptedReceiver(time)
        let harness = try await harness(receiver)
        _ = try await harness.activate()
        // The process ends after the delivery and before the removal: the store is as it was.
        let before = try harness.snapshot()
        try await harness.deliveringEvents { await receiver.until { $0.taken.count == 1 } }
        let restarted = try await harness.restarted(on: before, events: receiver)
        try await restarted.deliveringEvents { await receiver.until { $0.taken.count == 2 } }
        #expect(receiver.taken[0] == receiver.taken[1])
    }

    @Test func `an event that is refused delays no other one, and is parked after twenty refusals`() async throws {
        let receiver = ScriptedReceiver(time)
        let harness = try await harness(receiver)
        for user in [Harness.alice, "bob@master"] { _ = try await harness.register(user) }
        try await lift([Harness.alice, Harness.alice, "bob@master"], harness)
        let refused = try await harness.waitingEvents()[0]
        receiver.answer { $0 == refused ? Self.refused : .delivered }
        try await harness.deliveringEvents {
            await receiver.until { $0.taken.count == 2 }
            #expect(time.uptime() == .zero)
            while try await harness.platform.eventStatus().parked == 0 {
                let count = receiver.taken.count
                try await lift(["bob@master"], harness)
                await receiver.until { $0.taken.count > count }
                time.advance(seconds: 60)
                await Settling.wait()
            }
            let attempts = receiver.attempts.filter { $0.event == refused }
            #expect(attempts.count >= 20)
            #expect(
                zip(attempts.dropFirst(), attempts.dropFirst(2)).allSatisfy { $1.uptime - $0.uptime >= .seconds(1) })
            try await harness.platform.numberAudit()
            let readiness = try await harness.platform.readiness()
            #expect(readiness.isReady && readiness.notes.map(\.part) == [.events] && readiness.waitingEvents == 1)
            // It is not lost: it is sent once an hour, until the receiver takes it.
            receiver.answer { _ in .delivered }
            let begun = time.uptime()
            await receiver.until(movingBy: 60) { $0.taken.contains(refused) }
            #expect(time.uptime() - begun > .seconds(3_000))
            try await receiver.until { _ in try await isEmpty(harness) }
        }
        #expect(try await harness.platform.eventStatus().parked == 0)
        #expect(try await harness.platform.readiness().notes.isEmpty)
    }

    @Test func `an event that is refused for a time is taken after it`() async throws {
        let receiver = ScriptedReceiver(time) { $0.account == Harness.alice ? Self.refused : .delivered }
        let harness = try await harness(receiver)
        for user in [Harness.alice, "bob@master"] { _ = try await harness.register(user) }
        try await lift([Harness.alice, Harness.alice, "bob@master"], harness)
        let recorded = try await harness.waitingEvents()
        try await harness.deliveringEvents {
            await receiver.until { $0.attempts.count >= 5 }
            #expect(receiver.taken == recorded.filter { $0.account == "bob@master" })
            await receiver.until(movingBy: 1) { $0.attempts.count >= 9 }
            receiver.answer { _ in .delivered }
            await receiver.until(movingBy: 1) { $0.taken.count == 3 }
            try await receiver.until { _ in try await isEmpty(harness) }
        }
        #expect(Set(receiver.taken) == Set(recorded))
    }

    @Test func `a receiver that asks for a time gets nothing before`() async throws {
        let receiver = ScriptedReceiver(time) { _ in .failed(retryAfter: .seconds(300), answer: 429) }
        let harness = try await harness(receiver)
        _ = try await harness.activate()
        try await harness.deliveringEvents {
            await receiver.until { $0.attempts.count == 1 }
            receiver.answer { _ in .delivered }
            await receiver.until(movingBy: 1) { $0.taken.count == 1 }
        }
        #expect(receiver.attempts[1].uptime - receiver.attempts[0].uptime >= .seconds(300))
    }

    @Test func `a receiver that says nothing loses its attempt after ten seconds, and a login waits for nothing`()
        async throws
    {
        let (silence, _) = AsyncStream.makeStream(of: Void.self)
        let receiver = ScriptedReceiver(time) { event in
            guard event.account == Harness.alice else { return .delivered }
            for await _ in silence {}
            throw CancellationError()
        }
        let harness = try await harness(receiver)
        for user in [Harness.alice, "bob@master"] { _ = try await harness.register(user) }
        try await lift([Harness.alice, "bob@master"], harness)
        try await harness.deliveringEvents {
            await receiver.until { $0.attempts.count == 1 }
            // The attempt hangs, and a login and another decision are made.
            #expect(try await harness.login("000000").status == .refused)
            try await lift(["bob@master"], harness)
            await time.sleepers(1)
            time.advance(seconds: 10)
            await receiver.until { $0.taken.count == 2 }
            #expect(time.uptime() == Platform.deliveryTimeout)
            receiver.answer { _ in .delivered }
            await receiver.until(movingBy: 1) { $0.taken.count == 3 }
        }
        #expect(receiver.taken.last?.account == Harness.alice)
    }

    @Test func `a slow receiver gets one event at a time, in their order, and loses none`() async throws {
        let time = time
        let receiver = ScriptedReceiver(time) { _ in
            try await time.sleep(for: .seconds(9))
            return .delivered
        }
        let harness = try await harness(receiver)
        _ = try await harness.register()
        try await lift(Array(repeating: Harness.alice, count: 5), harness)
        let recorded = try await harness.waitingEvents()
        try await harness.deliveringEvents {
            for count in 1...5 {
                await receiver.until { $0.attempts.count == count }
                // The answer and the limit of the attempt.
                await time.sleepers(2)
                time.advance(seconds: 9)
            }
            await receiver.until { $0.taken.count == 5 }
        }
        #expect(receiver.taken == recorded && receiver.attempts.count == 5)
    }

    @Test func `a second sender waits until the first one has ended`() async throws {
        let receiver = ScriptedReceiver(time)
        let harness = try await harness(receiver)
        _ = try await harness.register()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await harness.deliveringEvents {
                    try await lift([Harness.alice], harness)
                    await receiver.until { $0.taken.count == 1 }
                }
            }
            try await group.next()
            group.addTask { await harness.platform.deliverEvents() }
            group.addTask { await harness.platform.deliverEvents() }
            try await lift(Array(repeating: Harness.alice, count: 20), harness)
            await receiver.until { $0.taken.count == 21 }
            try await receiver.until { _ in try await isEmpty(harness) }
            group.cancelAll()
        }
        #expect(receiver.attempts.count == 21)
    }

    @Test func `an event of an erased user is not sent, although the delivery knows it`() async throws {
        let receiver = ScriptedReceiver(time) { _ in Self.refused }
        let harness = try await harness(receiver)
        for user in ["zoe@master", "bob@master"] { _ = try await harness.register(user) }
        try await lift(["zoe@master", "bob@master"], harness)
        try await harness.deliveringEvents {
            await receiver.until { $0.attempts.count == 2 }
            _ = try await harness.platform.erase(Harness.account("zoe@master"))
            receiver.answer { _ in .delivered }
            await receiver.until(movingBy: 1) { $0.taken.count == 1 }
            for _ in 0..<20 {
                time.advance(seconds: 10)
                await Settling.wait()
            }
        }
        #expect(receiver.taken.map(\.account) == ["bob@master"])
        #expect(!receiver.attempts.dropFirst(2).contains { $0.event.account == "zoe@master" })
    }

    @Test func `a store that fails delays events, and loses none`() async throws {
        let receiver = ScriptedReceiver(time)
        let store = FaultInjectingDatabase(SQLiteDatabase.inMemory())
        let harness = try await Harness(on: store, events: receiver, time: time)
        _ = try await harness.activate()
        store.fail(with: StoreError(.inputOutput))
        try await harness.deliveringEvents {
            for _ in 0..<20 {
                time.advance(seconds: 1)
                await Settling.wait()
            }
            #expect(receiver.attempts.isEmpty)
            store.fail(with: nil)
            await receiver.until(movingBy: 1) { $0.taken.count == 1 }
        }
        #expect(receiver.taken.map(\.kind) == [.activationCompleted])
    }

    @Test(.timeLimit(.minutes(20)))
    func `the log names the answer once when the receiver is down, and once when it is back`() async throws {
        let (lines, store) = (LogLines(), SQLiteDatabase.inMemory())
        let receiver = ScriptedReceiver(time) { _ in .failed(retryAfter: nil, answer: 401) }
        let platform = try await Platform(
            database: store, masterKey: MasterKey.make(id: "test"), events: receiver, time: time, logger: lines.logger)
        _ = try await platform.register(.init(account: Harness.account()))
        try await platform.liftBlocks(of: Harness.account())
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await platform.deliverEvents() }
            await receiver.until(movingBy: 1) { $0.attempts.count >= 8 }
            receiver.answer { _ in .delivered }
            await receiver.until(movingBy: 1) { $0.taken.count == 1 }
            // The platform writes the line after the receiver has taken the event.
            while !lines.all.contains(where: { $0.contains("takes events again") }) { await Settling.wait() }
            group.cancelAll()
        }
        let own = lines.all.filter { $0.contains("the receiver") }
        #expect(
            own == [
                "warning the receiver takes no events: they wait and are delivered later receiver.answer=401",
                "notice the receiver takes events again ",
            ])
        #expect(!lines.all.contains { $0.contains(Harness.alice) })
    }

    @Test func `events of a database survive the end of the process`() async throws {
        let folder = try TemporaryFolder()
        let (path, receiver) = (folder.file("platform.sqlite"), ScriptedReceiver(time))
        var store = try await SQLiteDatabase(path: path)
        let harness = try await Harness(on: store, events: receiver, time: time)
        let device = try await harness.activate()
        try await harness.platform.revokeDevice(device.id, of: Harness.account())
        let recorded = try await harness.waitingEvents()
        try await store.close()
        store = try await SQLiteDatabase(path: path)
        let restarted = try await Harness(
            harness.configuration, on: store, masterKey: harness.masterKey, events: receiver, time: time)
        try await restarted.deliveringEvents {
            await receiver.until { $0.taken.count == 2 }
            let next = store
            try await receiver.until { _ in try await next.read { try $0.eventCount() == 0 } }
        }
        #expect(receiver.taken == recorded && recorded.count == 2)
        try await store.close()
    }
}
