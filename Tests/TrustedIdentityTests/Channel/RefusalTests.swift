import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// Refusals of authenticated requests: final for the same bytes, and bounded in number.
struct RefusalTests {
    /// A request that is refused without an effect, and would be executed later if that were not remembered.
    enum Refused: CaseIterable {
        /// Its expiry is a second too far ahead.
        case expiry
        /// Its signed time is a second too far ahead.
        case signedTime
        /// The device has sent too many requests.
        case rate

        var code: RefusalCode { self == .rate ? .rateLimited : .expired }
    }

    /// The life that clients ask for, in milliseconds.
    static let lifetime: Int64 = 290_000
    static let year: Int64 = 365 * 86_400_000

    let register = RequestBody.notificationsRegister(identifier: "pull:1")

    /// Returns a device and a request of it that was refused.
    func refused(_ kind: Refused) async throws -> (Harness, Authenticator, Authenticator.Sent) {
        let harness = try await Harness(.init(postQuantum: .off, requestsPerDevice: 60))
        let device = try await harness.activate(registersNotifications: false)
        harness.time.advance(milliseconds: 60_000)
        if kind == .rate {
            for _ in 0..<60 { #expect(try await device.send(.harmless, to: harness).refusal != .rateLimited) }
        }
        let sent = try await device.seal(
            register, lifetime: kind == .expiry ? 301_000 : Self.lifetime,
            clockError: kind == .signedTime ? 301_000 : 0, to: harness)
        let answer = try device.open(try await harness.platform.execute(sent.command), to: sent)
        #expect(answer.refusal == kind.code && answer.time == harness.time.now())
        return (harness, device, sent)
    }

    func isUntouched(_ device: Authenticator, _ harness: Harness) async throws -> Bool {
        let row = try await harness.device(device)
        let events = try await harness.events(.notificationsRegistered)
        return row?.notificationIdentifier == nil && events.isEmpty
    }

    @Test(arguments: Refused.allCases)
    func `the same bytes get the same refusal 1 s, 4 min and 6 min later, and are never executed`(
        kind: Refused
    ) async throws {
        let (harness, device, sent) = try await refused(kind)
        let first = try await harness.platform.execute(sent.command)
        for (wait, elapsed) in [(1_000, 1_000), (239_000, 240_000)] as [(Int64, Int64)] {
            harness.time.advance(milliseconds: wait)
            let again = try await harness.platform.execute(sent.command)
            #expect(again != first, "each answer is sealed anew")
            let answer = try device.open(again, to: sent)
            #expect(answer.refusal == kind.code, "\(elapsed)")
            #expect(answer.refused?.retryAfter == (kind == .rate ? 1_000 : nil))
            #expect(answer.time == harness.time.now())
        }
        harness.time.advance(milliseconds: 120_000)
        // The expiry has passed, and the refusal is no longer kept.
        let late = try device.open(try await harness.platform.execute(sent.command), to: sent)
        #expect(late.refusal == .expired)
        #expect(try await isUntouched(device, harness))
        // To try again, the device makes a new request.
        #expect(try await device.send(register, to: harness).refusal == nil)
    }

    @Test(arguments: Refused.allCases)
    func `a platform that remembers no refusals executes the same bytes later`(kind: Refused) async throws {
        let (harness, device, sent) = try await refused(kind)
        harness.time.advance(milliseconds: 1_000)
        try await harness.store.write { [id = device.id] in try $0.removeRefusals(of: id) }
        let answer = try device.open(try await harness.platform.execute(sent.command), to: sent)
        #expect(answer.refusal == nil, "this is what the memory stops")
        #expect(try await !isUntouched(device, harness))
    }

    @Test func `a refusal outlives a restart of the platform`() async throws {
        let (harness, device, sent) = try await refused(.signedTime)
        harness.time.advance(milliseconds: 1_000)
        let restarted = try await harness.restarted()
        let answer = try device.open(try await restarted.platform.execute(sent.command), to: sent)
        #expect(answer.refusal == .expired)
        #expect(try await isUntouched(device, harness))
    }

    @Test func `a request that a restore made too old stays refused`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate(registersNotifications: false)
        let sent = try await device.seal(register, lifetime: 300_000, to: harness)
        try await harness.platform.markRestored(revocations: .nothingRevoked)
        #expect(try device.open(try await harness.platform.execute(sent.command), to: sent).refusal == .expired)
        let replay = try await harness.store.read { [id = device.id, request = sent.message.requestID] in
            try $0.replay(device: id, request: request)
        }
        #expect(replay?.refusal == .init(code: RefusalCode.expired.rawValue))
        #expect(replay?.answer == [], "no answer is kept")
        #expect(replay?.keptUntil == harness.time.now().advanced(milliseconds: 360_000))
    }

    @Test func `other bytes under the id of a refused request get no answer`() async throws {
        let (harness, device, sent) = try await refused(.signedTime)
        let other = try await device.seal(register, requestID: sent.message.requestID, to: harness)
        await #expect(throws: PlatformError(.undecodableCommand)) {
            _ = try await harness.platform.execute(other.command)
        }
        #expect(try await isUntouched(device, harness))
    }

    @Test func `a request that has expired is refused for five minutes, also when the clock is set back`()
        async throws
    {
        let harness = try await Harness()
        let device = try await harness.activate(registersNotifications: false)
        let sent = try await device.seal(register, lifetime: 240_000, to: harness)
        // The clock of the platform is an hour ahead for a while.
        harness.time.step(milliseconds: 3_600_000)
        #expect(try device.open(try await harness.platform.execute(sent.command), to: sent).refusal == .expired)
        #expect(try await count(device, harness) == 1)
        harness.time.step(milliseconds: -3_600_000)
        #expect(try device.open(try await harness.platform.execute(sent.command), to: sent).refusal == .expired)
        #expect(try await isUntouched(device, harness))
        // When the clock is wrong for longer, the refusal is removed, and the request has expired by the right one.
        harness.time.step(milliseconds: 3_600_000)
        harness.time.advance(milliseconds: 300_000)
        try await harness.platform.sweep(now: harness.time.now())
        #expect(try await count(device, harness) == 0)
        harness.time.step(milliseconds: -3_600_000)
        #expect(try device.open(try await harness.platform.execute(sent.command), to: sent).refusal == .expired)
        #expect(try await isUntouched(device, harness))
    }

    @Test func `requests that have expired count toward the limit, which is logged`() async throws {
        let harness = try await Harness()
        let lines = LogLines()
        let device = try await harness.activate(registersNotifications: false)
        for _ in 0..<64 {
            #expect(try await device.send(register, lifetime: -60_000, to: harness).refusal == .expired)
        }
        #expect(try await count(device, harness) == 64)
        let platform = try await harness.platform(on: harness.store, logger: lines.logger)
        let sent = try await device.seal(register, to: harness)
        await #expect(throws: PlatformError(.busy)) { _ = try await platform.execute(sent.command) }
        let notice = "notice a device has too many refused requests: wait until they expire, or revoke it "
        #expect(lines.all.filter { $0 == notice }.count == 1, "\(lines.all)")
        harness.time.advance(milliseconds: 300_000)
        #expect(try await device.send(register, to: harness).refusal == nil)
    }

    @Test func `64 refusals are remembered, the next request is not opened, and other devices go on`() async throws {
        let harness = try await Harness()
        let (alice, bob) = (
            try await harness.activate(registersNotifications: false),
            try await harness.activate("bob@master", registersNotifications: false)
        )
        var first: Authenticator.Sent?
        for _ in 0..<64 {
            let sent = try await alice.seal(register, clockError: 301_000, to: harness)
            #expect(try alice.open(try await harness.platform.execute(sent.command), to: sent).refusal == .expired)
            first = first ?? sent
        }
        #expect(try await count(alice, harness) == 64)
        await #expect(throws: PlatformError(.busy)) { try await alice.send(register, to: harness) }
        // A request that is not opened may be a forgery. It gets the same error.
        let forger = try Authenticator(
            account: alice.account, key: bob.key, provisioning: alice.provisioning, secrets: bob.secrets,
            suite: .classic)
        await #expect(throws: PlatformError(.busy)) { try await forger.send(register, to: harness) }
        #expect(try await count(alice, harness) == 64)
        let repeated = try #require(first)
        let answer = try alice.open(try await harness.platform.execute(repeated.command), to: repeated)
        #expect(answer.refusal == .expired, "a repeat needs no room")
        #expect(try await bob.send(register, to: harness).refusal == nil)
        harness.time.advance(milliseconds: 360_000)
        #expect(try await alice.send(register, to: harness).refusal == nil)
        try await harness.sweep()
        #expect(try await count(alice, harness) == 0)
    }

    @Test func `many refusals at once do not pass the limit`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate(registersNotifications: false)
        var commands: [OrchestrationCommand] = []
        for _ in 0..<100 {
            commands.append(try await device.seal(register, clockError: 301_000, to: harness).command)
        }
        let answered = await withTaskGroup(of: Bool.self) { group in
            for command in commands {
                group.addTask {
                    do {
                        _ = try await harness.platform.execute(command)
                        return true
                    } catch {
                        #expect(error as? PlatformError == PlatformError(.busy))
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(answered == 64)
        #expect(try await count(device, harness) == 64)
    }

    @Test
    func `the refusals of a device whose clock is years ahead are kept for years, and its requests are never executed`()
        async throws
    {
        let harness = try await Harness()
        let device = try await harness.activate(registersNotifications: false)
        let ahead = 5 * Self.year
        var last: Authenticator.Sent?
        for _ in 0..<64 {
            let sent = try await device.seal(
                register, lifetime: ahead + Self.lifetime, clockError: ahead, to: harness)
            #expect(try device.open(try await harness.platform.execute(sent.command), to: sent).refusal == .expired)
            last = sent
        }
        await #expect(throws: PlatformError(.busy)) { try await device.send(register, to: harness) }
        harness.time.advance(milliseconds: 2 * Self.year)
        await #expect(throws: PlatformError(.busy)) { try await device.send(register, to: harness) }
        // The request is timely now.
        harness.time.advance(milliseconds: 3 * Self.year + 1_000)
        let sent = try #require(last)
        #expect(try device.open(try await harness.platform.execute(sent.command), to: sent).refusal == .expired)
        #expect(try await isUntouched(device, harness))
        harness.time.advance(milliseconds: 360_000)
        #expect(try await device.send(register, to: harness).refusal == nil)
    }

    @Test func `a revocation removes the refusals of its device only`() async throws {
        let harness = try await Harness()
        let (alice, bob) = (
            try await harness.activate(registersNotifications: false),
            try await harness.activate("bob@master", registersNotifications: false)
        )
        for device in [alice, bob] {
            for _ in 0..<64 { try await device.send(register, clockError: 301_000, to: harness) }
        }
        try await harness.platform.revokeDevice(alice.id, of: Harness.account())
        #expect(try await count(alice, harness) == 0)
        #expect(try await count(bob, harness) == 64)
        #expect(try await alice.send(register, clockError: 301_000, to: harness).refusal == .revoked)
        #expect(try await count(alice, harness) == 0)
    }

    @Test func `a pending device that is removed leaves no refusals`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: try await harness.register(), with: harness)
        let ahead = 5 * Self.year
        try await device.send(.activationPassword, lifetime: ahead, clockError: ahead, to: harness)
        #expect(try await count(device, harness) == 1)
        _ = try await harness.register()
        #expect(try await harness.device(device) == nil)
        #expect(try await count(device, harness) == 0)
    }

    // What commits between the read and the write of a refusal.

    @Test func `a copy that was executed meanwhile keeps its answer`() async throws {
        let harness = try await Harness(.init(postQuantum: .off, requestsPerDevice: 2))
        let device = try await harness.activate(registersNotifications: false)
        let sent = try await device.seal(register, to: harness)
        let store = FaultInjectingDatabase(harness.store)
        // Steps 3 and 4 used up the limit of this process, and not that of the other one.
        let other = try await harness.platform(on: store)
        for _ in 0..<2 { try await device.send(register, clockError: 0, through: other, harness) }
        let answer = ReplayRecord(
            device: device.id, request: sent.message.requestID, requestHash: try sent.hash, answer: sent.command.bytes,
            keptUntil: harness.time.now().advanced(milliseconds: 360_000))
        store.interrupt { try requireWritten($0.insert(answer)) }
        #expect(try await other.execute(sent.command) == sent.command, "the stored bytes")
        #expect(try await count(device, harness) == 0)
    }

    @Test func `a copy that was refused meanwhile is not executed`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate(registersNotifications: false)
        let sent = try await device.seal(register, to: harness)
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await harness.platform(on: store)
        let refusal = ReplayRecord(
            device: device.id, request: sent.message.requestID, requestHash: try sent.hash, answer: [],
            refusal: .init(code: RefusalCode.rateLimited.rawValue, retryAfter: 7),
            keptUntil: harness.time.now().advanced(milliseconds: 360_000))
        store.interrupt { try requireWritten($0.insert(refusal)) }
        let answer = try device.open(try await platform.execute(sent.command), to: sent)
        #expect(answer.refused == Refusal(.rateLimited, retryAfter: 7))
        #expect(try await isUntouched(device, harness))
    }

    @Test func `a refusal is not remembered after a revocation`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate(registersNotifications: false)
        let sent = try await device.seal(register, clockError: 301_000, to: harness)
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await harness.platform(on: store)
        let revocation = DeviceRevocation(sealer: platform.sealer, now: harness.time.now(), reason: "test")
        store.interrupt { [rows = platform.store.check, id = device.id] store in
            let store = store.checked(by: rows)
            try revocation.revoke(try #require(try store.device(id)), in: store)
        }
        #expect(try device.open(try await platform.execute(sent.command), to: sent).refusal == .revoked)
        #expect(try await count(device, harness) == 0)
    }

    /// The number of refusals that are remembered, whatever their time.
    private func count(_ device: Authenticator, _ harness: Harness) async throws -> Int {
        try await harness.store.read { [id = device.id] in
            try $0.refusalCount(of: id, after: Timestamp(millisecondsSinceEpoch: 0))
        }
    }
}

extension RequestBody {
    /// A request that an active device may make and that changes nothing.
    fileprivate static var harmless: RequestBody {
        .synchronize(generation: 0, counters: [], capabilities: [])
    }
}

extension Authenticator.Sent {
    /// The SHA-256 of the request, by which the platform recognizes a repeat.
    fileprivate var hash: [UInt8] {
        get throws { try ChannelRequest(decoding: command).hash }
    }
}

extension Authenticator {
    /// Sends a request to another platform on the same data.
    fileprivate func send(
        _ body: RequestBody, clockError: Int64, through platform: Platform, _ harness: Harness
    ) async throws {
        let sent = try await seal(body, clockError: clockError, to: harness)
        _ = try open(try await platform.execute(sent.command), to: sent)
    }
}
