import OrchestrationTesting
import Primitives
import TestSupport
import Testing
import Wire

@testable import TrustedIdentity

/// The rules of a policy that depend on the data of the device that answers.
@Suite struct DeviceRulesTests {
    private static let keys = ["rooted", "system"]
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
        #expect(!Policy.default.readsDeviceData)
        #expect(Policy.default.deviceRules(for: Situation(.transaction, at: Timestamp(secondsSinceEpoch: 0))) == nil)
    }

    @Test func `rules whose other conditions do not hold are closed`() throws {
        let rooted = PolicyCondition.deviceData(key: "rooted", value: "true")
        let policy = try Self.policy([
            Self.rule("new", [.creditor(.new), rooted], .refuse), Self.rule("rest", [], .accept),
        ])
        #expect(policy.readsDeviceData)
        let now = Timestamp(secondsSinceEpoch: 0)
        #expect(policy.deviceRules(for: Situation(.transaction, at: now, creditor: .known)) == nil)
        let open = try required(policy.deviceRules(for: Situation(.transaction, at: now, creditor: .new)))
        #expect(open.rules.count == 2)
        #expect(!open.accepts(.password, from: ["rooted": "true"]))
        #expect(open.accepts(.password, from: ["rooted": "false"]))
        #expect(open.accepts(.possession, from: [:]))
    }

    @Test func `two values of one field never hold together`() throws {
        let policy = try Self.policy([
            Self.rule(
                "never", [.deviceData(key: "a", value: "1"), .deviceData(key: "a", value: "2")], .accept),
            Self.rule("rest", [], .refuse),
        ])
        let situation = Situation(.transaction, at: Timestamp(secondsSinceEpoch: 0))
        #expect(policy.deviceRules(for: situation) == nil)
    }

    @Test func `the open rules decide as the whole policy does, for every data`() throws {
        var random = SeededRandomSource(seed: 11).generator()
        let possession = try required(PolicyRequirement(.possession))
        let password = try required(PolicyRequirement(.password))
        let actions: [PolicyAction] = [.accept, .refuse, .challenge(possession), .challenge(password)]
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
            let open = try policy.deviceRules(for: situation).map { try DeviceRules(decoding: $0.encoded) }
            for key in Self.keys where Bool.random(using: &random) {
                situation.deviceData[key] = Self.values.randomElement(using: &random)
            }
            guard let open else { continue }
            for method in AuthenticationMethod.allCases {
                let expected: Bool =
                    switch policy.decide(situation).outcome {
                    case .accept: true
                    case .refuse: false
                    case .challenge(let challenge): ([challenge.method] + challenge.fallbacks).contains(method)
                    }
                #expect(open.accepts(method, from: situation.deviceData) == expected)
            }
        }
    }

    @Test(arguments: ["", "a0", "81f6", "8180", "8182a080", "8182a08104", "8182a1010180", "ff"])
    func `bytes that are no rules are refused`(hex: String) {
        let bytes = [UInt8](hex: hex)
        if hex == "8182a080" {
            #expect(throws: Never.self) { try DeviceRules(decoding: bytes) }
        } else {
            #expect(throws: WireError.self) { try DeviceRules(decoding: bytes) }
        }
    }
}
