import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration

/// The use of an activated device with every kind of fault, by a user who always types the right password.
///
/// The device stays usable, no failure is counted, no clone is suspected, and every fresh code is accepted.
final class LoginWalk {
    let world: WalkWorld
    /// Two processes of the device on one store.
    var processes: [Orchestrator]
    private let deviceID: [UInt8]
    /// The wrong passwords that the platform counted during the activation.
    private let earlierFailures: Int

    /// Codes and signatures that were accepted.
    var accepted: [Shown] = []
    /// The lowest step or counter that is not used up by a code that was accepted, for each application.
    var next: [CryptoApplicationIndex: Int64] = [:]
    /// The same for a restored platform, to which the device reports its counters: codes that were shown are used up.
    var reported: [CryptoApplicationIndex: Int64] = [:]
    /// Counter values that were shown since one was accepted, for each application with a counter.
    var skipped: [CryptoApplicationIndex: Int] = [:]
    /// A backup of the platform.
    var backup: SQLiteDatabase?
    /// The end of the time in which a restored platform refuses requests, because it may have answered them before.
    var refusesUntil = Timestamp(millisecondsSinceEpoch: 0)

    init(_ world: WalkWorld) async throws {
        self.world = world
        processes = [try world.process(), try world.process()]
        guard let record = try await world.record(), record.state == .active else {
            throw world.failure("there is no activated device")
        }
        deviceID = record.deviceID
        // A wrong password of the activation is also counted when its request arrives late.
        await world.network.deliverLate()
        earlierFailures = try await world.devices().first { $0.id == record.deviceID }?.passwordFailures ?? 0
    }

    /// Performs random operations with faults, and then checks the device without faults.
    ///
    /// - Parameter isShort: Whether the final check is one login only.
    func run(operations: Int, isShort: Bool = false) async throws {
        world.user.change(WalkUser.Weakness(choosesBadly: 0, confirmsWrongly: 0, mistypes: 0, givesUp: 2, leaves: 2))
        world.chance.enableFaults()
        for _ in 0..<operations {
            try await operate()
            try await inspect()
        }
        world.chance.disableFaults()
        world.trace.add("no more faults")
        try await settle(isShort: isShort)
    }

    private func operate() async throws {
        switch world.chance.draw(0...99) {
        case 0..<28: try await logIn()
        case 28..<38: try await logInByCounter()
        case 38..<44: try await skipCodes()
        case 44..<52: try await sign()
        case 52..<58: try await logInByChallenge()
        case 58..<64: try await registerNotifications()
        case 64..<70: pass(seconds: world.chance.draw(1...600))
        case 70..<76: try restartProcess()
        case 76..<80: try await restartPlatform()
        case 80..<84: backUp()
        case 84..<88: try await restore()
        case 88..<94: try await interleave()
        default: try await overtake()
        }
    }

    // MARK: Invariants

    /// Checks what must hold after each operation.
    func inspect() async throws {
        if let violation = world.network.violation { throw world.failure(violation) }
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
        try world.require(device.passwordFailures <= earlierFailures, "a wrong password was counted")
        let record = try await world.record()
        try world.require(
            record?.state == .active, "the device is no longer active: \(String(describing: record?.state))")
        guard let record else { return }
        try world.require(record.deviceID == deviceID, "the device is another one")
        try world.require(
            device.isRestored || record.ratchetIndex <= device.offeredIndex,
            "the ratchet index of the device is higher than any offered one")
    }

    func device() async throws -> DeviceRecord {
        let devices = try await world.devices()
        guard devices.count == 1, let device = devices.first, device.id == deviceID else {
            throw world.failure("the platform has \(devices.count) devices")
        }
        return device
    }

    /// Checks the end of a walk: the platform is synchronized, both applications log in, and no accepted code is
    /// accepted again.
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
        if skipped[.app4, default: 0] < 10 {
            try await sign()
            try world.require(accepted.count == before + 3, "a fresh signature is not accepted")
        }
        try await logInByChallenge()
        try await inspect()
        let copy = try await world.makePlatform(on: world.platformStore.base.snapshot())
        for shown in accepted.suffix(3) {
            let decision = try await decide(shown, on: copy)
            try world.require(decision.status == .refused, "an accepted code was accepted again")
        }
    }

    func pass(seconds: Int) {
        world.trace.add("\(seconds) s pass")
        world.time.advance(seconds: Int64(seconds))
    }

    func anyProcess() -> Orchestrator { world.chance.pick(processes) }
}
