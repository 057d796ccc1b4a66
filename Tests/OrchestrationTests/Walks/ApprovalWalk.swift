import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration

/// Approval requests to a user with two devices, with every kind of fault.
///
/// No request is answered twice, nothing that has ended changes, and no device is counted wrongly or locked.
final class ApprovalWalk {
    /// One of the user's devices.
    struct Device {
        let name: String
        let store: FragileStore<MemoryStore>
        let keys: CachingDeviceKeys
        let id: [UInt8]
        var process: Orchestrator
        /// The wrong passwords in a row that the platform has counted.
        var failures = 0
    }

    let world: WalkWorld
    /// Whether the platform is restored from backups, and flows are left.
    let isInterrupted: Bool
    var devices: [Device] = []
    var requests: [AskedApproval] = []
    /// The number of requests that were asked for, for their request ids.
    var asked = 0
    private var backup: SQLiteDatabase?
    /// The end of the time in which a restored platform refuses requests, because it may have answered them before.
    var refusesUntil = Timestamp(millisecondsSinceEpoch: 0)

    /// Activates the second device, without faults. The first one is active.
    ///
    /// - Parameter isInterrupted: Whether the platform is restored from backups, and flows are left. Without, wrong
    ///   passwords are counted exactly.
    init(_ world: WalkWorld, isInterrupted: Bool) async throws {
        self.world = world
        self.isInterrupted = isInterrupted
        let (store, keys) = (world.clientStore, world.deviceKeys)
        devices.append(try await device("phone", store: store, keys: keys))
        let other = FragileStore(
            base: MemoryStore(), chance: world.chance, trace: world.trace, percentage: store.percentage)
        let otherKeys = CachingDeviceKeys(seed: ~world.seed)
        try await world.chance.withoutFaults {
            let code = try await world.platform.register(Registration(account: world.account)).activationPassword
            let run = try await FlowRun.of(
                world.process(store: other, keys: otherKeys).activate(world.account.text, with: code))
            guard case .succeeded = run.end else {
                throw world.failure("the second device is not activated: \(run.word)")
            }
        }
        devices.append(try await device("tablet", store: other, keys: otherKeys))
    }

    private func device(
        _ name: String, store: FragileStore<MemoryStore>, keys: CachingDeviceKeys
    ) async throws -> Device {
        guard let record = try await world.vault(on: store.base, keys: keys).record(world.account),
            record.state == .active
        else { throw world.failure("the \(name) is not active") }
        return Device(
            name: name, store: store, keys: keys, id: record.deviceID,
            process: try world.process(store: store, keys: keys))
    }

    /// Asks for a number of approvals, with faults, and then checks the devices without faults.
    ///
    /// - Parameter weakness: The mistakes of the user.
    func run(requests count: Int, weakness: WalkUser.Weakness) async throws {
        world.user.change(weakness)
        world.chance.enableFaults()
        while requests.count < count {
            try await operate()
            try await inspect()
            guard devices.allSatisfy({ $0.failures < PINPolicy.default.tries }) else {
                return world.tally.count("end.locked")
            }
        }
        world.chance.disableFaults()
        world.user.change(WalkUser.Weakness(choosesBadly: 0, confirmsWrongly: 0, mistypes: 0, givesUp: 0, leaves: 0))
        world.trace.add("no more faults")
        try await settle()
        world.tally.count("end.settled")
    }

    private func operate() async throws {
        await pass(seconds: world.chance.draw(0...9) == 0 ? world.chance.draw(100...700) : world.chance.draw(0...8))
        switch world.chance.draw(0...99) {
        case 0..<40: try await ask()
        case 40..<74: try await answer(world.chance.draw(0...1))
        case 74..<82: try await race()
        case 82..<85: try await cancel()
        case 85..<90: try restartProcess()
        case 90..<93: try await restartPlatform()
        case 93..<96: backUp()
        case 96..<98: try await restore()
        default: await pass(seconds: world.chance.pick([3_700, 90_000]))
        }
    }

    /// Checks the end of a walk: each device answers a new request, and sees no other one.
    private func settle() async throws {
        // After a day, no rejection counts.
        await pass(seconds: 90_000)
        for place in devices.indices {
            devices[place].process = try world.process(store: devices[place].store, keys: devices[place].keys)
            let before = requests.count
            try await ask(kind: .login, source: nil)
            try world.require(requests.count == before + 1, "a login is refused after a day")
            let listed = try await devices[place].process.user(world.account.text).pendingApprovals().map(\.id)
            try world.require(listed == [requests[before].id], "\(listed.count) requests wait")
            try await answer(place, request: before, decision: .approve)
            try await inspect()
            try world.require(requests[before].end == .approved, "an approval without faults fails")
        }
    }

    // MARK: Troubles

    func pass(seconds: Int) async {
        if seconds > 60 { world.trace.add("\(seconds) s pass") }
        world.time.advance(seconds: Int64(seconds))
        // A run of the maintenance ends what is late. Without one, the platform decides in the same way.
        if seconds.isMultiple(of: 2) { _ = try? await Maintenance(world.platform).runOnce() }
    }

    private func restartProcess() throws {
        let place = world.chance.draw(0...1)
        world.trace.add("new process of the \(devices[place].name)")
        devices[place].process = try world.process(store: devices[place].store, keys: devices[place].keys)
    }

    private func restartPlatform() async throws {
        world.trace.add("platform restarts")
        try await world.startPlatform()
    }

    private func backUp() {
        world.trace.add("backup")
        backup = world.platformStore.base.snapshot()
    }

    private func restore() async throws {
        guard isInterrupted, let backup else { return }
        world.trace.add("restore")
        world.tally.count("restore")
        world.platformStore.replace(by: backup.snapshot())
        try await world.startPlatform(isRestored: true)
        try await world.chance.withoutFaults { try await world.platform.markRestored(revocations: .nothingRevoked) }
        refusesUntil = world.time.now().advanced(seconds: 310)
        for place in requests.indices { requests[place].isBeforeRestore = true }
        // A request of the moment of a restore may be one from before it.
        await pass(seconds: 1)
    }
}
