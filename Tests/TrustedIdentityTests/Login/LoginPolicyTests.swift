import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// What the policy of a platform says of the credentials that users type.
@Suite struct LoginPolicyTests {
    private func harness(_ change: (inout Policy) throws -> Void) async throws -> Harness {
        var policy = Policy.default
        try change(&policy)
        return try await Harness(.init(postQuantum: .off, policy: policy))
    }

    private func rules(_ condition: PolicyCondition) throws -> PolicyRules {
        let refusing = try required(PolicyRule("refused", when: [condition], then: .refuse))
        return try required(PolicyRules([refusing] + Policy.default.logins.rules))
    }

    private func login(
        _ harness: Harness, _ credential: LoginRequest.Credential, source: String? = nil, address: String? = nil
    ) async throws -> LoginDecision {
        try await harness.platform.login(
            LoginRequest(
                account: Harness.account(), credential: credential, source: source,
                address: address.flatMap(NetworkAddress.init)))
    }

    @Test func `a code of an application that is not accepted is refused before the account is read`() async throws {
        let harness = try await harness { $0.codes.applications = [.app2] }
        let device = try await harness.activate()
        let code = try device.code(at: harness.time.now())
        #expect(try await harness.login(code).reason == .applicationNotAllowed)
        #expect(try await harness.login(code, "nobody@master").reason == .applicationNotAllowed)
        #expect(try await harness.login(device.code(counter: 1), application: .app2).status == .accepted)
    }

    @Test func `a static password that is not accepted is refused when it is right, and counted when it is wrong`()
        async throws
    {
        let harness = try await harness { $0.codes.staticPasswords = false }
        _ = try await harness.register(staticPassword: "correct horse")
        for _ in 0..<4 {
            #expect(try await login(harness, .staticPassword("wrong")).reason == .wrongCredential)
        }
        let right = try await login(harness, .staticPassword("correct horse"))
        #expect(right.status == .refused && right.reason == .methodNotAllowed)
        // The right one ended no series of failures.
        #expect(try await login(harness, .staticPassword("wrong")).reason == .wrongCredential)
        #expect(try await login(harness, .staticPassword("wrong")).reason == .blocked)
    }

    @Test func `a rule about the address refuses a right code and a right static password`() async throws {
        let range = try required(NetworkRange("192.0.2.0/24"))
        let harness = try await harness { $0.logins = try rules(.address(in: [range])) }
        let device = try await harness.activate()
        _ = try await harness.register(staticPassword: "correct horse")
        func code() throws -> LoginRequest.Credential {
            harness.time.advance(milliseconds: 60_000)
            return .oneTimePassword(try device.code(at: harness.time.now()))
        }
        #expect(try await login(harness, code(), address: "192.0.2.9").reason == .methodNotAllowed)
        #expect(try await login(harness, code(), address: "192.0.3.9").status == .accepted)
        #expect(try await login(harness, code()).status == .accepted)
        let password = LoginRequest.Credential.staticPassword("correct horse")
        #expect(try await login(harness, password, address: "192.0.2.9").reason == .methodNotAllowed)
        #expect(try await login(harness, password, address: "192.0.3.9").status == .accepted)
    }

    @Test func `a rule about the source counts one that has logged in before as known`() async throws {
        let harness = try await harness { $0.logins = try rules(.source(isKnown: true)) }
        let device = try await harness.activate()
        func login(_ source: String?) async throws -> LoginDecision.Reason {
            harness.time.advance(milliseconds: 60_000)
            return try await harness.login(device.code(at: harness.time.now()), source: source).reason
        }
        #expect(try await login("mine") == .accepted)
        #expect(try await login("mine") == .methodNotAllowed)
        #expect(try await login("theirs") == .accepted)
        #expect(try await login(nil) == .accepted)
    }

    private func record(_ event: RiskState.Event, with harness: Harness) async throws {
        var state = RiskState()
        state.record(event, at: harness.time.now(), policy: .default)
        let row = AccountRiskRecord(account: Harness.alice, state: state.encoded)
        #expect(try await harness.platform.store.write { try $0.insert(row) })
    }

    @Test func `in the strict mode a static password needs a known source, and a code does not`() async throws {
        let harness = try await harness { _ in }
        let device = try await harness.activate()
        _ = try await harness.register(staticPassword: "correct horse")
        let password = LoginRequest.Credential.staticPassword("correct horse")
        #expect(try await login(harness, password, source: "mine").status == .accepted)
        try await record(.rejected(.notMe), with: harness)
        #expect(try await login(harness, password, source: "theirs").reason == .methodNotAllowed)
        #expect(try await login(harness, password).reason == .methodNotAllowed)
        #expect(try await login(harness, password, source: "mine").status == .accepted)
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
        harness.time.advance(milliseconds: 86_400_000)
        #expect(try await login(harness, password).status == .accepted)
        let over = try #require(try await harness.platform.account(Harness.account()))
        #expect(over.strictUntil == nil && over.mutedUntil == nil)
    }

    @Test func `an administrator ends the strict mode with the blocks`() async throws {
        let harness = try await harness { _ in }
        _ = try await harness.activate()
        _ = try await harness.register(staticPassword: "correct horse")
        let password = LoginRequest.Credential.staticPassword("correct horse")
        try await record(.rejected(.notMe), with: harness)
        #expect(try await login(harness, password).reason == .methodNotAllowed)
        let end = harness.time.now().advanced(seconds: 86_400)
        let strict = try #require(try await harness.platform.account(Harness.account()))
        #expect(strict.strictUntil == end && strict.mutedUntil == end && strict.stepUpUntil == nil)
        try await harness.platform.liftBlocks(of: Harness.account())
        #expect(try await login(harness, password).status == .accepted)
        let lifted = try #require(try await harness.platform.account(Harness.account()))
        #expect(lifted.strictUntil == nil && lifted.mutedUntil == nil)
    }

    @Test func `rules about rejections and the age of a device decide on codes`() async throws {
        for condition in [.rejections(atLeast: 1), .deviceAge(lessThan: .seconds(3_600))] as [PolicyCondition] {
            let harness = try await harness { $0.logins = try rules(condition) }
            let device = try await harness.activate()
            if case .rejections = condition { try await record(.rejected(.canceled), with: harness) }
            func login() async throws -> LoginDecision.Reason {
                try await harness.login(device.code(at: harness.time.now())).reason
            }
            #expect(try await login() == .methodNotAllowed)
            harness.time.advance(milliseconds: 3_600_000)
            #expect(try await login() == .accepted)
        }
    }

    @Test func `what the policy remembers of another account says nothing of an unknown one`() async throws {
        let harness = try await harness { $0.logins = try rules(.rejections(atLeast: 1)) }
        _ = try await harness.activate()
        try await record(.rejected(.canceled), with: harness)
        // The name after that of alice, whose rows stand in for it.
        #expect(try await harness.login("00000000", "alice@mastery").reason == .unknownAccount)
        #expect(try await harness.login("00000000").reason == .wrongCredential)
    }
}
