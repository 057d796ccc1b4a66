import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// Signatures over data fields.
struct LocalTransactionTests {
    static let fields = [DataField(label: "Amount", value: "10 EUR"), DataField(label: "To", value: "Zoë")]

    /// A policy whose rules ask nothing more of a transaction than a signature of one of the methods.
    private static func policy(accepting methods: Set<AuthenticationMethod>) throws -> Policy {
        var policy = Policy.accepting(methods)
        policy.transactions = try required(PolicyRules([required(PolicyRule("transaction", then: .accept))]))
        return policy
    }

    private func validate(
        _ harness: Harness, _ signature: String, _ fields: [DataField] = fields, _ user: String = Harness.alice,
        application: CryptoApplicationIndex = .app4, source: String? = nil
    ) async throws -> LoginDecision {
        try await harness.platform.validate(
            LocalTransaction(
                account: Harness.account(user), fields: fields, signature: signature, application: application,
                source: source))
    }

    private func failures(_ harness: Harness) async throws -> [Int] {
        try await harness.platform.account(Harness.account())?.failures.map(\.total) ?? []
    }

    @Test func `a signature is accepted once, with a host code that the device expects`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let signature = try device.signature(Self.fields, counter: 0)
        let accepted = try await validate(harness, signature)
        #expect(accepted.status == .accepted && accepted.method == .password && accepted.device == device.id)
        #expect(
            accepted.hostCode
                == (try device.hostCode(application: 4, instance: .password, counter: 0, fields: Self.fields)))
        let again = try await validate(harness, signature)
        #expect(again.reason == .usedCode && again.hostCode == nil)
        #expect(try await failures(harness).isEmpty)
        #expect(try await harness.events(.transactionAccepted).map(\.reason) == ["password"])
        #expect(try await harness.events(.transactionRefused).map(\.reason) == ["usedCode"])
        #expect(try await harness.events(.loginAccepted).isEmpty)
        // An equal transaction has another signature.
        let next = try device.signature(Self.fields, counter: 1)
        #expect(next != signature)
        #expect(try await validate(harness, next).status == .accepted)
    }

    @Test func `of 256 concurrent uses of one signature, one is accepted`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let signature = try device.signature(Self.fields, counter: 3)
        let reasons = try await withThrowingTaskGroup(of: LoginDecision.Reason.self) { group in
            for _ in 0..<256 { group.addTask { try await validate(harness, signature).reason } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reasons.count { $0 == .accepted } == 1)
        #expect(reasons.count { $0 == .usedCode } == 255)
    }

    @Test(arguments: [
        [DataField(label: "Amount", value: "10 EUR")],
        [DataField(label: "Amount", value: "11 EUR"), DataField(label: "To", value: "Zoë")],
        [DataField(label: "To", value: "Zoë"), DataField(label: "Amount", value: "10 EUR")],
        [DataField(label: "To", value: "10 EUR"), DataField(label: "Amount", value: "Zoë")],
        [DataField(value: "10 EUR"), DataField(value: "Zoë")],
        [DataField(label: "Amount", value: "10 EUR"), DataField(value: "Zoë")],
        [DataField(label: "Amount", value: "10 EUR"), DataField(label: "To", value: "Zoe")],
        [
            DataField(label: "Amount", value: "10 EUR"), DataField(label: "To", value: "Zoë"),
            DataField(label: "Note", value: "-"),
        ],
    ])
    func `a signature is over exactly its fields, their order and their labels`(others: [DataField]) async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let signature = try device.signature(Self.fields, counter: 0)
        #expect(try await validate(harness, signature, others).reason == .wrongCredential)
        #expect(try await failures(harness) == [1])
        #expect(try await validate(harness, signature).status == .accepted)
    }

    @Test func `both sides sign normalization form C`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let decomposed = [DataField(label: "To", value: "Zoe\u{308}")]
        let signature = try device.signature([DataField(label: "To", value: "Zoë")], counter: 0)
        #expect(try await validate(harness, signature, decomposed).status == .accepted)
    }

    @Test func `a counter is found ten values ahead, and the last five are known as used`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        func reason(_ counter: UInt64) async throws -> LoginDecision.Reason {
            try await validate(harness, device.signature(Self.fields, counter: counter)).reason
        }
        #expect(try await reason(11) == .wrongCredential)
        #expect(try await reason(10) == .accepted)
        #expect(try await reason(6) == .usedCode)
        #expect(try await reason(5) == .wrongCredential)
        #expect(try await reason(21) == .accepted)
        #expect(try await reason(22) == .accepted)
    }

    @Test func `a device has one counter for both instances`() async throws {
        let harness = try await Harness(
            .init(postQuantum: .off, policy: Self.policy(accepting: [.password, .possession])))
        let device = try await harness.activate()
        func reason(_ counter: UInt64, _ instance: Instance) async throws -> LoginDecision.Reason {
            try await validate(harness, device.signature(Self.fields, counter: counter, instance: instance)).reason
        }
        for counter in [10, 20, 30] as [UInt64] { #expect(try await reason(counter, .password) == .accepted) }
        #expect(try await reason(41, .possession) == .accepted)
        #expect(try await reason(40, .password) == .accepted)
    }

    @Test func `possession alone signs nothing, unless the policy allows it`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let signature = try device.signature(Self.fields, counter: 0, instance: .possession)
        #expect(try await validate(harness, signature).reason == .methodNotAllowed)
        #expect(try await validate(harness, signature).reason == .usedCode)
        let lenient = try await Harness(.init(postQuantum: .off, policy: Self.policy(accepting: [.possession])))
        let other = try await lenient.activate()
        let accepted = try await validate(
            lenient, other.signature(Self.fields, counter: 0, instance: .possession))
        #expect(accepted.method == .possession)
    }

    @Test func `the policy decides on a signature: by its application, its method and the address`() async throws {
        var policy = Policy.default
        policy.codes.applications = [.app1, .app2, .app3]
        let without = try await Harness(.init(postQuantum: .off, policy: policy))
        var device = try await without.activate()
        let refused = try await validate(without, device.signature(Self.fields, counter: 0))
        #expect(refused.reason == .applicationNotAllowed)
        // The rules of transactions ask for the password, also where typed codes of possession are accepted.
        let harness = try await Harness(.init(postQuantum: .off, policy: .accepting([.password, .possession])))
        device = try await harness.activate()
        let weak = try device.signature(Self.fields, counter: 0, instance: .possession)
        #expect(try await validate(harness, weak).reason == .methodNotAllowed)
        // A rule may refuse by address.
        policy = .default
        let range = try required(NetworkRange("192.0.2.0/24"))
        let rule = try required(PolicyRule("refused", when: [.address(in: [range])], then: .refuse))
        policy.transactions = try required(PolicyRules([rule] + Policy.default.transactions.rules))
        let guarded = try await Harness(.init(postQuantum: .off, policy: policy))
        device = try await guarded.activate()
        for (counter, address) in [(0, "192.0.2.9"), (1, "192.0.3.9")] as [(UInt64, String)] {
            let decision = try await guarded.platform.validate(
                LocalTransaction(
                    account: Harness.account(), fields: Self.fields,
                    signature: device.signature(Self.fields, counter: counter), address: NetworkAddress(address)))
            #expect(decision.reason == (counter == 0 ? .methodNotAllowed : .accepted))
        }
    }

    /// What an application server names beside the fields.
    struct Named: Sendable {
        var type: String?
        var amount: String?
        var creditor: String?
        var showsNumbers = false
    }

    /// A condition of a rule that refuses, what fulfills it, and what does not.
    private static let conditions: [(PolicyCondition, holds: Named, others: [Named])] = [
        (.currency([.eur]), holds: Named(amount: "1 EUR"), others: [Named(amount: "1 USD"), Named()]),
        (.creditor(.new), holds: Named(creditor: "ACME"), others: [Named()]),
        (.creditor(.unnamed), holds: Named(), others: [Named(creditor: "ACME")]),
        (.type(["limit"]), holds: Named(type: "limit"), others: [Named(type: "transfer"), Named()]),
        (.numbers(areShown: true), holds: Named(showsNumbers: true), others: [Named()]),
    ]

    private static func refusing(_ condition: PolicyCondition) throws -> PlatformConfiguration {
        var policy = Policy.default
        let rule = try required(PolicyRule("refused", when: [condition], then: .refuse))
        policy.transactions = try required(
            PolicyRules([rule, try required(PolicyRule("others", then: .accept))]))
        return PlatformConfiguration(postQuantum: .off, policy: policy)
    }

    private func validate(
        _ harness: Harness, _ signature: String, _ named: Named
    ) async throws -> LoginDecision.Reason {
        try await harness.platform.validate(
            LocalTransaction(
                account: Harness.account(), fields: Self.fields, signature: signature, type: named.type,
                amount: named.amount.flatMap(PolicyTableTests.amount), creditor: named.creditor,
                showsNumbers: named.showsNumbers)
        ).reason
    }

    @Test(arguments: conditions.indices)
    func `a rule decides on a signature by what the application server names beside it`(index: Int) async throws {
        let (condition, holds, others) = Self.conditions[index]
        let harness = try await Harness(Self.refusing(condition))
        let device = try await harness.activate()
        for (counter, named) in ([holds] + others).enumerated() {
            let signature = try device.signature(Self.fields, counter: UInt64(counter))
            let reason = try await validate(harness, signature, named)
            #expect(reason == (counter == 0 ? .methodNotAllowed : .accepted), "\(condition) \(named)")
        }
    }

    @Test func `a rule decides on a signature by the amount, and not where it is not known`() async throws {
        let range = try required(AmountRange(atLeast: PolicyTableTests.amount("1000 EUR")))
        let harness = try await Harness(Self.refusing(.amount(range)))
        let device = try await harness.activate()
        for (counter, amount) in ["1000 EUR", "999.99 EUR", "1000 USD", nil].enumerated() {
            let signature = try device.signature(Self.fields, counter: UInt64(counter))
            let reason = try await validate(harness, signature, Named(amount: amount))
            #expect(reason == (counter == 0 ? .methodNotAllowed : .accepted), "\(amount ?? "none")")
        }
    }

    @Test func `a rule decides on a signature by the age of the latest device`() async throws {
        let harness = try await Harness(Self.refusing(.deviceAge(lessThan: .seconds(86_400))))
        let device = try await harness.activate()
        #expect(try await validate(harness, device.signature(Self.fields, counter: 0), Named()) == .methodNotAllowed)
        harness.time.advance(seconds: 86_400)
        #expect(try await validate(harness, device.signature(Self.fields, counter: 1), Named()) == .accepted)
    }

    @Test func `a creditor is known after an approval, also for a signature`() async throws {
        let harness = try await Harness(Self.refusing(.creditor(.new)))
        let device = try await harness.activate()
        func reason(_ counter: UInt64) async throws -> LoginDecision.Reason {
            try await validate(
                harness, device.signature(Self.fields, counter: counter), Named(creditor: "ACME"))
        }
        #expect(try await reason(0) == .methodNotAllowed)
        let hash = harness.platform.hashes.stored(creditor: "ACME", of: Harness.alice)
        var risk = RiskState()
        risk.record(.approvedStrongly(creditor: hash), at: harness.time.now(), policy: .default)
        let row = AccountRiskRecord(account: Harness.alice, state: risk.encoded)
        try await harness.platform.store.write { try requireWritten($0.insert(row)) }
        #expect(try await reason(1) == .accepted)
    }

    @Test func `a small amount does not make possession enough for a signature`() async throws {
        let harness = try await Harness(.init(postQuantum: .off, policy: .accepting([.password, .possession])))
        let device = try await harness.activate()
        let small = Named(amount: "1 EUR")
        let weak = try device.signature(Self.fields, counter: 0, instance: .possession)
        #expect(try await validate(harness, weak, small) == .methodNotAllowed)
        #expect(try await validate(harness, device.signature(Self.fields, counter: 1), small) == .accepted)
    }

    @Test func `wrong signatures count as wrong codes do, and block both`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        for _ in 0..<3 { #expect(try await validate(harness, "00000000").reason == .wrongCredential) }
        for _ in 0..<2 { #expect(try await harness.login("00000000").reason == .wrongCredential) }
        let signature = try device.signature(Self.fields, counter: 0)
        #expect(try await validate(harness, signature).reason == .blocked)
        #expect(try await harness.login(device.code(at: harness.time.now())).reason == .blocked)
        harness.time.advance(milliseconds: 60_000)
        #expect(try await validate(harness, signature).status == .accepted)
        #expect(try await harness.platform.account(Harness.account())?.consecutiveFailures == 0)
    }

    @Test(arguments: CryptoApplicationIndex.allCases.filter { $0 != .app4 })
    func `no other application signs, for any user`(application: CryptoApplicationIndex) async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let signature = try device.signature(Self.fields, counter: 0)
        let code = try device.code(at: harness.time.now())
        for typed in [signature, code] {
            for user in [Harness.alice, "nobody@master"] {
                let decision = try await validate(harness, typed, Self.fields, user, application: application)
                #expect(decision.reason == .applicationNotAllowed)
            }
        }
        #expect(try await failures(harness).isEmpty)
        #expect(try await harness.login(signature, application: .app4).reason == .applicationNotAllowed)
        #expect(try await validate(harness, signature).status == .accepted)
    }

    @Test func `unknown user, wrong signature and blocked user give one answer to the application server`()
        async throws
    {
        let harness = try await Harness()
        _ = try await harness.activate()
        var decisions = [
            try await validate(harness, "00000000", Self.fields, "nobody@master"), try await validate(harness, "0"),
        ]
        for _ in 0..<5 { _ = try await validate(harness, "00000000") }
        decisions.append(try await validate(harness, "00000000"))
        #expect(Set(decisions.map(\.reason)).count == 3)
        for decision in decisions {
            #expect(decision.status == .refused)
            #expect(decision.method == nil && decision.device == nil && decision.hostCode == nil)
        }
    }

    @Test func `strangers do not block a browser that was accepted before`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        #expect(try await harness.login(device.code(at: harness.time.now()), source: "mine").status == .accepted)
        for _ in 0..<5 { _ = try await validate(harness, "00000000", source: "theirs") }
        let signature = try device.signature(Self.fields, counter: 0)
        #expect(try await validate(harness, signature, source: "theirs").reason == .blocked)
        #expect(try await validate(harness, signature, source: "mine").status == .accepted)
    }

    @Test func `signatures of a device that has not synchronized since a restore are not accepted`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        #expect(try await validate(harness, device.signature(Self.fields, counter: 0)).status == .accepted)
        try await harness.platform.markRestored(revocations: .nothingRevoked)
        #expect(try await validate(harness, device.signature(Self.fields, counter: 1)).reason == .notSynchronized)
        harness.time.advance(milliseconds: 11_000)
        let counters = [ApplicationCounter(application: 4, counter: 2)]
        try await device.send(
            .synchronize(
                generation: 0, counters: counters, capabilities: [], statement: device.platformKeys.sequence),
            to: harness)
        #expect(try await validate(harness, device.signature(Self.fields, counter: 1)).reason == .usedCode)
        #expect(try await validate(harness, device.signature(Self.fields, counter: 2)).status == .accepted)
    }

    @Test func `fields outside their limits are refused by name`() async throws {
        let account = try Harness.account()
        func refusal(_ fields: [DataField]) -> DataFieldError? {
            do {
                _ = try LocalTransaction(account: account, fields: fields, signature: "1")
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal([])?.code == .fieldCount)
        #expect(refusal(Array(repeating: DataField(value: "1"), count: 9))?.code == .fieldCount)
        let long = refusal([DataField(value: "1"), DataField(value: String(repeating: "x", count: 17))])
        #expect(long?.code == .tooLong && long?.index == 1)
        #expect(refusal([DataField(label: "a\u{202E}", value: "1")])?.part == .label)
        #expect(refusal([DataField(value: "AC\u{200B}ME")])?.code == .character)
        #expect(refusal([DataField(value: " ")])?.code == .empty)
        #expect(refusal(Self.fields) == nil)
    }
}
