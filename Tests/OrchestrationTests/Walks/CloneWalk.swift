import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration

/// A store that was copied with its device key, and used in two places.
///
/// Whichever of the two is left behind by more than a move and five minutes rings the alarm when it speaks; from then
/// on neither is served.
struct CloneWalk {
    /// One of the two, with a store of its own.
    private struct Party {
        let name: String
        let store: MemoryStore
        let process: Orchestrator
    }

    let world: WalkWorld

    init(_ world: WalkWorld) { self.world = world }

    func run() async throws {
        // The honest life before the theft: the ratchet is somewhere.
        for _ in 0..<world.fate.draw(0...3) {
            world.time.advance(seconds: Int64(world.fate.draw(60...700)))
            try await speak(Party(name: "original", store: world.clientStore.base, process: world.process()))
        }
        let stolen = world.clientStore.base.copy()
        let original = Party(name: "original", store: world.clientStore.base, process: try world.process())
        let copy = Party(name: "copy", store: stolen, process: try world.process(store: stolen))
        let isOriginalIdle = world.fate.draw(0...1) == 0
        let (busy, idle) = isOriginalIdle ? (copy, original) : (original, copy)
        world.tally.count("idle.\(idle.name)")
        try await leaveBehind(idle, busy: busy)
        try await ring(idle)
        try await expectLocked(idle, busy)
    }

    /// The busy one goes on until the idle one's index is no longer accepted.
    private func leaveBehind(_ idle: Party, busy: Party) async throws {
        for _ in 0..<40 {
            world.time.advance(seconds: Int64(world.fate.draw(60...400)))
            try await speak(busy)
            let (device, index) = (try await device(), try await index(of: idle))
            guard device.state != .locked else { throw world.failure("an alarm for the one who goes on") }
            if device.ratchetIndex > index {
                world.time.advance(seconds: Int64(world.fate.draw(301...2_000)))
                return
            }
        }
        throw world.failure("the ratchet does not move")
    }

    /// The idle one speaks, as often as it takes on a bad network.
    private func ring(_ idle: Party) async throws {
        for _ in 0..<10 {
            let run = try await speak(idle)
            switch run.end {
            case .aborted(.cloneSuspected): return
            // It rang, and the process died before it could say so.
            case .threw(let error as OrchestrationError) where error.code == .userLocked: return
            case .aborted(.user), .left, .threw, .succeeded: continue
            default: throw world.failure("the one left behind gets: \(run.word)")
            }
        }
        throw world.failure("no alarm rings")
    }

    private func expectLocked(_ idle: Party, _ busy: Party) async throws {
        let device = try await device()
        try world.require(
            device.state == .locked && device.lockReason == .cloneSuspected, "the platform has not locked the device")
        world.fate.calm()
        try world.require(
            try await state(of: idle) == .locked(.cloneSuspected), "the one left behind is not locked")
        // Codes of neither are taken, whatever the password.
        for party in [idle, busy] { try await expectNoLogin(party) }
        let run = try await speak(busy)
        guard case .aborted(.cloneSuspected) = run.end else {
            throw world.failure("the one who went on gets: \(run.word)")
        }
        try world.require(
            try await state(of: busy) == .locked(.cloneSuspected), "the one who went on is not locked")
        let audit = try await world.platform.audit(of: world.account)
        try world.require(
            audit.contains { $0.event == .deviceLocked && $0.reason == "cloneSuspected" }, "the audit log says nothing")
    }

    private func expectNoLogin(_ party: Party) async throws {
        world.time.advance(seconds: 60)
        let run = try await FlowRun.of(
            party.process.authenticateLocally(
                OneTimePasswordParameters(user: world.account.text, synchronization: .never)))
        guard let code = run.code?.oneTimePassword else { return }
        let decision = try await world.platform.login(
            LoginRequest(account: world.account, credential: .oneTimePassword(code)))
        try world.require(decision.status == .refused, "a code of a cloned device was accepted")
    }

    /// One contact with the platform, of one kind or the other. The thief needs no password for it.
    @discardableResult
    private func speak(_ party: Party) async throws -> FlowRun {
        let run: FlowRun
        if world.fate.draw(0...2) == 0 {
            run = try await FlowRun.of(
                party.process.registerNotifications(NotificationRegistrationParameters(user: world.account.text)))
        } else {
            run = try await FlowRun.of(
                party.process.authenticateLocally(
                    OneTimePasswordParameters(
                        user: world.account.text, protection: .possession,
                        synchronization: .atMost(.milliseconds(60_000)))))
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
