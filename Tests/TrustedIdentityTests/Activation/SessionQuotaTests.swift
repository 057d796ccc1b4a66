import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The quota of exchanges that addresses share.
struct SessionQuotaTests {
    /// Fills the quota with exchanges of strangers, whose addresses are made of the number of an exchange.
    func fill(
        _ harness: Harness, count: Int = SessionQuota.total, address: @Sendable @escaping (Int) -> String
    ) async throws {
        let now = harness.time.now()
        let hashes = harness.platform.hashes
        try await harness.store.write { store in
            for number in 0..<count {
                let source = hashes.stored(address: address(number))
                try SessionQuota(source: source, requestsPerAddress: 120).removeExcess(in: store)
                let id = (0..<16).map {
                    UInt8(truncatingIfNeeded: number >> ($0 < 8 ? $0 * 8 : 0)) ^ UInt8($0 < 8 ? 0 : count & 0xFF)
                }
                let record = ActivationSessionRecord(
                    id: id, account: "nobody@master", registrationID: "r", firstRequestHash: [1], firstAnswer: [2],
                    keys: nil, expiresAt: now.advanced(seconds: 120), keptUntil: now.advanced(seconds: 600),
                    source: source)
                try requireWritten(store.insert(record))
            }
        }
    }

    /// Addresses that are spread over a number of networks.
    static func spread(over networks: Int) -> @Sendable (Int) -> String {
        { "\(($0 % networks) / 250 + 10).\(($0 % networks) % 250).0.\($0 / networks % 250)" }
    }

    /// Steps 1 and 2 from an address.
    func activate(_ code: String, from address: String?, with harness: Harness) async throws {
        let initiator = try Authenticator.initiator(code: code, random: harness.random)
        let first = try await harness.platform.execute(initiator.command, from: address)
        var session = try initiator.receive(first)
        let key = P256.Signing.PrivateKey(compactRepresentable: false)
        let request = try session.seal(Authenticator.registration(key, random: harness.random), random: harness.random)
        _ = try session.open(try await harness.platform.execute(request, from: address))
    }

    func begin(
        _ user: String = "nobody@master", from address: String?, with harness: Harness
    ) async throws -> OrchestrationCommand {
        let wrong = ActivationPassword.make(random: harness.random)
        let initiator = try ActivationInitiator(
            secret: wrong.secret, handle: wrong.handle, account: Harness.account(user), tenant: "default",
            suites: [.classic], capabilities: [], random: harness.random)
        return try await harness.platform.execute(initiator.command, from: address)
    }

    @Test(arguments: [1, 9, 400])
    func `an activation succeeds when other addresses have filled the quota`(sources: Int) async throws {
        let harness = try await Harness()
        let code = try await harness.register()
        try await fill(harness, address: Self.spread(over: sources))
        try await activate(code, from: "192.0.2.1", with: harness)
        let known = try await begin(Harness.alice, from: "192.0.2.2", with: harness)
        let unknown = try await begin(from: "192.0.2.3", with: harness)
        #expect(known.bytes.count == unknown.bytes.count)
        #expect(try await harness.store.write { try $0.activationSessionCount(of: nil) } <= SessionQuota.total)
    }

    @Test func `when the quota is full, the oldest exchanges are removed, and the newest one stays`() async throws {
        let harness = try await Harness()
        let code = try await harness.register()
        try await fill(harness, address: Self.spread(over: 400))
        harness.time.advance(milliseconds: 1_000)
        let initiator = try Authenticator.initiator(code: code, random: harness.random)
        let first = try await harness.platform.execute(initiator.command, from: "2a00:1:2:3::4")
        // Strangers begin fewer exchanges than the quota holds while the honest one is under way.
        try await fill(harness, count: 2_000) { "2001:db8:1:\(String($0, radix: 16))::1" }
        var session = try initiator.receive(first)
        let key = P256.Signing.PrivateKey(compactRepresentable: false)
        let request = try session.seal(Authenticator.registration(key, random: harness.random), random: harness.random)
        _ = try session.open(try await harness.platform.execute(request, from: "2a00:1:2:3::4"))
        #expect(try await harness.store.write { try $0.activationSessionCount(of: nil) } <= SessionQuota.total)
    }

    @Test func `an address over its share loses its own oldest exchange, none younger than two minutes`()
        async throws
    {
        let harness = try await Harness(.init(postQuantum: .off, requestsPerAddress: 4))
        let code = try await harness.register()
        _ = try await begin(from: "192.0.2.9", with: harness)
        let initiator = try Authenticator.initiator(code: code, random: harness.random)
        let first = try await harness.platform.execute(initiator.command, from: "192.0.2.1")
        // As fast as the limit of the address allows, until the last moment.
        for second in 0..<119 {
            for _ in 0..<(second == 0 ? 3 : 1) { _ = try? await begin(from: "192.0.2.1", with: harness) }
            harness.time.advance(milliseconds: 1_000)
        }
        var session = try initiator.receive(first)
        let key = P256.Signing.PrivateKey(compactRepresentable: false)
        let request = try session.seal(Authenticator.registration(key, random: harness.random), random: harness.random)
        _ = try session.open(try await harness.platform.execute(request, from: "192.0.2.9"))
        for _ in 0..<300 {
            _ = try? await begin(from: "192.0.2.1", with: harness)
            harness.time.advance(milliseconds: 1_000)
        }
        let hashes = harness.platform.hashes
        let (own, other) = (hashes.stored(address: "192.0.2.1"), hashes.stored(address: "192.0.2.9"))
        #expect(try await harness.store.write { try $0.activationSessionCount(of: own) } == 12)
        #expect(try await harness.store.write { try $0.activationSessionCount(of: other) } == 1)
    }

    @Test func `tries of unknown activation passwords are counted by the hour and not logged`() async throws {
        let harness = try await Harness()
        _ = try await harness.register()
        let before = try await harness.platform.audit(limit: 1_000).count
        for _ in 0..<40 { _ = try await begin(from: nil, with: harness) }
        for _ in 0..<30 { _ = try await begin(Harness.alice, from: nil, with: harness) }
        #expect(try await harness.platform.audit(limit: 1_000).count == before)
        harness.time.advance(milliseconds: 3_600_000)
        _ = try await begin(from: nil, with: harness)
        let tallies = try await harness.platform.auditTallies()
        #expect(tallies.map(\.count) == [1, 70])
        #expect(tallies.allSatisfy { $0.event == .activationTried && $0.reason == "unknownCode" })
        #expect(tallies.allSatisfy { $0.hour.millisecondsSinceEpoch % 3_600_000 == 0 })
        await #expect(throws: PlatformError(.malformedRequest)) { try await harness.platform.auditTallies(limit: 0) }

    }

    @Test func `every try that counts is in the audit log`() async throws {
        let harness = try await Harness()
        let handle = try ActivationPassword(parsing: try await harness.register()).handle
        for _ in 0..<9 {
            let wrong = ActivationPassword.make(handle: handle, random: harness.random)
            let initiator = try ActivationInitiator(
                secret: wrong.secret, handle: handle, account: Harness.account(), tenant: "default",
                suites: [.classic], capabilities: [], random: harness.random)
            _ = try await harness.platform.execute(initiator.command)
        }
        #expect(try await harness.events(.activationTried).count == 5)
        #expect(try await harness.platform.auditTallies().map(\.count) == [4])
    }

    @Test func `the store has hashes of an address only`() async throws {
        let hashes = try await Harness().platform.hashes
        let source = hashes.stored(address: "192.0.2.1")
        #expect(source.count == 16 && !source.contains("192"))
        #expect(hashes.stored(address: "192.0.2.2") != source)
        #expect(hashes.stored(address: nil).isEmpty)
    }
}
