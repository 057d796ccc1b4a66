import Crypto
import OrchestrationTesting
import Primitives
import SecureChannel
import Synchronization
import TrustedIdentity

@testable import Orchestration
@testable import TrustedIdentity

/// Changes of the password with every kind of fault, by a user who knows the password that is valid.
///
/// After each operation, exactly one password gives the secret that the platform accepts: the one that the store of the
/// device was last written with. No failure is counted, and no clone is suspected.
final class PasswordWalk {
    /// The passwords that the user changes between.
    static let passwords = [WalkWorld.password, "739164", "861407"]

    private let world: WalkWorld
    private var processes: [Orchestrator]
    private let user: ChangingUser
    /// The password that the latest inspection found to be valid.
    private var present = WalkWorld.password
    /// A backup of the platform.
    private var backup: MemoryPlatformStore?
    private var refusesUntil = Timestamp(millisecondsSinceEpoch: 0)

    init(_ world: WalkWorld) throws {
        self.world = world
        user = ChangingUser(chance: world.chance)
        processes = []
        processes = [try process(), try process()]
    }

    private func process() throws -> Orchestrator {
        try world.process(providers: [user])
    }

    /// Performs random operations with faults, and then a change without faults.
    func run(operations: Int) async throws {
        world.chance.enableFaults()
        for _ in 0..<operations {
            try await operate()
            try await inspect()
        }
        guard world.chance.draw(0...9) == 0 else { return }
        world.chance.disableFaults()
        world.trace.add("no more faults")
        world.time.advance(seconds: 400)
        processes = [try process(), try process()]
        try await change(on: processes[0], mustSucceed: true)
        try await logIn()
    }

    private func operate() async throws {
        switch world.chance.draw(0...99) {
        case 0..<60: try await change(on: world.chance.pick(processes))
        case 60..<72: try await interleave()
        case 72..<80:
            world.trace.add("new process")
            processes[world.chance.draw(0...1)] = try process()
        case 80..<86:
            world.trace.add("platform restarts")
            try await world.startPlatform()
        case 86..<92:
            world.trace.add("backup")
            backup = world.platformStore.base.snapshot()
        default: try await restore()
        }
    }

    /// Changes the password, perhaps with mistakes, or leaves the change at an event.
    private func change(
        on process: Orchestrator, mustSucceed: Bool = false, between: (@Sendable () async -> Void)? = nil
    ) async throws {
        let next = world.chance.pick(Self.passwords.filter { $0 != present })
        user.know(present: present, next: next, between: between)
        let leavingAfter = world.chance.happens(10) ? world.chance.draw(1...2) : nil
        let run = try await FlowRun.of(
            process.changePassword(.init(user: world.account.text)), leavingAfter: leavingAfter)
        world.trace.add("change: \(run.word)")
        world.tally.count("change.\(run.word.prefix { $0 != "(" && $0 != ":" })")
        if run.warnings.contains(where: { $0 == Warning(.passwordNotConfirmed) }) { world.tally.count("unconfirmed") }
        switch run.end {
        case .succeeded, .left: break
        case .threw(let error as OrchestrationError):
            try world.require(
                [.transport, .invalidAnswer, .passwordChanged].contains(error.code), "a change has thrown \(error)")
        case .threw(is CancellationError), .aborted(.user): break
        // A restored platform refuses what it may have answered before the loss.
        case .aborted(.refused(code: 4)) where world.time.now() < refusesUntil: break
        case .threw, .aborted, .outdated, .endedEarly: throw world.failure("a change ends: \(run.word)")
        }
        guard mustSucceed else { return }
        guard case .succeeded = run.end else { throw world.failure("a change without faults fails: \(run.word)") }
        let generation = try await device().generation
        try world.require(generation == (try await record().generation), "the last proof did not promote")
        try await inspect()
        try world.require(present == next, "the new password is not the valid one")
    }

    /// Changes the password in one process while the user of the other one answers a question.
    private func interleave() async throws {
        world.tally.count("interleaved")
        let (present, other) = (present, processes[1])
        let bystander = ChangingUser(chance: world.chance)
        bystander.know(
            present: present, next: world.chance.pick(Self.passwords.filter { $0 != present }), between: nil)
        let second = try world.process(providers: [bystander])
        let (name, trace) = (world.account.text, world.trace)
        try await change(on: processes[0]) {
            // In a task of its own, because a flow of this one may be canceled meanwhile.
            await Task {
                let run = try? await FlowRun.of(second.changePassword(.init(user: name)))
                trace.add("meanwhile: \(run?.word ?? "broken")")
            }.value
        }
        processes[1] = other
    }

    /// Restores the platform from its backup, which has an earlier generation than the device in many cases.
    private func restore() async throws {
        guard let backup else { return }
        let name = world.account.text
        let earlier = try await backup.read { try $0.devices(of: name) }.first?.generation ?? 0
        // A restored platform rolls forward by a limited number of generations.
        guard try await record().generation - earlier <= PasswordGenerations.longestAdvance else { return }
        world.trace.add("restore")
        world.tally.count("restore")
        world.platformStore.replace(by: backup.snapshot())
        try await world.startPlatform(isRestored: true)
        try await world.chance.withoutFaults { try await world.platform.markRestored(revocations: .nothingRevoked) }
        refusesUntil = world.time.now().advanced(seconds: 310)
        if world.chance.draw(0...1) == 0 { world.time.advance(seconds: 320) }
        // A backup after a restore is one of the restored platform.
        self.backup = world.platformStore.base.snapshot()
    }

    private func logIn() async throws {
        if try await device().isRestored {
            // The synchronization uses up the code that was shown before it.
            _ = try await makeCode()
            world.time.advance(seconds: 61)
        }
        let device = try await device()
        let code = try await makeCode()
        let decision = try await world.platform.login(
            LoginRequest(account: world.account, credential: .oneTimePassword(code)))
        world.tally.count("login.\(decision.status)")
        try world.require(
            decision.status == .accepted, "a code is refused: \(decision.reason), restored \(device.isRestored)")
    }

    private func makeCode() async throws -> String {
        user.know(present: present, next: "", between: nil)
        let run = try await FlowRun.of(
            processes[0].authenticateLocally(.init(user: world.account.text, synchronization: .atMost(.seconds(60)))))
        guard let code = run.code?.oneTimePassword else { throw world.failure("no code: \(run.word)") }
        return code
    }

    // MARK: Invariants

    private func inspect() async throws {
        if let violation = world.network.violation { throw world.failure(violation) }
        let (device, stolen) = (try await device(), try await stolen())
        let record = stolen.record
        try world.require(device.state == .pendingNotification, "the device is \(device.state)")
        try world.require(record.state == .active, "the user is \(record.state)")
        try world.require(device.passwordFailures == 0, "a wrong password was counted")
        let throttles = try await world.throttles()
        try world.require(throttles.allSatisfy { $0.total == 0 }, "a wrong code was counted")
        try world.require(
            device.generation <= record.generation, "the platform is at a generation that the device does not have")
        try world.require(
            device.isRestored || record.generation <= device.offeredGeneration,
            "the device is at a generation that was not offered")
        world.tally.count(device.generation == record.generation ? "same generation" : "open change")
        present = try await valid(at: device, on: stolen)
    }

    /// Returns the password that gives the secret which the platform derives for the generation of the device.
    private func valid(at device: DeviceRecord, on stolen: StolenDevice) async throws -> String {
        guard let keys = try DeviceKeys(of: device, sealer: world.platform.sealer) else {
            throw world.failure("the device has no keys")
        }
        let expected = try keys.password(
            ofGeneration: stolen.record.generation, device: stolen.record.address,
            changeKey: world.platform.changeKey)
        var valid: [String] = []
        for password in Self.passwords where try await stolen.guess(password).candidate == expected.bytes {
            valid.append(password)
        }
        guard valid.count == 1, let password = valid.first else {
            throw world.failure("\(valid.count) of the passwords are valid")
        }
        return password
    }

    private func device() async throws -> DeviceRecord {
        guard let device = try await world.devices().first else { throw world.failure("there is no device") }
        return device
    }

    private func stolen() async throws -> StolenDevice {
        try await StolenDevice(of: world.account, from: world.vault(on: world.clientStore.base))
    }

    private func record() async throws -> UserRecord { try await stolen().record }
}

/// A user who changes from one password to another, sometimes with mistakes that cost nothing.
private final class ChangingUser: UserAuthenticationProvider {
    private struct Knowledge {
        var present = ""
        var next = ""
        /// Runs once, at one of the questions.
        var between: (@Sendable () async -> Void)?
    }

    let method = AuthenticationMethod.password
    private let chance: Chance
    private let knowledge = Mutex(Knowledge())

    init(chance: Chance) { self.chance = chance }

    func know(present: String, next: String, between: (@Sendable () async -> Void)?) {
        knowledge.withLock { $0 = Knowledge(present: present, next: next, between: between) }
    }

    func availability() async -> Availability { .available }

    func authenticate(_ prompt: Prompt) async throws -> UserInput {
        if chance.happens(3) { throw UserAuthenticationError.aborted }
        if chance.happens(3) { throw CancellationError() }
        let (present, next, between) = knowledge.withLock { state in
            let isNow = prompt.purpose == .confirmUpdate || chance.draw(0...1) == 0
            defer { if isNow { state.between = nil } }
            return (state.present, state.next, isNow ? state.between : nil)
        }
        await between?()
        let text =
            switch prompt.purpose {
            case .update: chance.happens(4) ? chance.pick([present, "111111"]) : next
            case .confirmUpdate: chance.happens(4) ? "739152" : next
            case .enroll, .confirm, .authenticate: present
            }
        return UserInput(SecretBytes(copying: text.utf8))
    }
}
