import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration
@testable import TrustedIdentity

/// Changes and uses of the password with every kind of fault, by a user who knows the password that is valid.
///
/// After each operation, exactly one password gives the secret that the platform accepts: the one that the store of the
/// device was last written with. Wrong passwords are counted exactly, and no clone is suspected, unless the store of
/// the device is older than the platform.
final class PasswordWalk {
    /// A known mistake of an implementation, which the walks must find.
    enum Mistake: CaseIterable {
        /// The store of the device reports writes that it has not made.
        case lostWritesOfDevice
        /// The store of the platform reports writes that it has not made.
        case lostWritesOfPlatform
    }

    /// A backup of the platform, with the counts at that time.
    struct Backup {
        let store: SQLiteDatabase
        let failures: Int
        let throttle: ThrottleModel
    }

    let world: WalkWorld
    let device: PasswordDevice
    let user: ChangingUser
    var processes: [Orchestrator]
    /// The password that the latest inspection found to be valid.
    var present = WalkWorld.password
    /// The wrong passwords in a row that the platform has counted for the device.
    var failures = 0
    /// The wrong codes that the platform has counted for the account.
    var throttle = ThrottleModel()
    var backup: Backup
    /// An earlier content of the device's store.
    var copy: [StoreName: [UInt8]]
    /// The end of the time in which a restored platform refuses requests, because it may have answered them before.
    var refusesUntil = Timestamp(millisecondsSinceEpoch: 0)
    /// Whether the device was locked, as it must be.
    var isOver = false

    /// - Parameters:
    ///   - usesFiles: Whether the store of the device has files.
    ///   - mistake: A mistake that the walk must find.
    init(_ world: WalkWorld, usesFiles: Bool, mistake: Mistake? = nil) async throws {
        self.world = world
        device = try await PasswordDevice(
            of: world, usesFiles: usesFiles, losses: mistake == .lostWritesOfDevice ? 20 : 0)
        if mistake == .lostWritesOfPlatform { world.platformStore.loseWrites(20) }
        user = ChangingUser(chance: world.chance)
        processes = [try device.process(user), try device.process(user)]
        backup = Backup(store: world.platformStore.base.snapshot(), failures: 0, throttle: throttle)
        copy = try await device.content()
        if usesFiles { world.tally.count("files") }
    }

    /// Returns the number of operations of a walk: a third of the walks have one, and some have up to twenty.
    static func operations(_ chance: Chance) -> Int {
        switch chance.draw(0...99) {
        case 0..<34: 1
        case 34..<60: 2
        case 60..<78: 3
        case 78..<92: chance.draw(4...6)
        case 92..<98: chance.draw(7...10)
        default: chance.draw(11...20)
        }
    }

    /// Performs random operations with faults, and then, in a tenth of the walks, a change and a login without faults.
    func run(operations: Int) async throws {
        world.tally.count("operations.\(min(operations, 11))")
        world.chance.enableFaults()
        for _ in 0..<operations where !isOver {
            try await operate(isOnly: operations == 1)
            if !isOver { try await inspect() }
        }
        guard !isOver, world.chance.draw(0...9) == 0 else { return }
        world.chance.disableFaults()
        world.trace.add("no more faults")
        world.time.advance(seconds: 400)
        processes = [try device.process(user), try device.process(user)]
        try await change(on: processes[0], mustSucceed: true)
        if try await device.row().isRestored {
            // The synchronization uses up the code that was shown before it.
            try await logIn(synchronizes: true)
        }
        try await logIn(mustBeAccepted: true)
        try await inspect()
    }

    /// Performs one operation. The only one of a walk is one that can have an effect by itself.
    private func operate(isOnly: Bool) async throws {
        switch world.chance.draw(0...(isOnly ? 74 : 99)) {
        case 0..<34: try await change(on: world.chance.pick(processes))
        case 34..<42: try await interleave()
        case 42..<49: try await overtake()
        case 49..<59: try await logIn()
        case 59..<67: try await approve(on: world.chance.pick(processes))
        case 67..<74: try await mistype()
        case 74: try await lock()
        case 75..<79:
            world.trace.add("new process")
            processes[world.chance.draw(0...1)] = try device.process(user)
        case 79..<83:
            world.trace.add("platform restarts")
            try await world.startPlatform()
        case 83..<86: backUp()
        case 86..<89:
            world.trace.add("copy of the store")
            copy = try await device.content()
        case 89..<95: try await restorePlatform()
        default: try await restoreStore()
        }
    }

    /// Changes the password, perhaps with mistakes that cost nothing, or leaves the change at an event.
    ///
    /// - Parameter between: Runs at one of the questions.
    func change(
        on process: Orchestrator, mustSucceed: Bool = false, between: (@Sendable () async -> Void)? = nil
    ) async throws {
        let next = nextPassword()
        user.know(.init(present: present, next: next, between: between))
        let run = try await FlowRun.of(
            process.changePassword(of: world.account.text), leavingAfter: eventToLeaveAt(of: 2))
        world.trace.add("change: \(run.word)")
        world.tally.count("change.\(run.kind)")
        if run.warnings.contains(where: { $0 == Warning(.passwordNotConfirmed) }) { world.tally.count("unconfirmed") }
        try judge(run, isRaced: between != nil)
        guard mustSucceed else { return }
        guard case .succeeded = run.end else { throw world.failure("a change without faults fails: \(run.word)") }
        try await requirePromotion()
        try await inspect()
        try world.require(present == next, "the new password is not the valid one")
    }

    /// Requires that a flow ended as its faults explain.
    ///
    /// - Parameter isRaced: Whether another process may have changed the password meanwhile.
    func judge(_ run: FlowRun, isRaced: Bool) throws {
        switch run.end {
        case .succeeded, .left: break
        case .threw(let error as OrchestrationError):
            let isExpected = [.transport, .invalidAnswer].contains(error.code)
            try world.require(
                isExpected || isRaced && error.code == .passwordChanged, "a flow has thrown \(error)")
        case .threw(is CancellationError), .aborted(.canceled): break
        // A restored platform refuses what it may have answered before the loss.
        case .refused(4) where world.time.now() < refusesUntil: break
        case .threw, .aborted, .refused, .outdated, .endedEarly: throw world.failure("a flow ends: \(run.word)")
        }
        try world.require(run.rejections.allSatisfy { !$0.isWrongPassword }, "a right password is refused")
    }

    /// Returns another password than the current one.
    func nextPassword() -> String { PasswordDevice.password(other: present, world.chance) }

    /// Returns the event at which the app leaves a flow; `nil` in most cases.
    func eventToLeaveAt(of count: Int) -> Int? {
        world.chance.happens(10) ? world.chance.draw(1...count) : nil
    }
}

extension FlowRun {
    /// The end in a word without values, for the tally.
    var kind: String { String(word.prefix { $0 != "(" && $0 != ":" }) }
}

extension InputRejection {
    var isWrongPassword: Bool { if case .wrongPassword = self { true } else { false } }
}
