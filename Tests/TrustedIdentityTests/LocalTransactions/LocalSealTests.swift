import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// Seals over the digest of data.
struct LocalSealTests {
    private static let digest = Array(SHA256.hash(data: Array("the contract".utf8)))

    private func content(_ name: String? = "contract.txt") throws -> SealContent {
        try SealContent(name: name, digest: Self.digest)
    }

    private func validate(
        _ harness: Harness, _ seal: String, _ data: LocalSeal.Data? = nil, _ user: String = Harness.alice,
        application: CryptoApplicationIndex = .app4
    ) async throws -> LoginDecision {
        try await harness.platform.validate(
            LocalSeal(
                account: Harness.account(user), data: data ?? .digest(Self.digest, name: "contract.txt"), seal: seal,
                application: application))
    }

    private func failures(_ harness: Harness) async throws -> [Int] {
        try await harness.platform.account(Harness.account())?.failures.map(\.total) ?? []
    }

    @Test func `a seal is accepted once, with a host code that the device expects`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let seal = try device.seal(content(), counter: 0)
        let accepted = try await validate(harness, seal)
        #expect(accepted.status == .accepted && accepted.method == .password && accepted.device == device.id)
        #expect(
            accepted.hostCode
                == (try device.hostCode(
                    application: 4, instance: .password, counter: 0, fields: content().signedFields)))
        let again = try await validate(harness, seal)
        #expect(again.reason == .usedCode && again.hostCode == nil)
        #expect(try await failures(harness).isEmpty)
        #expect(try await harness.events(.sealAccepted).map(\.reason) == ["password"])
        #expect(try await harness.events(.sealRefused).map(\.reason) == ["usedCode"])
        #expect(try await harness.events(.transactionAccepted).isEmpty)
    }

    @Test func `of 64 concurrent uses of one seal, one is accepted`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let seal = try device.seal(content(), counter: 3)
        let reasons = try await withThrowingTaskGroup(of: LoginDecision.Reason.self) { group in
            for _ in 0..<64 { group.addTask { try await validate(harness, seal).reason } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reasons.count { $0 == .accepted } == 1)
        #expect(reasons.count { $0 == .usedCode } == 63)
    }

    @Test func `a seal is over exactly its name and digest`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let seal = try device.seal(content(), counter: 0)
        var other = Self.digest
        other[31] ^= 1
        let wrong: [LocalSeal.Data] = [
            .digest(Self.digest, name: nil), .digest(Self.digest, name: "contract.tx"),
            .digest(other, name: "contract.txt"), .text("the contract"),
        ]
        for data in wrong { #expect(try await validate(harness, seal, data).reason == .wrongCredential) }
        #expect(try await failures(harness) == [4])
        #expect(try await validate(harness, seal).status == .accepted)
        // The digest of a text without a name is that text.
        let text = try device.seal(content(nil), counter: 1)
        #expect(try await validate(harness, text, .text("the contract")).status == .accepted)
    }

    @Test func `a seal is no signature over the same fields, and a signature is no seal`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let seal = try device.seal(content(), counter: 0)
        let signature = try device.signature(content().signedFields, counter: 1)
        #expect(seal != (try device.signature(content().signedFields, counter: 0)))
        #expect(try await validate(harness, signature).reason == .wrongCredential)
        let field = [DataField(value: "contract.txt")]
        let transaction = try LocalTransaction(account: Harness.account(), fields: field, signature: seal)
        #expect(try await harness.platform.validate(transaction).reason == .wrongCredential)
        #expect(try await validate(harness, seal).status == .accepted)
        // They have one counter.
        let before = try device.signature(field, counter: 0)
        let late = try LocalTransaction(account: Harness.account(), fields: field, signature: before)
        #expect(try await harness.platform.validate(late).reason == .usedCode)
    }

    @Test func `a counter is found ten values ahead, and the last five are known as used`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        func reason(_ counter: UInt64) async throws -> LoginDecision.Reason {
            try await validate(harness, device.seal(content(), counter: counter)).reason
        }
        #expect(try await reason(11) == .wrongCredential)
        #expect(try await reason(10) == .accepted)
        #expect(try await reason(6) == .usedCode)
        #expect(try await reason(5) == .wrongCredential)
    }

    @Test func `five wrong seals block the typed codes of the account`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        for _ in 0..<5 { #expect(try await validate(harness, "00000000").reason == .wrongCredential) }
        #expect(try await validate(harness, device.seal(content(), counter: 0)).reason == .blocked)
        #expect(try await harness.login(device.code(at: harness.time.now())).reason == .blocked)
        #expect(try await validate(harness, "00000000", nil, "nobody@master").reason == .unknownAccount)
    }

    @Test func `no other application makes seals`() async throws {
        let harness = try await Harness()
        _ = try await harness.activate()
        for application in CryptoApplicationIndex.allCases where application != .app4 {
            let decision = try await validate(harness, "00000000", application: application)
            #expect(decision.reason == .applicationNotAllowed)
        }
        #expect(try await failures(harness).isEmpty)
    }

    @Test func `a policy without seals refuses them for every account, and counts nothing`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let seal = try device.seal(content(), counter: 0)
        var policy = harness.configuration.policy
        policy.codes.seals = false
        try await harness.platform.replacePolicy(with: policy, hash: [1])
        for user in [Harness.alice, "nobody@master"] {
            await #expect(throws: PlatformError(.sealsUnavailable)) { try await validate(harness, seal, nil, user) }
        }
        #expect(try await failures(harness).isEmpty)
        policy.codes.seals = true
        try await harness.platform.replacePolicy(with: policy, hash: [2])
        #expect(try await validate(harness, seal).status == .accepted)
    }

    @Test func `rules of the policy name seals by their type`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        var policy = harness.configuration.policy
        policy.transactions = try required(
            PolicyRules([
                required(PolicyRule("no seals", when: [.type(["seal"])], then: .refuse)),
                required(PolicyRule("rest", then: .accept)),
            ]))
        try await harness.platform.replacePolicy(with: policy, hash: [1])
        #expect(try await validate(harness, device.seal(content(), counter: 0)).reason == .methodNotAllowed)
        let fields = [DataField(value: "1")]
        let signature = try device.signature(fields, counter: 1)
        let transaction = try LocalTransaction(account: Harness.account(), fields: fields, signature: signature)
        #expect(try await harness.platform.validate(transaction).status == .accepted)
    }

    @Test func `data outside its limits is malformed`() throws {
        let account = try Harness.account()
        let wrong: [LocalSeal.Data] = [
            .digest([], name: nil), .digest([UInt8](repeating: 1, count: 31), name: nil),
            .digest(Self.digest, name: ""),
            .digest(Self.digest, name: "a\nb"), .text(""), .text(String(repeating: "x", count: 4_097)),
        ]
        for data in wrong {
            #expect(throws: PlatformError(.malformedRequest)) {
                try LocalSeal(account: account, data: data, seal: "1")
            }
        }
    }
}
