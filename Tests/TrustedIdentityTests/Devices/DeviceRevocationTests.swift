import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The end of a device: what remains of it, and the answers to its requests.
struct DeviceRevocationTests {
    /// A way in which an activated device ends.
    enum Way: CaseIterable {
        case deletion, unregistration, revocation, restore

        var reason: String {
            switch self {
            case .deletion: "userDelete"
            case .unregistration: "unregistered"
            case .revocation: "admin"
            case .restore: "revokedBeforeRestore"
            }
        }
    }

    static let day: Int64 = 86_400_000
    let register = RequestBody.notificationsRegister(identifier: "pull:1")

    func end(_ device: Authenticator, by way: Way, _ harness: Harness) async throws {
        switch way {
        case .deletion:
            try await device.send(.userDelete, to: harness)
        case .unregistration:
            try await harness.platform.unregister(Harness.account())
        case .revocation:
            try await harness.platform.revokeDevice(device.id, of: Harness.account())
        case .restore:
            let lost = try await harness.restarted(on: harness.snapshot())
            try await lost.platform.revokeDevice(device.id, of: Harness.account())
            #expect(try await harness.restore(applying: lost.exportAudit()).devices == 1)
        }
    }

    @Test(arguments: Way.allCases) func `of a revoked device the key of its channel remains, and no other secret`(
        way: Way
    ) async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        _ = try await harness.login(device.code(at: harness.time.now()))
        try await end(device, by: way, harness)
        let row = try #require(try await harness.device(device))
        #expect(row.state == .revoked && row.revokedAt == harness.time.now())
        #expect(row.secrets == nil && row.ratchet == nil && row.receiptHashes.isEmpty)
        #expect(row.notificationIdentifier == nil && row.lockReason == nil && !row.isRestored)
        let counters = try await harness.store.read { [id = device.id] in try $0.codeCounters(of: id) }
        #expect(counters.isEmpty)
        let sealed = try #require(row.channelKey)
        #expect(sealed.bytes.count == 12 + 32 + 16, "one key")
        let kept = try row.revokedChannelKey(
            sealer: harness.platform.sealer, knownFor: .seconds(1), now: harness.time.now())
        #expect(kept == device.secrets.channel)
        let events = try await harness.events(.deviceRevoked)
        #expect(events.map(\.reason) == [way.reason] && events.map(\.device) == [device.id])
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .refused)
        #expect(try await device.send(register, to: harness).refusal == .revoked)
    }

    @Test func `a revoked device is refused as such for 30 days, under its seal, and is unknown then`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await end(device, by: .revocation, harness)
        let row = try await harness.device(device)
        for elapsed in [0, Self.day, 28 * Self.day, Self.day - 1] {
            harness.time.advance(milliseconds: elapsed)
            let answer = try await device.send(register, to: harness)
            #expect(answer.refusal == .revoked)
            #expect(answer.time == harness.time.now() && answer.failedCodes == 0 && answer.ratchetIndex == 0)
        }
        #expect(try await harness.device(device) == row, "nothing was written")
        #expect(try await harness.platform.account(Harness.account())?.devices.map(\.id) == [device.id])
        harness.time.advance(milliseconds: 1)
        #expect(try await harness.platform.account(Harness.account())?.devices.isEmpty == true)
        #expect(try await harness.device(device) != nil, "before the next sweep")
        await #expect(throws: PlatformError(.undecodableCommand)) { try await device.send(register, to: harness) }
        try await harness.sweep()
        await #expect(throws: PlatformError(.undecodableCommand)) { try await device.send(register, to: harness) }
        #expect(try await harness.device(device) == nil)
        #expect(try await harness.events(.deviceRevoked).count == 1, "the log remains")
    }

    @Test func `a revoked row that was altered is removed after 30 days, too`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await end(device, by: .revocation, harness)
        try await harness.store.write { [id = device.id] store in
            var row = try #require(try store.device(id))
            row.account = "bob@master"
            try requireWritten(store.update(row))
        }
        harness.time.advance(milliseconds: 30 * Self.day - 1)
        try await harness.platform.sweep(now: harness.time.now())
        #expect(try await harness.device(device) != nil)
        harness.time.advance(milliseconds: 60_000)
        try await harness.platform.sweep(now: harness.time.now())
        #expect(try await harness.device(device) == nil)
    }

    @Test func `a revoked device is refused as such whatever it asks and its times are, and nothing is stored`()
        async throws
    {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await end(device, by: .revocation, harness)
        let row = try await harness.device(device)
        let log = try await harness.platform.audit(limit: 1_000).count
        let bodies: [RequestBody] = [
            register, .userDelete, .activationPassword, .activationComplete(receiptHash: device.receipt),
            .synchronize(generation: 0, counters: [], capabilities: []),
        ]
        for body in bodies {
            #expect(try await device.send(body, proof: .password, wrong: true, to: harness).refusal == .revoked)
        }
        #expect(try await device.send(register, lifetime: -60_000, to: harness).refusal == .revoked)
        #expect(try await device.send(register, clockError: .max, to: harness).refusal == .revoked)
        let sent = try await device.seal(register, to: harness)
        let answers = try await [harness.platform.execute(sent.command), harness.platform.execute(sent.command)]
        #expect(answers[0] != answers[1], "each answer is sealed anew")
        for answer in answers { #expect(try device.open(answer, to: sent).refusal == .revoked) }
        let replay = try await harness.store.read { [id = device.id, request = sent.message.requestID] in
            try $0.replay(device: id, request: request)
        }
        #expect(replay == nil)
        #expect(try await harness.device(device) == row)
        #expect(try await harness.platform.audit(limit: 1_000).count == log)
    }

    @Test func `a forgery in the name of a revoked device gets the error of an unknown device`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await end(device, by: .revocation, harness)
        // Another key than that of the device, with the right pre-shared key.
        let forger = try Authenticator(
            account: device.account, key: P256.Signing.PrivateKey(compactRepresentable: false),
            provisioning: device.provisioning, secrets: device.secrets, suite: .classic)
        await #expect(throws: PlatformError(.undecodableCommand)) { try await forger.send(register, to: harness) }
    }

    @Test func `the requests of a revoked device stay charged to their address`() async throws {
        let harness = try await Harness(.init(postQuantum: .off, requestsPerDevice: 10, requestsPerAddress: 3))
        let device = try await harness.activate()
        try await end(device, by: .revocation, harness)
        // The address pays first, then the pair of device and address.
        for _ in 0..<13 {
            let sent = try await device.seal(register, to: harness)
            let answer = try await harness.platform.execute(sent.command, from: "192.0.2.1")
            #expect(try device.open(answer, to: sent).refusal == .revoked)
        }
        let sent = try await device.seal(register, to: harness)
        await #expect(throws: PlatformError(.busy)) {
            _ = try await harness.platform.execute(sent.command, from: "192.0.2.1")
        }
    }

    @Test(arguments: [false, true])
    func `a device whose keys do not open is revoked all the same, and is unknown at once`(isShort: Bool) async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await harness.platform.store.write { [id = device.id, sealer = harness.platform.sealer] store in
            var row = try #require(try store.device(id))
            row.secrets = SealedValue(revision: 0, bytes: [UInt8](repeating: 1, count: 124))
            if isShort {
                // It opens, and is not three keys.
                row.secrets = try sealer.seal(
                    SecretBytes(copying: [UInt8](repeating: 1, count: 95)), .deviceSecrets, row: id,
                    owner: RowOwner(row), revision: 0)
            }
            try requireWritten(store.update(row))
        }
        try await end(device, by: .revocation, harness)
        let row = try await harness.device(device)
        #expect(row?.state == .revoked && row?.secrets == nil && row?.channelKey == nil)
        await #expect(throws: PlatformError(.undecodableCommand)) { try await device.send(register, to: harness) }
    }

    @Test func `five lost phones that are revoked do not close the account, and 20 revoked devices are kept`()
        async throws
    {
        let harness = try await Harness()
        var devices: [Authenticator] = []
        for number in 1...24 {
            devices.append(try await harness.activate())
            harness.time.advance(milliseconds: 60_000)
            guard number.isMultiple(of: 5) else { continue }
            for device in devices.suffix(5) { try await end(device, by: .revocation, harness) }
        }
        // 20 were revoked. One more removes the first.
        #expect(try await harness.device(devices[0])?.state == .revoked)
        try await end(devices[20], by: .revocation, harness)
        #expect(try await harness.device(devices[0]) == nil)
        #expect(try await harness.device(devices[1])?.state == .revoked)
        await #expect(throws: PlatformError(.undecodableCommand)) { try await devices[0].send(register, to: harness) }
        #expect(try await devices[1].send(register, to: harness).refusal == .revoked)
        let report = try #require(try await harness.platform.account(Harness.account()))
        #expect(report.devices.count { $0.state == .revoked } == 20)
        #expect(report.devices.count { $0.state == .active } == 3)
        #expect(try await harness.login(devices[23].code(at: harness.time.now())).status == .accepted)
    }
}

/// The revocation of one device by an administrator or an application server.
struct RevokeDeviceTests {
    @Test(arguments: [(APIKeyScope.administrator, "admin"), (.applicationServer, "app-server")])
    func `one device is revoked, listed with its time, and the others stay`(scope: APIKeyScope, reason: String)
        async throws
    {
        let harness = try await Harness()
        let lost = try await harness.activate()
        // The list has devices of the same time in the order of their ids.
        harness.time.advance(milliseconds: 5)
        let kept = try await harness.activate()
        harness.time.advance(milliseconds: 5)
        try await harness.platform.revokeDevice(lost.id, of: Harness.account(), requestedBy: scope)
        let report = try #require(try await harness.platform.account(Harness.account()))
        #expect(report.devices.map(\.id) == [lost.id, kept.id])
        #expect(report.devices.map(\.state) == [.revoked, .active])
        #expect(report.devices.map(\.revokedAt) == [harness.time.now(), nil])
        #expect(try await harness.login(lost.code(at: harness.time.now())).reason == .wrongCredential)
        #expect(try await harness.login(kept.code(at: harness.time.now())).status == .accepted)
        let entry = try #require(try await harness.events(.deviceRevoked).first)
        #expect(entry.account == Harness.alice && entry.device == lost.id && entry.reason == reason)
        #expect(entry.time == harness.time.now())
    }

    @Test func `an unknown user, an unknown device, another user's and a revoked one are refused by name`()
        async throws
    {
        let harness = try await Harness()
        let (alice, bob) = (try await harness.activate(), try await harness.activate("bob@master"))
        func refusal(_ id: [UInt8], _ user: String = Harness.alice) async -> PlatformError? {
            await #expect(throws: PlatformError.self) {
                try await harness.platform.revokeDevice(id, of: Harness.account(user))
            }
        }
        #expect(await refusal(alice.id, "carol@master")?.code == .unknownUser)
        #expect(await refusal([UInt8](repeating: 0, count: 16))?.code == .unknownDevice)
        #expect(await refusal([])?.code == .unknownDevice)
        #expect(await refusal(bob.id)?.code == .unknownDevice)
        #expect(try await harness.device(bob)?.state == .active)
        try await harness.platform.revokeDevice(alice.id, of: Harness.account())
        #expect(await refusal(alice.id)?.code == .alreadyRevoked)
        #expect(try await harness.events(.deviceRevoked).count == 1)
    }

    @Test func `a device whose activation is not complete is removed, and one that is locked is revoked`()
        async throws
    {
        let harness = try await Harness()
        let locked = try await harness.activate()
        try await harness.platform.store.write { [id = locked.id] store in
            var row = try #require(try store.device(id))
            row.lock(.wrongPassword)
            try requireWritten(store.update(row))
        }
        let pending = try await Authenticator.exchangeKeys(code: try await harness.register(), with: harness)
        try await harness.platform.revokeDevice(pending.id, of: Harness.account())
        #expect(try await harness.device(pending) == nil)
        #expect(try await harness.events(.activationDropped).map(\.reason) == ["admin"])
        try await harness.platform.revokeDevice(locked.id, of: Harness.account())
        #expect(try await harness.device(locked)?.state == .revoked)
        #expect(try await locked.send(.userDelete, to: harness).refusal == .revoked)
    }

    @Test func `a row that was altered cannot be revoked, and serves nothing`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await harness.store.write { [id = device.id] store in
            var row = try #require(try store.device(id))
            row.generation = 7
            try requireWritten(store.update(row))
        }
        await #expect(throws: PlatformError(.alteredRow)) {
            try await harness.platform.revokeDevice(device.id, of: Harness.account())
        }
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .refused)
    }

    // Every decision reads in its own transaction whether the device is active.

    @Test func `a revocation between the read and the write of a request stops it`()
        async throws
    {
        let harness = try await Harness()
        let device = try await harness.activate()
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await harness.platform(on: store)
        let sent = try await device.seal(.notificationsRegister(identifier: "pull:1"), to: harness)
        store.interrupt(Self.revoking(device, harness))
        let answer = try await platform.execute(sent.command)
        #expect(try device.open(answer, to: sent).refusal == .revoked)
        #expect(try await harness.events(.notificationsRegistered).isEmpty)
        #expect(try await harness.device(device)?.notificationIdentifier == nil)
    }

    @Test func `a revocation between the read and the write of a login refuses the right code`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await harness.platform(on: store)
        store.interrupt(Self.revoking(device, harness))
        let decision = try await platform.login(
            LoginRequest(
                account: Harness.account(), credential: .oneTimePassword(device.code(at: harness.time.now()))))
        #expect(decision.status == .refused && decision.hostCode == nil)
    }

    @Test func `two revocations of one device at once are one`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await harness.platform(on: store)
        store.interrupt(Self.revoking(device, harness))
        await #expect(throws: PlatformError(.alreadyRevoked)) {
            try await platform.revokeDevice(device.id, of: Harness.account())
        }
        #expect(try await harness.events(.deviceRevoked).count == 1)
    }

    /// The transaction of another process that revokes a device.
    private static func revoking(_ device: Authenticator, _ harness: Harness) -> Interruption {
        let (id, rows) = (device.id, harness.platform.store.check)
        let revocation = DeviceRevocation(sealer: harness.platform.sealer, now: harness.time.now(), reason: "test")
        return { store in
            let store = store.checked(by: rows)
            try revocation.revoke(try #require(try store.device(id)), in: store)
        }
    }
}
