import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// Challenges, and logins with codes over them.
struct ChallengeTests {
    private func challenge(
        _ harness: Harness, _ user: String = Harness.alice, principal: String = "site"
    ) async throws -> LoginChallenge {
        try await harness.platform.generateChallenge(for: Harness.account(user), principal: principal)
    }

    private func login(
        _ harness: Harness, _ code: String, _ requestID: String, _ user: String = Harness.alice,
        principal: String = "site"
    ) async throws -> LoginDecision {
        try await harness.platform.login(
            .init(
                account: Harness.account(user), credential: .challengeResponse(code, requestID: requestID),
                principal: principal))
    }

    private func failures(_ harness: Harness) async throws -> [Int] {
        try await harness.platform.account(Harness.account())?.failures.map(\.total) ?? []
    }

    @Test func `a code over a challenge logs in once, with a host code that the device expects`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let made = try await challenge(harness)
        #expect(made.digits.count == 8 && made.requestID.count == 32)
        #expect(made.expiresAt == harness.time.now().advanced(seconds: 300))
        let code = try device.code(challenge: made.digits)
        let accepted = try await login(harness, code, made.requestID)
        #expect(accepted.status == .accepted && accepted.method == .password && accepted.device == device.id)
        #expect(accepted.hostCode == (try device.hostCode(challenge: made.digits)))
        // The code again, and another one: the challenge is used up.
        for typed in [code, wrong(code)] {
            let again = try await login(harness, typed, made.requestID)
            #expect(again.reason == .usedChallenge && again.hostCode == nil)
        }
        #expect(try await failures(harness).isEmpty, "a double click is no guess")
        #expect(try await harness.events(.loginAccepted).count == 1)
    }

    @Test func `a code belongs to its challenge`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let (one, two) = (try await challenge(harness), try await challenge(harness))
        #expect(one.requestID != two.requestID && one.digits != two.digits)
        #expect(try await login(harness, device.code(challenge: one.digits), two.requestID).reason == .wrongCredential)
        #expect(try await failures(harness) == [1])
        // A wrong code does not use the challenge up.
        #expect(try await login(harness, device.code(challenge: two.digits), two.requestID).status == .accepted)
        #expect(try await login(harness, device.code(challenge: one.digits), one.requestID).status == .accepted)
    }

    @Test func `of 256 concurrent logins with one code, one is accepted`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let made = try await challenge(harness)
        let code = try device.code(challenge: made.digits)
        let reasons = try await withThrowingTaskGroup(of: LoginDecision.Reason.self) { group in
            for _ in 0..<256 { group.addTask { try await login(harness, code, made.requestID).reason } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reasons.count { $0 == .accepted } == 1)
        #expect(reasons.count { $0 == .usedChallenge } == 255)
    }

    @Test(arguments: ["", "0", "zz", "00112233445566778899aabbccddeeff", "00112233445566778899aabbccddeeff00"])
    func `a request id that the platform did not make takes no code, and nothing is counted`(id: String) async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        for user in [Harness.alice, "nobody@master"] {
            #expect(try await login(harness, device.code(challenge: ""), id, user).reason == .unknownChallenge)
        }
        #expect(try await failures(harness).isEmpty)
    }

    @Test func `a challenge of another caller or account takes no code`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let bob = try await harness.activate("bob@master")
        let made = try await challenge(harness)
        let code = try device.code(challenge: made.digits)
        #expect(try await login(harness, code, made.requestID, principal: "other").reason == .unknownChallenge)
        #expect(try await login(harness, code, made.requestID, principal: "").reason == .unknownChallenge)
        let foreign = try bob.code(challenge: made.digits)
        #expect(try await login(harness, foreign, made.requestID, "bob@master").reason == .unknownChallenge)
        #expect(try await login(harness, code, made.requestID, "nobody@master").reason == .unknownChallenge)
        #expect(try await login(harness, code, made.requestID).status == .accepted)
    }

    @Test(arguments: [10, 300, 3_600] as [Int64])
    func `a challenge expires`(seconds: Int64) async throws {
        let harness = try await Harness(.init(postQuantum: .off, challengeLifetime: .seconds(seconds)))
        let device = try await harness.activate()
        let made = (try await challenge(harness), try await challenge(harness))
        harness.time.advance(milliseconds: seconds * 1_000 - 1)
        let (first, second) = (try device.code(challenge: made.0.digits), try device.code(challenge: made.1.digits))
        #expect(try await login(harness, first, made.0.requestID).status == .accepted)
        harness.time.advance(milliseconds: 1)
        #expect(try await login(harness, second, made.1.requestID).reason == .unknownChallenge)
    }

    @Test(arguments: [Duration.seconds(9), .seconds(3_601), .zero, .seconds(-300)])
    func `a lifetime outside its limits is refused`(lifetime: Duration) async throws {
        await #expect(throws: PlatformError(.malformedRequest)) {
            _ = try await Harness(.init(postQuantum: .off, challengeLifetime: lifetime))
        }
    }

    @Test func `lengths and callers outside their limits are refused`() async throws {
        let harness = try await Harness()
        for length in [-1, 0, 3, 17, Int.max] {
            await #expect(throws: PlatformError(.malformedRequest)) {
                _ = try await harness.platform.generateChallenge(for: Harness.account(), length: length)
            }
        }
        await #expect(throws: PlatformError(.malformedRequest)) {
            _ = try await challenge(harness, principal: String(repeating: "x", count: 257))
        }
        let short = try await harness.platform.generateChallenge(for: Harness.account(), length: 4, checkDigit: true)
        let digits = short.digits.utf8.map { $0 - 48 }
        #expect(LoginChallenge.checkDigit(of: digits.dropLast()) == digits.last)
    }

    @Test func `the oldest of more than 16 challenges gives way`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        var made: [LoginChallenge] = []
        for _ in 0..<17 {
            made.append(try await challenge(harness))
            harness.time.advance(milliseconds: 1)
        }
        for (number, each) in made.enumerated() {
            let decision = try await login(harness, device.code(challenge: each.digits), each.requestID)
            #expect(decision.reason == (number == 0 ? .unknownChallenge : .accepted), "\(number)")
        }
    }

    @Test func `challenges of unknown users look the same, and leave as many rows`() async throws {
        let harness = try await Harness()
        var made: [LoginChallenge] = []
        for _ in 0..<30 {
            made.append(try await challenge(harness, "nobody@master"))
            harness.time.advance(milliseconds: 1)
        }
        for (number, each) in made.enumerated() {
            #expect(each.digits.count == 8 && each.requestID.count == 32)
            let reason = try await login(harness, "00000000", each.requestID, "nobody@master").reason
            #expect(reason == (number < 14 ? .unknownChallenge : .unknownAccount), "\(number)")
        }
    }

    @Test func `a blocked user is refused as during any block`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let made = try await challenge(harness)
        for _ in 0..<5 { #expect(try await login(harness, "0", made.requestID).reason == .wrongCredential) }
        let code = try device.code(challenge: made.digits)
        #expect(try await login(harness, code, made.requestID).reason == .blocked)
        #expect(
            try await harness.login(device.code(at: harness.time.now())).reason == .blocked, "one count for all codes")
        #expect(try await login(harness, code, "none").reason == .unknownChallenge)
        harness.time.advance(milliseconds: 60_000)
        #expect(try await login(harness, code, made.requestID).status == .accepted)
    }

    @Test func `a code of possession is refused by the policy and uses the challenge up`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let made = try await challenge(harness)
        let code = try device.code(challenge: made.digits, instance: .possession)
        #expect(try await login(harness, code, made.requestID).reason == .methodNotAllowed)
        #expect(try await login(harness, device.code(challenge: made.digits), made.requestID).reason == .usedChallenge)
    }

    @Test func `a challenge from before a restore takes no code`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let made = try await challenge(harness)
        let backup = try await harness.restarted(on: harness.snapshot())
        #expect(try await login(harness, device.code(challenge: made.digits), made.requestID).status == .accepted)
        try await backup.platform.markRestored(revocations: .nothingRevoked)
        harness.time.advance(milliseconds: 11_000)
        try await device.send(
            .synchronize(generation: 0, counters: [], capabilities: [], statement: device.platformKeys.sequence),
            to: backup)
        #expect(
            try await login(backup, device.code(challenge: made.digits), made.requestID).reason == .unknownChallenge)
        let fresh = try await challenge(backup)
        #expect(try await login(backup, device.code(challenge: fresh.digits), fresh.requestID).status == .accepted)
    }

    @Test func `expired challenges are swept, and those of a removed account go with it`() async throws {
        let harness = try await Harness()
        _ = try await harness.activate()
        let (old, other) = (try await challenge(harness), try await challenge(harness, "nobody@master"))
        func exists(_ challenge: LoginChallenge) async throws -> Bool {
            try await harness.store.read { try $0.challenge(Hex.decode(challenge.requestID, limit: 32)) != nil }
        }
        try await harness.platform.unregister(Harness.account())
        #expect(try await !exists(old))
        #expect(try await exists(other))
        harness.time.advance(milliseconds: 300_000)
        _ = try await challenge(harness)
        #expect(try await exists(other), "no request removes it")
        try await harness.sweep()
        #expect(try await !exists(other))
    }
}
