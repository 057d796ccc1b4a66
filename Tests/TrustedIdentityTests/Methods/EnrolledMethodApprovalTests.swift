import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// Approval answers and typed codes of enrolled methods: the secret that makes the proof decides the method.
struct EnrolledMethodApprovalTests {
    /// A platform whose logins and payments ask for a method, and accept the password from a device without it where
    /// the fallback says so.
    private func scene(
        _ method: AuthenticationMethod = .biometric, fallbacks: [AuthenticationMethod]? = nil,
        software: Bool = false
    ) async throws -> (Harness, Authenticator) {
        let requirement = try #require(PolicyRequirement(method, fallbacks: fallbacks))
        let rule = try #require(PolicyRule("asked", then: .challenge(requirement)))
        let rules = try #require(PolicyRules([rule]))
        let policy = try #require(
            Policy(name: "methods", logins: rules, transactions: rules, softwareProviders: software))
        var configuration = PlatformConfiguration(postQuantum: .off, requestsPerDevice: 6_000)
        configuration.policy = policy
        let harness = try await Harness(configuration)
        return (harness, try await harness.activate())
    }

    private func confirmation(_ answer: AnswerMessage) throws -> ReceiptConfirmation {
        try ReceiptConfirmation(decoding: try #require(answer.receipt).confirmation.payload)
    }

    @Test(arguments: [(AuthenticationMethod.biometric, MethodProtection.system), (.face, .provider)])
    func `an answer by the keys of a method verifies that method, and the receipt names its key`(
        _ method: AuthenticationMethod, _ protection: MethodProtection
    ) async throws {
        let (harness, device) = try await scene(method)
        try await device.enroll(method, protection, with: harness)
        let report = try await harness.requestLogin()
        #expect(report.method == method)
        let answer = try await device.decide(.approved, on: report, with: harness)
        #expect(answer.refusal == nil)
        let confirmation = try confirmation(answer)
        let key = try #require(device.methods[method]).key
        #expect(confirmation.verifiedMethod == method && confirmation.outcome == .approved)
        #expect(confirmation.deviceKey == Array(key.publicKey.compressedRepresentation))
        #expect(try await harness.status(of: report).status == .accepted)
    }

    @Test func `a claim of a method without its keys is refused, and the request stays pending`() async throws {
        let (harness, device) = try await scene(fallbacks: [.password])
        try await device.enroll(.biometric, with: harness)
        let report = try await harness.requestLogin()
        let approval = try await device.fetch(report, from: harness)
        let keys = device.methods.removeValue(forKey: .biometric)
        // Signed by the device key: no key of the method.
        var claim = try await device.answer(approval, .approved, method: .biometric, with: harness)
        for proof in [Instance.possession, .password, .biometric] {
            #expect(try await device.send(claim, proof: proof, to: harness).refusal == .methodUnknown)
        }
        // Signed by the key of the method, without its secret.
        device.methods[.biometric] = keys
        claim = try await device.answer(approval, .approved, method: .biometric, with: harness)
        for proof in [nil, Instance.possession, .password] {
            #expect(try await device.send(claim, proof: proof, to: harness).refusal == .malformed)
        }
        #expect(try await device.send(claim, proof: .biometric, wrong: true, to: harness).refusal == .malformed)
        #expect(try await harness.status(of: report).status == .pending)
        #expect(try await harness.device(device)?.passwordFailures == 0)
        #expect(try await device.send(claim, proof: .biometric, to: harness).refusal == nil)
    }

    @Test func `an answer of a method that is not registered is refused, and the password follows`() async throws {
        let (harness, device) = try await scene(fallbacks: [.password])
        try await device.enroll(.biometric, with: harness)
        let report = try await harness.requestLogin()
        #expect(try await device.send(.methodRemove(.biometric), to: harness).refusal == nil)
        let approval = try await device.fetch(report, from: harness)
        let claim = try await device.answer(approval, .approved, method: .biometric, with: harness)
        #expect(try await device.send(claim, proof: .biometric, to: harness).refusal == .methodUnknown)
        let fallback = try await device.answer(
            approval, .approved, method: .password, fallback: .notEnrolled, with: harness)
        let pending = try await harness.status(of: report)
        #expect(pending.verifiedMethod == nil && pending.fallback == nil)
        let answer = try await device.send(fallback, proof: .password, to: harness)
        #expect(try confirmation(answer).verifiedMethod == .password)
        let ended = try await harness.status(of: report)
        #expect(ended.method == .biometric && ended.verifiedMethod == .password && ended.fallback == .notEnrolled)
    }

    @Test func `a fallback that the policy does not accept ends the request`() async throws {
        let (harness, device) = try await scene(fallbacks: [])
        try await device.enroll(.biometric, with: harness)
        let report = try await harness.requestLogin()
        let approval = try await device.fetch(report, from: harness)
        let fallback = try await device.answer(
            approval, .approved, method: .password, fallback: .failed, with: harness)
        #expect(try await device.send(fallback, proof: .password, to: harness).refusal == .methodRefused)
        #expect(try await harness.status(of: report).declineReason == .methodRefused)
    }

    @Test func `a software provider counts as possession, unless the policy names it`() async throws {
        for isNamed in [false, true] {
            let (harness, device) = try await scene(fallbacks: [.password], software: isNamed)
            try await device.enroll(.biometric, .software, with: harness)
            try await device.enroll(.face, .provider, with: harness)
            let report = try await harness.requestLogin()
            let answer = try await device.decide(.approved, on: report, with: harness)
            #expect(answer.refusal == (isNamed ? nil : .methodRefused))
            #expect(try await harness.status(of: report).status == (isNamed ? .accepted : .refused))
            harness.time.advance(milliseconds: 30_000)
            let code = try device.code(instance: .biometric, at: harness.time.now())
            let decision = try await harness.login(code)
            #expect(decision.status == (isNamed ? .accepted : .refused))
            #expect(decision.method == (isNamed ? .biometric : nil))
            #expect(decision.reason == (isNamed ? .accepted : .methodNotAllowed))
        }
    }

    @Test(arguments: CryptoApplicationIndex.allCases.prefix(4), [AuthenticationMethod.biometric, .face])
    func `a code of each application by the secret of a method logs in as that method`(
        _ application: CryptoApplicationIndex, _ method: AuthenticationMethod
    ) async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await device.enroll(method, with: harness)
        let instance = Instance(of: method)
        let decision: LoginDecision
        switch application {
        case .app1: decision = try await harness.login(device.code(instance: instance, at: harness.time.now()))
        case .app2: decision = try await harness.login(device.code(counter: 0, instance: instance), application: .app2)
        case .app3:
            let challenge = try await harness.platform.generateChallenge(for: Harness.account())
            let code = try device.code(challenge: challenge.digits, instance: instance)
            decision = try await harness.platform.login(
                LoginRequest(
                    account: Harness.account(),
                    credential: .challengeResponse(code, requestID: challenge.requestID)))
        default:
            let fields = [DataField(label: "Amount", value: "10")]
            decision = try await harness.platform.validate(
                LocalTransaction(
                    account: Harness.account(), fields: fields,
                    signature: device.signature(fields, counter: 0, instance: instance)))
        }
        #expect(decision.status == .accepted && decision.method == method, "\(decision)")
        let accepted = try await harness.events(application == .app4 ? .transactionAccepted : .loginAccepted)
        #expect(accepted.map(\.reason) == ["\(method)"])
    }

    @Test func `a code of a removed method is wrong, and one of an earlier registration, too`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await device.enroll(.biometric, with: harness)
        let first = device.methods[.biometric]
        try await device.enroll(.biometric, with: harness)
        let second = device.methods[.biometric]
        func login() async throws -> LoginDecision.Reason {
            harness.time.advance(milliseconds: 30_000)
            return try await harness.login(device.code(instance: .biometric, at: harness.time.now())).reason
        }
        #expect(try await login() == .accepted)
        device.methods[.biometric] = first
        #expect(try await login() == .wrongCredential)
        device.methods[.biometric] = second
        #expect(try await device.send(.methodRemove(.biometric), to: harness).refusal == nil)
        #expect(try await login() == .wrongCredential)
    }

    @Test func `an answer that has ended its request gets its receipt, also after its keys have ended`() async throws {
        let (harness, device) = try await scene(fallbacks: [.password])
        try await device.enroll(.biometric, with: harness)
        let report = try await harness.requestLogin()
        let approval = try await device.fetch(report, from: harness)
        let answer = try await device.answer(approval, .approved, method: .biometric, with: harness)
        let first = try await device.send(answer, proof: .biometric, to: harness)
        #expect(try await device.send(.methodRemove(.biometric), to: harness).refusal == nil)
        let repeated = try await device.send(answer, proof: .possession, to: harness)
        #expect(repeated.receipt == first.receipt && first.receipt != nil)
        // It is the answer of this device. Another one of the user gets no receipt with it.
        let tablet = try await harness.activate()
        #expect(try await tablet.send(answer, proof: .possession, to: harness).refusal == .methodUnknown)
        // Another answer by the same keys does not.
        let other = try await device.answer(
            approval, .rejected(.notMe), method: .biometric, with: harness)
        #expect(try await device.send(other, proof: .possession, to: harness).refusal == .methodUnknown)
    }

    @Test(arguments: MethodProtection.allCases, [true, false])
    func `a method that is not registered, or by a program, is possession`(
        _ protection: MethodProtection, _ isRestored: Bool
    ) {
        var device = Fixture.device()
        for instance in [Instance.biometric, .face] {
            #expect(device.verifiedMethod(of: instance, acceptsSoftware: true) == .possession)
        }
        device.enroll(
            EnrolledMethod(
                method: .face, protection: protection, key: [UInt8](repeating: 2, count: 33),
                registeredAt: Fixture.now, requestedAt: Fixture.now))
        device.isRestored = isRestored
        for accepts in [true, false] {
            let isFace = !isRestored && (accepts || protection != .software)
            #expect(device.verifiedMethod(of: .face, acceptsSoftware: accepts) == (isFace ? .face : .possession))
            #expect(device.verifiedMethod(of: .password, acceptsSoftware: accepts) == .password)
        }
    }

    @Test func `an answer of a method before a synchronization after a restore is refused`() async throws {
        let (harness, device) = try await scene(fallbacks: [.password])
        try await device.enroll(.biometric, with: harness)
        let after = try await harness.restarted(on: harness.snapshot())
        after.time.advance(milliseconds: 1)
        try await after.platform.markRestored(revocations: .nothingRevoked)
        after.time.advance(milliseconds: 300_002)
        let report = try await after.requestLogin()
        let approval = try await device.fetch(report, from: after)
        let claim = try await device.answer(
            approval, .approved, method: .biometric, fallback: report.method == .biometric ? nil : .chosenByUser,
            with: after)
        #expect(try await device.send(claim, proof: .biometric, to: after).refusal == .methodUnknown)
    }
}
