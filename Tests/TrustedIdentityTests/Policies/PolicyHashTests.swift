import Primitives
import Testing

@testable import TrustedIdentity

/// The hash by which processes compare their policies.
@Suite struct PolicyHashTests {
    private static func euros(_ count: UInt64) throws -> MonetaryAmount {
        try MonetaryAmount(minorUnits: count, currency: Currency("EUR"))
    }

    /// Each condition, twice with other values where it has any.
    private static func conditions() throws -> [PolicyCondition] {
        let (euro, yen) = (try Currency("EUR"), try Currency("JPY"))
        func range(_ text: String) throws -> NetworkRange { try #require(NetworkRange(text)) }
        return [
            .amount(try #require(AmountRange(atMost: euros(1)))), .amount(try #require(AmountRange(atLeast: euros(1)))),
            .amountUnknown, .currency([euro]), .currency([euro, yen]), .otherCurrency,
            .creditor(.new), .creditor(.known), .freeText(isShown: true), .freeText(isShown: false),
            .smallPayments(fewerThan: 1, lessThan: try euros(1)), .smallPayments(fewerThan: 2, lessThan: try euros(1)),
            .smallPayments(fewerThan: 1, lessThan: try euros(2)), .source(isKnown: true), .source(isKnown: false),
            .browser(.new), .browser(.unnamed), .numbers(areShown: true), .numbers(areShown: false),
            .address(in: [try range("192.0.2.0/24")]), .address(in: [try range("192.0.2.0/25")]),
            .address(in: [try range("2001:db8::/32")]), .addressOutside([try range("192.0.2.0/24")]),
            .time(try #require(TimeOfDayRange(from: 1, to: 2))), .time(try #require(TimeOfDayRange(from: 2, to: 1))),
            .deviceAge(lessThan: .seconds(1)), .deviceAge(lessThan: .milliseconds(1)), .rejections(atLeast: 1),
            .rejections(atLeast: 2), .type(["a"]), .type(["a", "b"]),
        ]
    }

    private static func policy(when condition: PolicyCondition) throws -> Policy {
        let rule = try #require(PolicyRule("first", when: [condition], then: .refuse))
        let last = try #require(PolicyRule("last", then: .accept))
        let rules = try #require(PolicyRules([rule, last]))
        return try #require(Policy(name: "test", logins: rules))
    }

    private static func policy(then action: PolicyAction) throws -> Policy {
        let rule = try #require(PolicyRule("only", then: action))
        let rules = try #require(PolicyRules([rule]))
        return try #require(Policy(name: "test", logins: rules))
    }

    @Test func `policies that differ anywhere have different hashes`() throws {
        let plain = try #require(Policy(name: "test"))
        var policies = [Policy.default, plain]
        policies += try Self.conditions().map(Self.policy)
        let requirements = [
            PolicyRequirement(.password), PolicyRequirement(.biometric), PolicyRequirement(.password, digits: 6),
            PolicyRequirement(.password, digits: 6, refusesWithoutNumber: true),
            PolicyRequirement(.password, rejectsWithPossession: false), PolicyRequirement(.biometric, fallbacks: []),
        ]
        policies += try requirements.map { try Self.policy(then: .challenge(#require($0))) }
        policies += [try Self.policy(then: .accept), try Self.policy(then: .refuse)]
        func changed(_ change: (inout Policy) throws -> Void) rethrows {
            var policy = plain
            try change(&policy)
            policies.append(policy)
        }
        changed { $0.transactions = $0.logins }
        changed { $0.events = $0.logins }
        changed { $0.codes.methods = [.password] }
        changed { $0.codes.applications = [.app1] }
        changed { $0.codes.hostCodes = false }
        changed { $0.codes.seals = false }
        changed { $0.codes.staticPasswords = false }
        try changed { $0.pushes = try #require(PushLimits(burst: 4)) }
        try changed { $0.pushes = try #require(PushLimits(daily: 4)) }
        try changed { $0.pushes = try #require(PushLimits(backOff: .seconds(61))) }
        try changed { $0.strict = try #require(StrictMode(rejections: 4)) }
        try changed { $0.strict = try #require(StrictMode(window: .seconds(601))) }
        try changed { $0.strict = try #require(StrictMode(digits: 8)) }
        changed { $0.softwareProviders = true }
        #expect(Set(policies).count == policies.count)
        #expect(Set(policies.map(\.canonicalHash)).count == policies.count)
        #expect(policies.allSatisfy { $0.canonicalHash.count == 32 })
    }

    @Test func `the hash does not depend on the order in a set`() throws {
        let names = (0..<20).map { "type \($0)" }
        let hashes = try (0..<20).map { count in
            // Sets of the same members with other capacities have other orders.
            var types = Set<String>(minimumCapacity: count * 20)
            for name in count.isMultiple(of: 2) ? names : names.reversed() { types.insert(name) }
            return try Self.policy(when: .type(types)).canonicalHash
        }
        #expect(Set(hashes).count == 1)
    }
}
