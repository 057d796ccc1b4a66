import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration
@testable import TrustedIdentity

/// Enrollments, removals and uses of a method, and changes of the password, with every kind of fault.
///
/// After each operation, the password works. No code of a method is accepted that was never enrolled, was removed, or
/// was enrolled again since. An answer by the method is accepted only with the keys that both sides have.
final class MethodWalk {
    let world: WalkWorld
    let device: PasswordDevice
    let user: ChangingUser
    let finger = WalkFinger()
    var processes: [Orchestrator] = []
    var present = WalkWorld.password
    var backup: SQLiteDatabase
    var refusesUntil = Timestamp(millisecondsSinceEpoch: 0)
    /// The secrets that the platform has given to the method, and one that it never gave.
    var secrets = [SymmetricKey(data: [UInt8](repeating: 7, count: 32))]

    init(_ world: WalkWorld) async throws {
        self.world = world
        device = try await PasswordDevice(of: world, usesFiles: false, losses: 0)
        user = ChangingUser(chance: world.chance)
        backup = world.platformStore.base.snapshot()
        processes = [try process(), try process()]
    }

    /// Returns a policy that asks for a biometric check, accepts the password in its place, and names software
    /// providers.
    static func policy() throws -> Policy {
        guard let requirement = PolicyRequirement(.biometric, fallbacks: [.password]),
            let rule = PolicyRule("biometric", then: .challenge(requirement)), let rules = PolicyRules([rule]),
            let policy = Policy(name: "methods", logins: rules, transactions: rules, softwareProviders: true)
        else { throw FlowContractError("a policy that is not valid") }
        return policy
    }

    func run(operations: Int) async throws {
        world.chance.enableFaults()
        for _ in 0..<operations {
            try await operate()
            try await inspect()
        }
        world.chance.disableFaults()
        world.trace.add("no more faults")
        world.time.advance(seconds: 400)
        processes = [try process(), try process()]
        // A method that was lost on one side can be enrolled again.
        try await enroll(mustSucceed: true)
        try await approve(mustBeBy: .biometric)
        try await inspect()
        try await remove(mustBeConfirmed: true)
        try await approve(mustBeBy: .password)
        try await inspect()
    }

    private func process() throws -> Orchestrator { try device.process(user, methods: [finger]) }

    private func operate() async throws {
        switch world.chance.draw(0...99) {
        case 0..<25: try await enroll()
        case 25..<37: try await remove()
        case 37..<57: try await approve()
        case 57..<72: try await logIn()
        case 72..<80: try await change()
        case 80..<85: processes[world.chance.draw(0...1)] = try process()
        case 85..<89: try await world.startPlatform()
        case 89..<94: backup = world.platformStore.base.snapshot()
        default: try await restore()
        }
    }

    private func enroll(mustSucceed: Bool = false) async throws {
        scriptCheck()
        user.know(.init(present: present))
        let run = try await FlowRun.of(
            world.chance.pick(processes).enroll(.biometric, for: world.account.text),
            leavingAfter: world.chance.happens(10) ? 1 : nil)
        try judge(run, "enroll")
        guard case .succeeded = run.end else {
            return try world.require(!mustSucceed, "an enrollment without faults ends: \(run.word)")
        }
        let keys = try await keys()
        try world.require(
            keys.device != nil && (!mustSucceed || keys.device == keys.platform), "an enrollment that is not stored")
    }

    private func remove(mustBeConfirmed: Bool = false) async throws {
        let before = try await keys()
        let run = try await FlowRun.of(
            world.chance.pick(processes).remove(.biometric, of: world.account.text))
        try judge(run, "remove")
        guard case .succeeded = run.end else { return }
        let keys = try await keys()
        let isConfirmed = !run.warnings.contains { $0.code == .methodRemovalNotConfirmed }
        try world.require(keys.device == nil, "the device has a method that was removed")
        // A registration that the network held back may stay: the device has deleted its keys.
        try world.require(
            !isConfirmed || keys.platform == nil || keys.platform != before.device, "the platform has a removed key")
        try world.require(isConfirmed || !mustBeConfirmed, "a removal without faults is not confirmed")
    }

    private func approve(mustBeBy method: AuthenticationMethod? = nil) async throws {
        let parameters = ApprovalParameters(.login, of: world.account)
        let report = try await persistently { try await world.platform.requestApproval(parameters) }
        // Requests whose flows did not end wait until they expire.
        if report.declineReason == .tooManyPending, method == nil { return world.trace.add("too many wait") }
        guard let pointer = report.pointer else { throw world.failure("an approval is \(report.status)") }
        scriptCheck()
        user.know(.init(present: present))
        let before = try await keys()
        let run = try await FlowRun.of(
            world.chance.pick(processes).execute(pointer), deciding: { try $0.recordApproval() })
        try judge(run, "approve")
        guard case .succeeded(.approvalAnswered(let answered)) = run.end else {
            return try world.require(method == nil, "an approval without faults ends: \(run.word)")
        }
        let fallback = answered.statement.fallback
        guard let verified = answered.statement.verifiedMethod else { throw world.failure("an answer by no method") }
        world.tally.count("approved.\(verified)")
        switch verified {
        case .biometric:
            try world.require(
                before.device != nil && before.device == before.platform, "an answer by a method without its keys")
        case .password: try world.require(fallback != nil, "a password without a reason instead of the method")
        default: throw world.failure("an answer by \(verified)")
        }
        try world.require(method == nil || method == verified, "an answer by \(verified)")
    }

    /// Makes a code by the method, or by the password in its place, and types it.
    private func logIn() async throws {
        world.time.advance(seconds: Int64(world.chance.draw(65...95)))
        scriptCheck()
        user.know(.init(present: present))
        let (began, before) = (world.time.now(), try await device.row())
        let run = try await FlowRun.of(
            world.chance.pick(processes).oneTimePassword(
                for: world.account.text, protection: .biometric, synchronizingWithin: nil))
        try judge(run, "code")
        let error = world.deviceTime.milliseconds + (try await device.stolen().record.clockOffset)
        guard let code = run.code, !before.isRestored, world.time.now() == began, abs(error) < 28_000 else { return }
        let keys = try await keys()
        try await onCopy { copy in
            let decision = try await copy.login(
                LoginRequest(account: world.account, credential: .oneTimePassword(code.oneTimePassword)))
            world.tally.count("code.\(code.method).\(decision.reason)")
            let isKnown = code.method == .password || keys.device == keys.platform
            try world.require(
                decision.reason == (isKnown ? .accepted : .wrongCredential),
                "a code by \(code.method) is \(decision.reason), known \(isKnown)")
            try world.require(!isKnown || decision.method == code.method, "a code by another method")
        }
    }

    private func change() async throws {
        user.know(.init(present: present, next: PasswordDevice.password(other: present, world.chance)))
        try judge(
            try await FlowRun.of(world.chance.pick(processes).changePassword(of: world.account.text)),
            "change")
    }

    private func restore() async throws {
        let name = world.account.text
        let earlier = try await backup.read { try $0.devices(of: name) }.first?.generation
        // A device that has changed its password since the backup is registered again.
        guard try await device.stolen().record.generation == earlier else { return }
        world.trace.add("restore")
        world.tally.count("restore")
        world.platformStore.replace(by: backup.snapshot())
        try await world.startPlatform(isRestored: true)
        try await world.chance.withoutFaults { try await world.platform.markRestored(revocations: .nothingRevoked) }
        refusesUntil = world.time.now().advanced(seconds: 310)
        if world.chance.draw(0...1) == 0 { world.time.advance(seconds: 320) }
        backup = world.platformStore.base.snapshot()
    }

    /// Lets the next check fail in some cases.
    private func scriptCheck() {
        let errors: [UserAuthenticationError] = [.failed, .livenessFailed, .unavailable, .aborted, .invalidated]
        finger.willRefuse(world.chance.happens(30) ? world.chance.pick(errors) : nil)
    }

    private func judge(_ run: FlowRun, _ what: String) throws {
        world.trace.add("\(what): \(run.word)")
        world.tally.count("\(what).\(run.kind)")
        switch run.end {
        case .succeeded, .left, .threw(is CancellationError), .aborted(.canceled), .aborted(.methodFailed): break
        case .threw(let error as OrchestrationError):
            try world.require([.transport, .invalidAnswer].contains(error.code), "a flow has thrown \(error)")
        // A restored platform refuses what it may have answered before the loss.
        case .refused(4) where world.time.now() < refusesUntil: break
        // A request that was held back was made before the device corrected its clock, and has a later time.
        case .refused(13) where ["enroll", "remove"].contains(what): break
        case .threw, .aborted, .refused, .outdated, .endedEarly: throw world.failure("\(what) ends: \(run.word)")
        }
        try world.require(run.rejections.allSatisfy { !$0.isWrongPassword }, "a right password is refused")
    }

    private func persistently<R>(_ call: () async throws -> R) async throws -> R {
        for _ in 0..<20 {
            do {
                return try await call()
            } catch let error as PlatformError where error.code == .storeFailed {
                world.trace.add("the call is repeated")
            }
        }
        throw world.failure("the platform never decides")
    }
}
