import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The rules of a policy that depend on the data of the device that answers.
@Suite struct DeviceRulesTests {
    private static let keys = ["locale", "system"]
    private static let values = ["true", "false", "Linux"]

    private static func rule(
        _ name: String, _ conditions: [PolicyCondition], _ action: PolicyAction
    ) throws -> PolicyRule {
        try required(PolicyRule(name, when: conditions, then: action))
    }

    private static func policy(_ rules: [PolicyRule]) throws -> Policy {
        var policy = Policy.default
        policy.transactions = try required(PolicyRules(rules))
        return policy
    }

    @Test func `a policy without a condition on device data leaves nothing open`() {
        #expect(Policy.default.deviceRules(for: Situation(.transaction, at: Timestamp(secondsSinceEpoch: 0))) == nil)
    }

    @Test func `rules whose other conditions do not hold are closed`() throws {
        let rooted = PolicyCondition.deviceData(key: "rooted", value: "true")
        let policy = try Self.policy([
            Self.rule("new", [.creditor(.new), rooted], .refuse),
            Self.rule("rest", [], .challenge(required(PolicyRequirement(.password)))),
        ])
        let now = Timestamp(secondsSinceEpoch: 0)
        #expect(policy.deviceRules(for: Situation(.transaction, at: now, creditor: .known)) == nil)
        let open = try required(policy.deviceRules(for: Situation(.transaction, at: now, creditor: .new)))
        #expect(open.rules.count == 2)
        #expect(!open.accepts(.password, digits: 0, from: ["rooted": "true"]))
        #expect(open.accepts(.password, digits: 0, from: ["rooted": "false"]))
        #expect(!open.accepts(.possession, digits: 0, from: ["rooted": "false"]))
        // What is not known may be what the policy refuses.
        #expect(!open.accepts(.password, digits: 0, from: [:]))
    }

    @Test func `two values of one field never hold together`() throws {
        for other in [PolicyCondition.deviceData(key: "a", value: "2"), .deviceDataUnknown(key: "a")] {
            let policy = try Self.policy([
                Self.rule("never", [.deviceData(key: "a", value: "1"), other], .refuse),
                Self.rule("rest", [], .refuse),
            ])
            let situation = Situation(.transaction, at: Timestamp(secondsSinceEpoch: 0))
            #expect(policy.deviceRules(for: situation) == nil)
        }
    }

    @Test func `a policy says by unknown what happens to a device that does not report a value`() throws {
        let password = PolicyAction.challenge(try required(PolicyRequirement(.password)))
        let rules = [
            try Self.rule("not reported", [.deviceDataUnknown(key: "rooted")], password),
            try Self.rule("rooted", [.deviceData(key: "rooted", value: "true")], .refuse),
            try Self.rule("rest", [], password),
        ]
        let situation = Situation(.transaction, at: Timestamp(secondsSinceEpoch: 0))
        for (rules, accepted) in [(rules, true), ([rules[1], rules[0], rules[2]], false)] {
            let open = try DeviceRules(decoding: required(Self.policy(rules).deviceRules(for: situation)).encoded)
            #expect(open.accepts(.password, digits: 0, from: [:]) == accepted)
            #expect(open.accepts(.password, digits: 0, from: ["rooted": "false"]))
            #expect(!open.accepts(.password, digits: 0, from: ["rooted": "true"]))
        }
    }

    @Test func `an approval needs the digits of the rule for its device`() throws {
        let digits = PolicyAction.challenge(try required(PolicyRequirement(.password, digits: 6)))
        let policy = try Self.policy([
            Self.rule("rooted", [.deviceData(key: "rooted", value: "true")], digits),
            Self.rule("rest", [], .challenge(required(PolicyRequirement(.password)))),
        ])
        let situation = Situation(.transaction, at: Timestamp(secondsSinceEpoch: 0), showsNumbers: true)
        let open = try required(policy.deviceRules(for: situation))
        #expect(!open.accepts(.password, digits: 0, from: ["rooted": "true"]))
        #expect(open.accepts(.password, digits: 6, from: ["rooted": "true"]))
        #expect(open.accepts(.password, digits: 0, from: ["rooted": "false"]))
        #expect(!open.accepts(.password, digits: 0, from: [:]))
    }

    @Test func `device data do not count before a device answers`() throws {
        let password = PolicyAction.challenge(try required(PolicyRequirement(.password)))
        let possession = PolicyAction.challenge(try required(PolicyRequirement(.possession)))
        let rooted = try Self.rule("rooted", [.deviceData(key: "rooted", value: "true")], .refuse)
        let sound = try Self.rule("sound", [.deviceData(key: "rooted", value: "false")], possession)
        let new = try Self.rule("new", [.creditor(.new), .deviceData(key: "rooted", value: "false")], password)
        let situation = Situation(.transaction, at: Timestamp(secondsSinceEpoch: 0), creditor: .known)
        for (rules, decides) in [
            ([rooted, try Self.rule("rest", [], password)], "rest"),
            // A rule that refuses all others leaves the decision to those that ask.
            ([new, sound, try Self.rule("rest", [], .refuse)], "sound"),
            ([new, rooted, try Self.rule("rest", [], .refuse)], "rest"),
        ] {
            #expect(try Self.policy(rules).decide(situation).rule == decides)
        }
    }

    @Test func `a typed credential is refused by a rule on data that it does not carry`() throws {
        let password = PolicyAction.challenge(try required(PolicyRequirement(.password)))
        let rooted = try Self.rule("rooted", [.deviceData(key: "rooted", value: "true")], .refuse)
        let unknown = try Self.rule("unknown", [.deviceDataUnknown(key: "rooted")], password)
        let rest = try Self.rule("rest", [], password)
        let situation = Situation(.localSignature(method: .password), at: Timestamp(secondsSinceEpoch: 0))
        let refused = try Self.policy([rooted, rest]).decide(situation)
        #expect(refused.outcome == .refuse(.rule) && refused.rule == "rooted")
        #expect(try Self.policy([unknown, rooted, rest]).decide(situation).outcome == .accept)
        #expect(try Self.policy([rest]).decide(situation).outcome == .accept)
    }

    @Test func `a value that a field never has is refused, because its rule would never apply`() {
        for (key, value, isAllowed) in [
            ("rooted", "true", true), ("rooted", "yes", false), ("rooted", "True", false), ("rooted", "1", false),
            ("uptime", "3600", true), ("uptime", "60", false), ("uptime", "03600", false), ("system", "Linux", true),
            ("system", String(repeating: "x", count: 65), false), ("system", "", false), ("system", "a\nb", false),
            ("releaseDate", "2026-02-28", true), ("releaseDate", "2026-2-28", false), ("latitude", "-90000001", false),
            ("unheardOf", "x", true),
        ] {
            let rule = PolicyRule("r", when: [.deviceData(key: key, value: value)], then: .refuse)
            #expect((rule != nil) == isAllowed, "\(key) \(value)")
        }
    }

    @Test func `a rule that accepts without a device reads no device data and comes before those that do`() throws {
        let reads = try Self.rule("reads", [.deviceData(key: "rooted", value: "false")], .accept)
        let refuses = try Self.rule("refuses", [.deviceData(key: "rooted", value: "true")], .refuse)
        let small = try Self.rule("small", [.creditor(.known)], .accept)
        let rest = try Self.rule("rest", [], .refuse)
        #expect(PolicyRules.problems(in: [reads, rest]) == [.acceptanceWithoutData(rule: 0, dataRule: 0)])
        #expect(PolicyRules.problems(in: [refuses, small, rest]) == [.acceptanceWithoutData(rule: 1, dataRule: 0)])
        #expect(PolicyRules.problems(in: [small, refuses, rest]) == [])
    }

    /// Returns the completions of data in which some keys are not known: each such key has each value, or none.
    private static func completions(_ data: [String: String]) -> [[String: String]] {
        keys.filter { data[$0] == nil }.reduce([data]) { found, key in
            found.flatMap { data in ([nil, "other"] + values).map { data.merging($0.map { [key: $0] } ?? [:]) { $1 } } }
        }
    }

    private static func accepts(_ policy: Policy, _ method: AuthenticationMethod, _ situation: Situation) -> Bool {
        switch policy.decide(situation).outcome {
        case .accept: true
        case .refuse: false
        case .challenge(let challenge): ([challenge.method] + challenge.fallbacks).contains(method)
        }
    }

    @Test func `the open rules decide as the whole policy does, and what is not known never makes them weaker`() throws
    {
        var random = SeededRandomSource(seed: 11).generator()
        let possession = try required(PolicyRequirement(.possession))
        let password = try required(PolicyRequirement(.password))
        let actions: [PolicyAction] = [.refuse, .challenge(possession), .challenge(password)]
        var (known, unknown, accepted) = (0, 0, 0)
        for _ in 0..<2_000 {
            var rules: [PolicyRule] = []
            for number in 0..<Int.random(in: 1...5, using: &random) {
                var conditions: [PolicyCondition] = []
                if Bool.random(using: &random) {
                    conditions.append(.creditor(Bool.random(using: &random) ? .new : .known))
                }
                for key in Self.keys where Bool.random(using: &random) {
                    conditions.append(.deviceData(key: key, value: Self.values.randomElement(using: &random) ?? ""))
                }
                rules.append(try Self.rule("r\(number)", conditions, actions.randomElement(using: &random) ?? .refuse))
            }
            rules.append(try Self.rule("last", [], actions.randomElement(using: &random) ?? .refuse))
            guard PolicyRules.problems(in: rules).isEmpty else { continue }
            let policy = try Self.policy(rules)
            var situation = Situation(
                .transaction, at: Timestamp(secondsSinceEpoch: 0), creditor: Bool.random(using: &random) ? .new : .known
            )
            guard let open = try policy.deviceRules(for: situation).map({ try DeviceRules(decoding: $0.encoded) })
            else { continue }
            var data: [String: String] = [:]
            for key in Self.keys where Bool.random(using: &random) {
                data[key] = Self.values.randomElement(using: &random)
            }
            for method in AuthenticationMethod.allCases {
                let isAccepted = open.accepts(method, digits: 0, from: data)
                if data.count == Self.keys.count {
                    known += 1
                    situation.deviceData = data
                    #expect(isAccepted == Self.accepts(policy, method, situation))
                } else if isAccepted {
                    unknown += 1
                    for completion in Self.completions(data) where completion.count == Self.keys.count {
                        situation.deviceData = completion
                        #expect(Self.accepts(policy, method, situation))
                    }
                }
                if isAccepted { accepted += 1 }
            }
        }
        #expect(known > 100 && unknown > 100 && accepted > 100)
    }

    @Test(arguments: [
        "", "a0", "81f6", "8180", "8182a080", "8183a08000", "8183a0810400", "8183a101018000", "8183a08009",
        "8183a1616180f6", "ff",
    ])
    func `bytes that are no rules are refused`(hex: String) {
        let bytes = [UInt8](hex: hex)
        if hex == "8183a08000" {
            #expect(throws: Never.self) { try DeviceRules(decoding: bytes) }
        } else {
            #expect(throws: WireError.self) { try DeviceRules(decoding: bytes) }
        }
    }
}
