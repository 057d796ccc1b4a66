import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

struct DeviceRequestTests {
    static let bodies: [RequestBody] = activation + approvals + [.deviceData(event), .userDelete]

    private static let activation: [RequestBody] = [
        .activationPassword, .activationComplete(receiptHash: Fixture.receipt),
        .notificationsRegister(identifier: "pull:1"), .synchronize(generation: 0, counters: []),
    ]

    /// A message about device data.
    private static let event: DeviceDataMessage = {
        do {
            return try DeviceDataMessage(event: "login")
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    /// The messages about approvals and passwords.
    static let approvals: [RequestBody] = [
        .approvalList, .approvalFetch(id: Fixture.receipt), .approvalAnswer(signed), .notificationsOpen,
        .passwordChange, .passwordProve, .moveBegin,
    ]

    /// A signed message; its content does not matter here.
    private static let signed: Sign1 = {
        do {
            return try Sign1.signing([1], header: COSEHeader(algorithm: .esp256), externalAAD: []) {
                (_: [UInt8]) in [UInt8](repeating: 1, count: 64)
            }
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    var proven: DeviceRecord {
        var device = Fixture.device(.pending)
        device.remember(receipt: Fixture.receipt)
        return device
    }

    @Test func `step 3 with the right password is accepted and its receipt is remembered`() {
        var device = Fixture.device(.pending)
        device.passwordFailures = 3
        let decision = Fixture.decide(device, .activationPassword, proof: .right(.password))
        #expect(decision.result == .accepted(.activationPassword))
        #expect(decision.isActivationReceipt && decision.write == nil)
        #expect(decision.device.passwordFailures == 0)
        #expect(decision.device.state == .pending)
        #expect(decision.event == .activationProven)
    }

    @Test func `a wrong password at step 3 is counted, and the fifth drops the device`() {
        var device = Fixture.device(.pending)
        for remaining in [4, 3, 2, 1] as [UInt64] {
            let decision = Fixture.decide(device, .activationPassword, proof: .wrong(.password))
            #expect(decision.refusal == .wrongPassword)
            #expect(decision.remainingTries == remaining)
            #expect(decision.fate == .stays)
            device = decision.device
        }
        let last = Fixture.decide(device, .activationPassword, proof: .wrong(.password))
        #expect(last.remainingTries == 0)
        #expect(last.fate == .ends(reason: "wrongPassword"))
    }

    @Test(arguments: [ProofOutcome.absent, .right(.possession), .wrong(.possession)])
    func `step 3 without a proof of the password is malformed and not counted`(proof: ProofOutcome) {
        let decision = Fixture.decide(Fixture.device(.pending), .activationPassword, proof: proof)
        #expect(decision.refusal == .malformed)
        #expect(decision.device.passwordFailures == 0)
    }

    @Test func `a proof of another generation is refused and not counted`() {
        let decision = Fixture.decide(Fixture.device(.pending), .activationPassword, proof: .otherGeneration)
        #expect(decision.refusal == .generationUnknown)
        #expect(decision.device.passwordFailures == 0)
    }

    @Test func `step 4 activates the device and spends the activation password`() {
        let decision = Fixture.decide(
            proven, .activationComplete(receiptHash: Fixture.receipt), proof: .right(.possession))
        #expect(decision.result == .accepted(.activationComplete))
        #expect(decision.device.state == .active)
        #expect(decision.device.notificationIdentifier == "pull:" + Hex.encode(decision.device.id))
        #expect(decision.device.activatedAt == Fixture.now)
        #expect(decision.write != nil)
    }

    @Test func `step 4 without the pull channel leaves the device waiting for one, and a repetition may register it`() {
        let without = RequestBody.activationComplete(receiptHash: Fixture.receipt, registersPullChannel: false)
        let decision = Fixture.decide(proven, without, proof: .right(.possession))
        #expect(decision.result == .accepted(.activationComplete))
        #expect(decision.device.state == .pendingNotification && decision.device.notificationIdentifier == nil)
        let again = Fixture.decide(
            decision.device, .activationComplete(receiptHash: Fixture.receipt), proof: .right(.possession))
        #expect(again.result == .accepted(.activationComplete) && again.write != nil)
        #expect(again.device.state == .active && again.device.notificationIdentifier != nil)
    }

    @Test func `step 4 asked again of an active device is accepted and changes nothing`() {
        for (state, registers) in [(DeviceState.pendingNotification, false), (.active, false), (.active, true)] {
            var device = Fixture.device(state)
            device.remember(receipt: Fixture.receipt)
            let complete = RequestBody.activationComplete(
                receiptHash: Fixture.receipt, registersPullChannel: registers)
            let decision = Fixture.decide(device, complete, proof: .right(.possession))
            #expect(decision.result == .accepted(.activationComplete))
            #expect(decision.device.state == state)
            #expect(decision.write == nil)
        }
    }

    @Test func `step 4 before step 3, or with another receipt, is refused`() {
        let complete = RequestBody.activationComplete(receiptHash: Fixture.receipt)
        #expect(
            Fixture.decide(Fixture.device(.pending), complete, proof: .right(.possession)).refusal == .wrongReceipt)
        let other = RequestBody.activationComplete(receiptHash: [UInt8](repeating: 0x12, count: 32))
        #expect(Fixture.decide(proven, other, proof: .right(.possession)).refusal == .wrongReceipt)
    }

    @Test(arguments: [ProofOutcome.absent, .wrong(.possession), .right(.password)])
    func `step 4 without a proof of the other instance is refused`(proof: ProofOutcome) {
        let decision = Fixture.decide(proven, .activationComplete(receiptHash: Fixture.receipt), proof: proof)
        #expect(decision.refusal == .malformed)
        #expect(decision.device.state == .pending)
    }

    @Test func `a sixth device is not activated`() {
        let decision = Fixture.decide(
            proven, .activationComplete(receiptHash: Fixture.receipt), proof: .right(.possession),
            others: Array(repeating: Fixture.device(), count: 5))
        #expect(decision.refusal == .notPermitted)
        #expect(decision.device.state == .pending)
    }

    /// The named locked device, the number of working and locked devices, and the locked devices that are replaced, the
    /// oldest with the lowest number.
    @Test(
        arguments: [
            (nil, 4, 0, []), (nil, 4, 1, [1]), (nil, 2, 3, [1]), (nil, 1, 3, []), (2, 2, 3, [2]), (2, 1, 2, [2]),
            (7, 2, 2, []),
        ] as [(UInt8?, Int, Int, [UInt8])])
    func `an activation replaces the locked device that it names, or the oldest at the limit`(
        named: UInt8?, working: Int, locked: Int, replaced: [UInt8]
    ) {
        func id(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 16) }
        let others =
            (0..<working).map { _ in Fixture.device() }
            + (0..<locked).reversed().map { index in
                var device = Fixture.device(.locked)
                device.id = id(UInt8(index + 1))
                device.createdAt = device.createdAt.advanced(seconds: Int64(index))
                return device
            }
        let decision = Fixture.decide(
            proven, .activationComplete(receiptHash: Fixture.receipt, replacing: named.map(id)),
            proof: .right(.possession), others: others)
        #expect(decision.refusal == nil)
        #expect(decision.replacedDevices == replaced.map(id))
    }

    @Test func `the latest four receipts count, and an older one does not`() {
        var device = Fixture.device(.pending)
        let hashes = (1...5).map { [UInt8](repeating: $0, count: 32) }
        for hash in hashes { device.remember(receipt: hash) }
        #expect(device.receiptHashes.count == 128)
        #expect(!device.remembers(receipt: hashes[0]))
        for hash in hashes[1...] { #expect(device.remembers(receipt: hash)) }
        #expect(!device.remembers(receipt: []))
        #expect(!device.remembers(receipt: Array(hashes[1].prefix(31))))
    }

    @Test(arguments: [DeviceState.pendingNotification, .active])
    func `a device that was activated does not prove its password for an activation again`(state: DeviceState) {
        for proof in [ProofOutcome.right(.password), .wrong(.password), .absent] {
            let decision = Fixture.decide(Fixture.device(state), .activationPassword, proof: proof)
            #expect(decision.refusal == .notPermitted)
            #expect(decision.device.state == state && decision.device.passwordFailures == 0)
            #expect(decision.fate == .stays && decision.write == nil)
        }
    }

    @Test func `a pending device is served the rest of its activation and nothing else`() {
        for body in Self.bodies[2...] {
            #expect(Fixture.decide(Fixture.device(.pending), body).refusal == .notPermitted)
        }
    }

    @Test(arguments: bodies)
    func `a pending device whose time is over is dropped, whatever it asks`(body: RequestBody) {
        let device = proven
        let last = device.pendingUntil.advanced(milliseconds: -1)
        #expect(Fixture.decide(device, body, proof: .right(.possession), now: last).refusal != .pendingExpired)
        let decision = Fixture.decide(device, body, proof: .right(.possession), now: device.pendingUntil)
        #expect(decision.refusal == .pendingExpired)
        #expect(decision.fate == .ends(reason: "pendingExpired"))
    }

    @Test func `an identifier for notifications completes the device`() {
        for state in [DeviceState.pendingNotification, .active] {
            let decision = Fixture.decide(Fixture.device(state), .notificationsRegister(identifier: "pull:1"))
            #expect(decision.result == .accepted(.notificationsRegister))
            #expect(decision.device.state == .active)
            #expect(decision.device.notificationIdentifier == "pull:1")
            #expect((decision.write != nil) == (state == .pendingNotification))
        }
    }

    @Test func `a locked device may delete its user and nothing else`() {
        var device = Fixture.device(.locked)
        device.lockReason = .wrongPassword
        for body in Self.bodies.dropLast() {
            let decision = Fixture.decide(device, body, proof: .right(.password))
            #expect(decision.refusal == .locked)
            #expect(decision.device == device, "not even its ratchet moves")
        }
        #expect(Fixture.decide(device, .userDelete).fate == .ends(reason: "userDelete"))
        device.lockReason = .cloneSuspected
        #expect(Fixture.decide(device, .notificationsRegister(identifier: "x")).refusal == .cloneSuspected)
    }

    @Test(arguments: approvals)
    func `messages about approvals are for activated devices, and change no state`(body: RequestBody) {
        for state in [DeviceState.active, .pendingNotification] {
            let decision = Fixture.decide(Fixture.device(state), body, proof: .right(.password))
            #expect(decision.refusal != .notPermitted)
            #expect(decision.device.state == state && decision.event == nil && decision.fate == .stays)
        }
        let pending = Fixture.decide(Fixture.device(.pending), body, proof: .right(.password))
        #expect(pending.refusal == .notPermitted && pending.write == nil && pending.fate == .stays)
    }

    @Test(arguments: bodies)
    func `a revoked device is refused, whatever it asks`(body: RequestBody) {
        #expect(Fixture.decide(Fixture.device(.revoked), body, proof: .right(.password)).refusal == .revoked)
    }

    @Test(arguments: [DeviceState.pending, .pendingNotification, .active])
    func `a suspended device gets this reason, whatever it asks, and may delete itself`(state: DeviceState) {
        let device = Fixture.device(state)
        for body in [.activationPassword, .synchronize(generation: 0, counters: [])] as [RequestBody] {
            let decision = Fixture.decide(device, body, proof: .right(.password), isSuspended: true)
            #expect(decision.refusal == .suspended)
            #expect(decision.device == device)
        }
        #expect(Fixture.decide(device, .userDelete, isSuspended: true).fate == .ends(reason: "userDelete"))
    }

    @Test func `an old index is refused first, and is a clone when the store was read again`() {
        var device = Fixture.device()
        device.ratchetIndex = 5
        device.offeredIndex = 5
        let body = RequestBody.synchronize(generation: 0, counters: [])
        let first = Fixture.decide(device, body, index: 3)
        #expect(first.refusal == .ratchetOutdated)
        #expect(first.device == device)
        let second = Fixture.decide(device, body, index: 3, reread: true)
        #expect(second.refusal == .cloneSuspected)
        #expect(second.device.state == .locked && second.device.lockReason == .cloneSuspected)
        #expect(second.device.stateBeforeLock == .active)
        #expect(second.event == .deviceLocked)
    }

    @Test func `a reread at an accepted index is no clone`() {
        var device = Fixture.device()
        device.ratchetIndex = 5
        device.offeredIndex = 5
        device.promotedAt = Fixture.now
        for index in [4, 5] as [UInt64] {
            let decision = Fixture.decide(
                device, .synchronize(generation: 0, counters: []), index: index, reread: true)
            #expect(decision.refusal == nil)
        }
    }

    @Test func `an index that was never offered is refused, unless the platform was restored`() {
        var device = Fixture.device()
        let body = RequestBody.synchronize(generation: 0, counters: [])
        #expect(Fixture.decide(device, body, index: 9).refusal == .ratchetUnknown)
        device.isRestored = true
        for proof in [ProofOutcome.absent, .wrong(.possession), .right(.password)] {
            let decision = Fixture.decide(device, body, proof: proof, index: 9)
            #expect(decision.refusal == .ratchetBehind)
            #expect(decision.device == device)
        }
        let decision = Fixture.decide(device, body, proof: .right(.possession), index: 9)
        #expect(decision.refusal == nil)
        #expect(decision.device.ratchetIndex == 9 && !decision.device.isRestored)
    }

    @Test(arguments: [(0, nil), (11, nil), (12, 1), (100, 89)] as [(UInt64, UInt64?)])
    func `the counter of signatures follows that of the device at a distance of eleven`(
        counter: UInt64, raised: UInt64?
    ) async throws {
        let counters = [
            ApplicationCounter(application: 2, counter: 1_000), ApplicationCounter(application: 4, counter: counter),
        ]
        let decision = Fixture.decide(Fixture.device(), .synchronize(generation: 0, counters: counters))
        #expect(try await written(by: decision) == (raised.map { ["1.4": $0, "2.4": $0] } ?? [:]))
    }

    /// Returns the counters that a decision writes, by instance and application.
    private func written(by decision: DeviceDecision) async throws -> [String: UInt64] {
        let counters = try await SQLiteDatabase.inMemory().write { store in
            try decision.write?(store)
            return try store.codeCounters(of: Fixture.id)
        }
        return counters.reduce(into: [:]) { $0["\($1.instance.rawValue).\($1.application)"] = $1.next }
    }

    @Test func `a synchronization raises counters after a restore and only then`() async throws {
        let counters = [ApplicationCounter(application: 2, counter: 9)]
        var device = Fixture.device()
        let body = RequestBody.synchronize(generation: 0, counters: counters)
        let idle = Fixture.decide(device, body)
        #expect(idle.result == .accepted(.synchronize(generation: 0)))
        #expect(idle.write == nil)
        device.isRestored = true
        let restored = Fixture.decide(device, body)
        #expect(try await written(by: restored) == ["1.2": 9, "2.2": 9])
        #expect(!restored.device.isRestored)
    }

    @Test(arguments: [([], []), ([1, 2, 3], [1, 3]), ([2, 4, 99], []), ([0, 3], [3])] as [([UInt64], [UInt64])])
    func `a synchronization agrees on the capabilities that both sides have`(named: [UInt64], agreed: [UInt64]) {
        for isRestored in [false, true] {
            var device = Fixture.device()
            device.isRestored = isRestored
            let body = RequestBody.synchronize(generation: 0, counters: [], capabilities: named)
            let answer = AnswerBody.synchronize(generation: 0, capabilities: agreed)
            #expect(Fixture.decide(device, body).result == .accepted(answer))
        }
    }

    @Test func `a synchronization brings the tries that are left and the number of devices`() {
        var device = Fixture.device()
        device.passwordFailures = 2
        let decision = Fixture.decide(
            device, .synchronize(generation: 0, counters: []), others: [Fixture.device(), Fixture.device(.locked)])
        guard case .accepted(let body) = decision.result, let answer = body.answer(to: SynchronizeMessage.self) else {
            Issue.record("refused")
            return
        }
        #expect((answer.tries, answer.devices, answer.maximumDevices) == (3, 3, 5))
        #expect(answer.policy == PINPolicyForm(.default))
        // The count that a right password does not end leaves fewer tries.
        device.failuresEndAt = Fixture.now.advanced(milliseconds: 14 * DeviceRecord.failureLifetime)
        let fewer = Fixture.decide(device, .synchronize(generation: 0, counters: []))
        #expect(fewer.result == .accepted(.synchronize(generation: 0, tries: 1)))
    }

    @Test func `a synchronization of another generation is refused and leaves the mark`() {
        var device = Fixture.device()
        device.isRestored = true
        let decision = Fixture.decide(device, .synchronize(generation: 1, counters: []))
        #expect(decision.refusal == .generationUnknown)
        #expect(decision.device.isRestored && decision.device.offeredGeneration == 0)
        device.isRestored = false
        #expect(Fixture.decide(device, .synchronize(generation: 1, counters: [])).refusal == .generationUnknown)
    }

    @Test func `a generation left behind is refused, and locks the device that has read its store again`() {
        var device = Fixture.device()
        (device.generation, device.offeredGeneration) = (2, 2)
        for (body, proof) in [
            (.synchronize(generation: 1, counters: []), .absent), (.passwordProve, .outdatedGeneration),
        ] as [(RequestBody, ProofOutcome)] {
            let first = Fixture.decide(device, body, proof: proof)
            #expect(first.refusal == .generationOutdated)
            #expect(first.device.state == .active && first.device.passwordFailures == 0)
            let second = Fixture.decide(device, body, proof: proof, reread: true)
            #expect(second.refusal == .cloneSuspected)
            #expect(second.device.lockReason == .cloneSuspected && second.event == .deviceLocked)
        }
    }

    @Test func `only an activated device gets the number of failed codes`() {
        let active = Fixture.decide(Fixture.device(), .notificationsRegister(identifier: "x"))
        #expect(active.reportsFailures)
        let pending = Fixture.decide(Fixture.device(.pending), .activationPassword, proof: .right(.password))
        #expect(!pending.reportsFailures)
    }
}
