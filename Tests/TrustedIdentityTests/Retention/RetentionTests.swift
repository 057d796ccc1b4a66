import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The times at which the platform removes expired rows.
struct RetentionTests {
    @Test func `the keys of an exchange are erased after two minutes, and repeats get the answer`() async throws {
        let harness = try await Harness()
        let initiator = try Authenticator.initiator(code: try await harness.register(), random: harness.random)
        let answer = try await harness.platform.execute(initiator.command)
        let id = try ActivationRequest(decoding: initiator.command.bytes).sessionID
        harness.time.advance(milliseconds: 119_999)
        try await harness.sweep()
        #expect(try await harness.store.read { try $0.activationSession(id)?.keys } != nil)
        harness.time.advance(milliseconds: 60_000)
        try await harness.sweep()
        #expect(try await harness.store.read { try $0.activationSession(id)?.keys } == nil)
        #expect(try await harness.platform.execute(initiator.command) == answer)
    }

    @Test func `the secret of an activation password is erased when it expires`() async throws {
        let harness = try await Harness()
        _ = try await harness.register()
        harness.time.advance(milliseconds: 599_999)
        try await harness.sweep()
        #expect(try await harness.store.read { try $0.activationPassword(of: Harness.alice)?.secret } != nil)
        harness.time.advance(milliseconds: 60_000)
        try await harness.sweep()
        #expect(try await harness.store.read { try $0.activationPassword(of: Harness.alice)?.secret } == nil)
        #expect(try await harness.status() == .timeout)
    }

    @Test func `a device that did not complete its activation is removed an hour after its time`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: try await harness.register(), with: harness)
        harness.time.advance(milliseconds: DeviceLimits.pendingLifetime + DeviceLimits.pendingRetention - 1)
        try await harness.sweep()
        #expect(try await harness.device(device)?.secrets != nil, "a late device still gets an answer")
        harness.time.advance(milliseconds: 60_000)
        try await harness.sweep()
        #expect(try await harness.device(device) == nil)
        #expect(try await harness.events(.activationDropped).map(\.reason) == ["pendingExpired"])
    }

    @Test func `a device that was suspended during its activation is removed, and an activated one stays`() async throws
    {
        let harness = try await Harness()
        let bob = try await harness.activate("bob@master")
        let device = try await Authenticator.exchangeKeys(code: try await harness.register(), with: harness)
        try await harness.platform.markRestored(revocations: .unknown)
        harness.time.advance(milliseconds: DeviceLimits.pendingLifetime + DeviceLimits.pendingRetention)
        try await harness.sweep()
        #expect(try await harness.device(device) == nil)
        #expect(try await harness.device(bob)?.secrets != nil)
    }

    @Test(arguments: [Platform.sweepBatch - 1, Platform.sweepBatch, 5 * Platform.sweepBatch / 2])
    func `rows that were altered and expired earlier do not keep others from being swept`(count: Int) async throws {
        let lines = LogLines()
        let harness = try await Harness(logger: lines.logger)
        _ = try await harness.activate()
        let requests = [
            try #require(await harness.requestLogin(source: "a").id), try #require(await harness.requestLogin().id),
        ]
        let device = try await Authenticator.exchangeKeys(
            "bob@master", code: try await harness.register("bob@master"), with: harness)
        try await harness.store.write { [id = device.id] store in
            var approval = try #require(try store.approval(requests[0]))
            var device = try #require(try store.device(id))
            approval.expiresAt = approval.expiresAt.advanced(seconds: -1)
            device.pendingUntil = device.pendingUntil.advanced(seconds: -1)
            for number in 0..<count {
                let mark = [UInt8(number >> 8), UInt8(number & 0xFF)]
                approval.id.replaceSubrange(0..<2, with: mark)
                approval.requestID = "altered-\(number)"
                approval.requestHash.replaceSubrange(0..<2, with: mark)
                device.id.replaceSubrange(0..<2, with: mark)
                device.serialNumber = "TI9\(100_000_000 + number)"
                try requireWritten(store.insert(approval))
                try requireWritten(store.insert(device))
            }
        }
        harness.time.advance(seconds: 121)
        try await harness.sweep()
        for id in requests {
            #expect(try await harness.store.read { try $0.approval(id)?.state } == .expired)
        }
        #expect(lines.alterations.count == min(count, Platform.sweepBatch))
        harness.time.advance(milliseconds: DeviceLimits.pendingLifetime + DeviceLimits.pendingRetention)
        try await harness.sweep()
        #expect(try await harness.device(device) == nil)
        let left = try await harness.store.read { try $0.devices(of: "bob@master").count }
        #expect(left == count, "an altered row stays, so that it can be found")
    }

    @Test func `a new registration ends an activation that was suspended`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: try await harness.register(), with: harness)
        try await harness.platform.markRestored(revocations: .unknown)
        #expect(try await harness.device(device)?.state == .pending)
        _ = try await harness.register()
        #expect(try await harness.device(device) == nil)
        await #expect(throws: PlatformError(.undecodableCommand)) { try await device.complete(with: harness) }
        #expect(try await harness.status() == .pending)
    }

    @Test func `a device that was locked during its activation does not count as an activated one`() {
        var device = Fixture.device(.locked)
        device.stateBeforeLock = .pending
        #expect(!device.isActivated && device.isUnfinished)
        device.stateBeforeLock = .active
        #expect(device.isActivated && !device.isUnfinished)
    }

    @Test func `a failed login during the removal of its account leaves no count`() async throws {
        let harness = try await Harness()
        _ = try await harness.activate()
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await Platform(
            configuration: harness.configuration, database: store, masterKey: harness.masterKey, time: harness.time,
            random: harness.random)
        store.interrupt { [now = harness.time.now(), sealer = harness.platform.sealer] store in
            try Platform.unregister(Harness.alice, in: store, sealer: sealer, now: now)
        }
        let decision = try await platform.login(
            LoginRequest(account: Harness.account(), credential: .oneTimePassword("00000000")))
        #expect(decision.reason == .unknownAccount)
        #expect(try await harness.store.read { try $0.throttles(of: Harness.alice) }.isEmpty)
    }

    @Test func `the row of an approval that is no longer kept has no effect`() async throws {
        let harness = try await Harness()
        let phone = try await harness.activate()
        let report = try await harness.requestLogin()
        let answered = try await harness.requestLogin(source: "b")
        #expect(try await phone.decide(.approved, on: answered, with: harness).refusal == nil)
        let decision = try #require(answered.decision)
        func isKept(_ report: ApprovalReport) async throws -> Bool {
            do {
                _ = try await harness.status(of: report)
                return true
            } catch let error as PlatformError where error.code == .unknownApproval {
                return false
            }
        }
        harness.time.advance(seconds: 120 + 599)
        #expect(try await isKept(report))
        harness.time.advance(seconds: 1)
        #expect(try await !isKept(report))
        let id = try #require(report.id)
        #expect(try await phone.send(.approvalFetch(id: id), to: harness).refusal == .approvalUnknown)
        await #expect(throws: PlatformError(.unknownApproval)) {
            _ = try await harness.platform.cancelApproval(requestID: report.requestID)
        }
        harness.time.advance(seconds: 400 * 86_400)
        #expect(try await !isKept(answered))
        #expect(try await harness.platform.decision(decision) == nil)
        #expect(try await harness.store.read { try $0.policyDecision(decision) } != nil, "the row is still there")
    }

    @Test func `a request id is free again when its request has ended, and finds the later one`() async throws {
        let harness = try await Harness()
        _ = try await harness.activate()
        _ = try await harness.requestLogin(requestID: "one")
        harness.time.advance(seconds: 119)
        await #expect(throws: PlatformError(.requestIDInUse)) { _ = try await harness.requestLogin(requestID: "one") }
        harness.time.advance(seconds: 1)
        let second = try await harness.requestLogin(requestID: "one")
        #expect(second.status == .pending)
        #expect(try await harness.status(of: second).id == second.id)
        try await harness.sweep()
        #expect(try await harness.status(of: second).id == second.id)
    }

    @Test func `the rows of exchanges that have ended cost no other exchange its place`() async throws {
        let harness = try await Harness(.init(postQuantum: .off, requestsPerAddress: 1))
        let address = "192.0.2.1"
        let source = harness.platform.hashes.stored(address: address)
        let now = harness.time.now()
        // Three exchanges are the share of the address.
        try await harness.store.write { store in
            for byte in 1...3 as ClosedRange<UInt8> {
                try requireWritten(
                    store.insert(
                        ActivationSessionRecord(
                            id: [UInt8](repeating: byte, count: 16), account: Harness.alice, registrationID: "r",
                            firstRequestHash: [1], firstAnswer: [2], keys: nil, expiresAt: now, secondAnswer: [3],
                            keptUntil: now.advanced(seconds: 60), source: source)))
            }
        }
        let code = try await harness.register()
        harness.time.advance(seconds: 60)
        let first = try Authenticator.initiator(code: code, random: harness.random)
        let answer = try await harness.platform.execute(first.command, from: address)
        harness.time.advance(seconds: 60)
        _ = try await harness.platform.execute(
            Authenticator.initiator("bob@master", code: code, random: harness.random).command, from: address)
        let id = try ActivationRequest(decoding: first.command.bytes).sessionID
        #expect(try await harness.store.read { try $0.activationSession(id) } != nil)
        #expect(try await harness.platform.execute(first.command) == answer)
    }

    private static let day: Int64 = 86_400

    /// A harness whose platform keeps rows for other times than the default ones.
    private func harness(_ change: (inout Retention) -> Void) async throws -> Harness {
        var configuration = PlatformConfiguration(postQuantum: .off, requestsPerDevice: 6_000)
        change(&configuration.retention)
        return try await Harness(configuration)
    }

    @Test(arguments: [1, 30, 400] as [Int64])
    func `a revoked device is known for the configured time, and its row is removed after it`(days: Int64) async throws
    {
        let harness = try await harness { $0.revokedDevices = .seconds(days * Self.day) }
        let device = try await harness.activate()
        try await harness.platform.revokeDevice(device.id, of: device.account, requestedBy: .administrator)
        harness.time.advance(seconds: days * Self.day - 1)
        try await harness.sweep()
        #expect(try await device.send(.notificationsRegister(identifier: "x"), to: harness).refusal == .revoked)
        #expect(try await harness.platform.account(device.account)?.devices.count == 1)
        harness.time.advance(seconds: 1)
        #expect(try await harness.platform.account(device.account)?.devices.isEmpty == true)
        await #expect(throws: PlatformError(.undecodableCommand)) {
            try await device.send(.notificationsRegister(identifier: "x"), to: harness)
        }
        #expect(try await harness.device(device) != nil, "before the sweep")
        try await harness.sweep()
        #expect(try await harness.device(device) == nil)
    }

    @Test(arguments: [1, 400] as [Int64])
    func `device data are kept for the configured time`(days: Int64) async throws {
        let harness = try await harness { $0.deviceData = .seconds(days * Self.day) }
        let device = try await harness.activate()
        let data = try DeviceData([.system: .text("Linux")])
        _ = try await device.send(.approvalList, extensions: .deviceData(.full(data.encoded)), to: harness)
        func isStored() async throws -> Bool {
            try await harness.store.read { [id = device.id] in try $0.deviceData(of: id) } != nil
        }
        harness.time.advance(seconds: days * Self.day - 1)
        try await harness.sweep()
        #expect(try await harness.platform.deviceData(of: device.id, of: device.account) != nil)
        harness.time.advance(seconds: 1)
        #expect(try await harness.platform.deviceData(of: device.id, of: device.account) == nil)
        #expect(try await isStored())
        try await harness.sweep()
        #expect(try await !isStored())
    }

    @Test(arguments: [1, 3_653] as [Int64])
    func `a receipt is kept for the configured time`(days: Int64) async throws {
        let harness = try await harness { $0.receipts = .seconds(days * Self.day) }
        let phone = try await harness.activate()
        let report = try await harness.requestLogin()
        #expect(try await phone.decide(.approved, on: report, with: harness).refusal == nil)
        harness.time.advance(seconds: days * Self.day - 1)
        try await harness.sweep()
        #expect(try await harness.status(of: report).receipt != nil)
        harness.time.advance(seconds: 1)
        await #expect(throws: PlatformError(.unknownApproval)) { try await harness.status(of: report) }
        try await harness.sweep()
        let id = try #require(report.id)
        #expect(try await harness.store.read { try $0.approval(id) } == nil)
    }

    @Test func `a source that does not log in again is removed, and one with a failure stays`() async throws {
        let harness = try await harness { $0.idleSources = .seconds(30 * Self.day) }
        let device = try await harness.activate()
        func log(_ source: String, isRight: Bool = true) async throws {
            harness.time.advance(seconds: 60)
            let code = try device.code(at: harness.time.now())
            let decision = try await harness.login(isRight ? code : "00000000", source: source)
            #expect(decision.status == (isRight ? .accepted : .refused))
        }
        func sources() async throws -> Int {
            try await harness.store.read { try $0.throttles(of: Harness.alice) }
                .count { !["", ThrottleScope.overallSource].contains($0.key.source) }
        }
        try await log("idle")
        try await log("failed")
        try await log("failed", isRight: false)
        try await log("used")
        #expect(try await sources() == 3)
        harness.time.advance(seconds: 30 * Self.day - 240)
        try await harness.sweep()
        #expect(try await sources() == 3)
        try await log("used")
        harness.time.advance(seconds: 180)
        try await harness.sweep()
        #expect(try await sources() == 2)
        harness.time.advance(seconds: 4_000 * Self.day)
        try await harness.sweep()
        #expect(try await sources() == 1, "the count of the source with a failure")
    }

    @Test func `no idle time gives a block, a failure or a level back`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        for _ in 0..<10 {
            for _ in 0..<5 { _ = try await harness.login("00000000") }
            harness.time.advance(seconds: 4_000 * Self.day)
            try await harness.sweep()
        }
        let report = try #require(try await harness.platform.account(Harness.account()))
        #expect(report.failures.map(\.total) == [50] && report.failures.allSatisfy(\.isBlockedUntilLifted))
        #expect(try await harness.login(device.code(at: harness.time.now())).reason == .blocked)
    }
}
