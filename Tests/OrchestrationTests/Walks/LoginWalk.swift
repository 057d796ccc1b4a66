import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration

/// The life of an activated device through every kind of trouble, with a user who always types the right password.
///
/// Nobody is bricked, nothing is counted, no alarm rings, and every fresh code is accepted.
final class LoginWalk {
    let world: WalkWorld
    /// Two processes of the device on one store.
    var processes: [Orchestrator]
    private let deviceID: [UInt8]

    /// Codes that were accepted, with their applications.
    var accepted: [(code: String, application: CryptoApplicationIndex)] = []
    /// The lowest step or counter that is not used up by a code that was accepted, for each application.
    var next: [CryptoApplicationIndex: Int64] = [:]
    /// The same as a restored platform may have been told it by the device: what was shown is used up then.
    var told: [CryptoApplicationIndex: Int64] = [:]
    /// Counter values of app2 that were shown since one was accepted.
    var skipped = 0
    /// A backup of the platform.
    var backup: MemoryPlatformStore?
    /// Until when a restored platform refuses every request, because it may have answered it before.
    var refusesUntil = Timestamp(millisecondsSinceEpoch: 0)

    init(_ world: WalkWorld) async throws {
        self.world = world
        processes = [try world.process(), try world.process()]
        guard let record = try await world.record(), record.state == .active else {
            throw world.failure("there is no activated device")
        }
        deviceID = record.deviceID
    }

    /// Does so many things, and then comes to rest.
    ///
    /// - Parameter isShort: whether one login is enough for the rest.
    func run(operations: Int, isShort: Bool = false) async throws {
        world.user.change(WalkUser.Weakness(choosesBadly: 0, confirmsWrongly: 0, mistypes: 0, givesUp: 2, leaves: 2))
        world.fate.storm()
        for _ in 0..<operations {
            try await operate()
            try await inspect()
        }
        world.fate.calm()
        world.trace.add("calm")
        try await settle(isShort: isShort)
    }

    private func operate() async throws {
        switch world.fate.draw(0...99) {
        case 0..<34: try await logIn()
        case 34..<46: try await logInByCounter()
        case 46..<54: try await skipCodes()
        case 54..<60: try await registerNotifications()
        case 60..<68: pass(seconds: world.fate.draw(1...600))
        case 68..<76: try restartProcess()
        case 76..<80: try await restartPlatform()
        case 80..<84: backUp()
        case 84..<88: try await restore()
        case 88..<94: try await interleave()
        default: try await overtake()
        }
    }

    // MARK: What must hold

    /// What must hold at any moment.
    func inspect() async throws {
        if let complaint = world.network.complaint { throw world.failure(complaint) }
        let throttles = try await world.throttles()
        try world.require(
            throttles.allSatisfy {
                $0.consecutive == 0 && $0.total == 0 && $0.unreported == 0 && $0.blockedUntil == nil
            },
            "a failure was counted: \(throttles.map { ($0.consecutive, $0.total) })")
        let device = try await device()
        try world.require(
            device.state == .pendingNotification || device.state == .active,
            "the platform has locked the device: \(String(describing: device.lockReason))")
        try world.require(device.passwordFailures == 0, "a wrong password was counted")
        let record = try await world.record()
        try world.require(
            record?.state == .active, "the device is no longer active: \(String(describing: record?.state))")
        guard let record else { return }
        try world.require(record.deviceID == deviceID, "the device is another one")
        try world.require(
            device.isRestored || record.ratchetIndex <= device.offeredIndex,
            "the device is ahead of every offer")
    }

    func device() async throws -> DeviceRecord {
        let devices = try await world.devices()
        guard devices.count == 1, let device = devices.first, device.id == deviceID else {
            throw world.failure("the platform has \(devices.count) devices")
        }
        return device
    }

    /// In the end everything works: the platform is synchronized, both applications log in, an accepted code never
    /// does again.
    private func settle(isShort: Bool) async throws {
        processes = [try world.process(), try world.process()]
        pass(seconds: 400)
        if try await device().isRestored {
            try await logIn(synchronizes: true)
            try world.require(try await !device().isRestored, "a restored platform was not synchronized")
            pass(seconds: 61)
        }
        let before = accepted.count
        try await logIn(typesTwice: !isShort)
        try world.require(accepted.count == before + 1, "a fresh code is not accepted")
        guard !isShort else { return try await inspect() }
        try await logInByCounter()
        try world.require(accepted.count == before + 2, "a fresh code of the counter is not accepted")
        try await inspect()
        let copy = try await world.makePlatform(on: world.platformStore.base.snapshot())
        for (code, application) in accepted.suffix(3) {
            let decision = try await copy.login(
                LoginRequest(
                    account: world.account, credential: .oneTimePassword(code, application: application)))
            try world.require(decision.status == .refused, "an accepted code was accepted again")
        }
    }

    func pass(seconds: Int) {
        world.trace.add("\(seconds) s pass")
        world.time.advance(seconds: Int64(seconds))
    }

    func anyProcess() -> Orchestrator { world.fate.pick(processes) }
}
