import Benchmark
import Primitives
import TrustedIdentity

/// Registers decisions of the policy. The goal is at most 20 microseconds.
func policyBenchmarks() {
    decision("policy-decision-default", .default)
    // The most rules that a list may have, each with the most conditions, of which the last one does not hold.
    decision("policy-decision-longest", longestPolicy())
}

private func decision(_ name: String, _ policy: Policy) {
    Benchmark(name, configuration: .hotPath) { benchmark in
        let situations = try situations()
        benchmark.measure {
            for count in benchmark.scaledIterations {
                blackHole(policy.decide(situations[count % situations.count]))
            }
        }
    }
}

/// Returns a payment that passes all rules, one of possession, and logins in and out of the strict mode.
private func situations() throws -> [Situation] {
    let now = Timestamp(secondsSinceEpoch: 1_800_000_000)
    let euro = try Currency("EUR")
    var strict = RiskState()
    for _ in 0..<16 { strict.record(.rejected(.canceled), at: now, policy: .default) }
    for _ in 0..<100 { strict.record(.pushed, at: now, policy: .default) }
    func payment(_ cents: UInt64) -> Situation {
        Situation(
            .transaction, at: now, type: "transfer", amount: MonetaryAmount(minorUnits: cents, currency: euro),
            creditor: .known, address: NetworkAddress("192.0.2.1"), isSourceKnown: true, showsNumbers: true,
            availableMethods: [.password, .possession])
    }
    return [
        payment(50_000), payment(2_000), Situation(.login, at: now, showsNumbers: true),
        Situation(.login, at: now, isSourceKnown: true, showsNumbers: true, risk: strict),
    ]
}

private func longestPolicy() -> Policy {
    guard let range = NetworkRange("192.0.2.0/24"), let day = TimeOfDayRange(from: 0, to: 1_439) else {
        preconditionFailure("the range and the time are right")
    }
    let rules = (1..<PolicyRules.maximumCount).map { index in
        let holding = [PolicyCondition](
            repeating: .address(in: [range]), count: PolicyRule.maximumConditions - 2)
        return PolicyRule("rule \(index)", when: holding + [.time(day), .type(["\(index)"])], then: .refuse)
    }
    guard let last = PolicyRule("last", then: .accept), let list = PolicyRules(rules.compactMap(\.self) + [last]),
        let policy = Policy(name: "longest", logins: list, transactions: list)
    else { preconditionFailure("the rules do not overlap") }
    return policy
}
