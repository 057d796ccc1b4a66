import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration

/// A store that was copied with its device key, and used in two places.
///
/// The clone is detected when the second party asks for the next state of the ratchet, and at the first contact of a
/// party that is more than one index and five minutes behind. From then on the platform refuses both.
struct CloneWalk {
    /// One of the two devices, with a store of its own.
    private struct Party {
        let name: String
        let store: MemoryStore
        let process: Orchestrator
    }

    let world: WalkWorld

    init(_ world: WalkWorld) { self.world = world }

    func run() async throws {
        // Before the copy, the ratchet moves a few times.
        for _ in 0..<world.chance.draw(0...3) {
            world.time.advance(seconds: Int64(world.chance.draw(60...700)))
            try await contact(Party(name: "original", store: world.clientStore.base, process: world.process()))
        }
        let stolen = world.clientStore.base.copy()
        let original = Party(name: "original", store: world.clientStore.base, process: try world.process())
        let copy = Party(name: "copy", store: stolen, process: try world.process(store: stolen))
        switch world.chance.draw(0...3) {
        case 0: try await sleep(copy, busy: original)
        case 1: try await sleep(original, busy: copy)
        case 2: try await alternate(original, copy, within: 0...400)
        default: try await alternate(original, copy, within: 1...20)
        }
    }

    /// One party leads, and the other one is found when it wakes up.
    private func sleep(_ idle: Party, busy: Party) async throws {
        world.tally.count("idle.\(idle.name)")
        try await outdate(idle, busy: busy)
        try await expectDetection(idle)
        try await expectLocked(idle, busy)
    }

    /// Both parties contact the platform in turns, until one of them is found.
    ///
    /// - Parameter delay: The seconds after which the copy follows the original.
    private func alternate(_ original: Party, _ copy: Party, within delay: ClosedRange<Int>) async throws {
        world.tally.count("alternate")
        for _ in 0..<40 {
            world.time.advance(seconds: Int64(world.chance.draw(60...400)))
            for (party, other) in [(original, copy), (copy, original)] {
                if party.name == copy.name { world.time.advance(seconds: Int64(world.chance.draw(delay))) }
                guard try isDetection(try await contact(party), of: party) else { continue }
                return try await expectLocked(party, other)
            }
        }
        throw world.failure("the clone is not detected")
    }

    /// Contacts the platform as the busy party until the index of the idle one is no longer accepted.
    private func outdate(_ idle: Party, busy: Party) async throws {
        for _ in 0..<40 {
            world.time.advance(seconds: Int64(world.chance.draw(60...400)))
            try await contact(busy)
            let (device, index) = (try await device(), try await index(of: idle))
            guard device.state != .locked else { throw world.failure("the device is locked by the busy party") }
            if device.ratchetIndex > index {
                world.time.advance(seconds: Int64(world.chance.draw(301...2_000)))
                return
            }
        }
        throw world.failure("the ratchet does not move")
    }

    /// Contacts the platform as the idle party until the clone is detected, also with network faults.
    private func expectDetection(_ idle: Party) async throws {
        for _ in 0..<10 where try isDetection(try await contact(idle), of: idle) { return }
        throw world.failure("the clone is not detected")
    }

    private func isDetection(_ run: FlowRun, of party: Party) throws -> Bool {
        switch run.end {
        case .aborted(.cloneSuspected): true
        // The clone was detected, and the process ended before the event.
        case .threw(let error as OrchestrationError) where error.code == .cloneSuspected: true
        case .aborted(.canceled), .left, .threw, .succeeded: false
        default: throw world.failure("the \(party.name) gets: \(run.word)")
        }
    }

    private func expectLocked(_ idle: Party, _ busy: Party) async throws {
        let device = try await device()
        try world.require(
            device.state == .locked && device.lockReason == .cloneSuspected, "the platform has not locked the device")
        world.chance.disableFaults()
        try world.require(
            try await state(of: idle) == .locked(.cloneSuspected), "the idle party is not locked")
        // The codes of both are refused, whatever the password.
        for party in [idle, busy] { try await expectNoLogin(party) }
        let run = try await contact(busy)
        guard try isDetection(run, of: busy) else { throw world.failure("the busy party gets: \(run.word)") }
        try world.require(
            try await state(of: busy) == .locked(.cloneSuspected), "the busy party is not locked")
        let audit = try await world.platform.audit(of: world.account)
        try world.require(
            audit.contains { $0.event == .deviceLocked && $0.reason == "cloneSuspected" }, "the audit log has no entry")
    }

    private func expectNoLogin(_ party: Party) async throws {
        world.time.advance(seconds: 60)
        let run = try await FlowRun.of(
            party.process.oneTimePassword(for: world.account.text, synchronizingWithin: nil))
        guard let code = run.code?.oneTimePassword else { return }
        let decision = try await world.platform.login(
            LoginRequest(account: world.account, credential: .oneTimePassword(code)))
        try world.require(decision.status == .refused, "a code of a cloned device was accepted")
    }

    /// Contacts the platform in one of two ways. Neither needs the password.
    @discardableResult
    private func contact(_ party: Party) async throws -> FlowRun {
        let run: FlowRun
        if world.chance.draw(0...2) == 0 {
            run = try await FlowRun.of(
                party.process.registerNotifications(for: world.account.text))
        } else {
            run = try await FlowRun.of(
                party.process.oneTimePassword(
                    for: world.account.text, protection: .possession, synchronizingWithin: .milliseconds(60_000)))
        }
        world.trace.add("\(party.name): \(run.word)")
        return run
    }

    private func device() async throws -> DeviceRecord {
        guard let device = try await world.devices().first else { throw world.failure("the device is gone") }
        return device
    }

    private func index(of party: Party) async throws -> UInt64 {
        guard let record = try await world.vault(on: party.store).record(world.account) else {
            throw world.failure("the record of the \(party.name) is gone")
        }
        return record.ratchetIndex
    }

    private func state(of party: Party) async throws -> UserRecord.State? {
        try await world.vault(on: party.store).record(world.account)?.state
    }
}
