import Primitives
import Testing

@testable import TrustedIdentity

@Suite struct PolicyRulesTests {
    private static func euros(_ text: String) throws -> MonetaryAmount {
        try required(MonetaryAmount(Amount(text), .eur))
    }

    private static func rule(_ name: String, _ conditions: PolicyCondition...) throws -> PolicyRule {
        try required(PolicyRule(name, when: conditions, then: .refuse))
    }

    private static func amount(atLeast least: String? = nil, atMost greatest: String? = nil) throws -> PolicyCondition {
        .amount(try required(AmountRange(atLeast: least.map(euros), atMost: greatest.map(euros))))
    }

    /// Conditions of which the first implies the second, and not the other way round.
    private static func implications() throws -> [(PolicyCondition, PolicyCondition)] {
        let range = try required(NetworkRange("192.0.2.0/24"))
        let host = try required(NetworkRange("192.0.2.7"))
        let office = try required(TimeOfDayRange(from: 480, to: 1_080))
        let noon = try required(TimeOfDayRange(from: 720, to: 780))
        let night = try required(TimeOfDayRange(from: 1_320, to: 360))
        let midnight = try required(TimeOfDayRange(from: 1_430, to: 5))
        return [
            (try amount(atMost: "30"), try amount(atMost: "50")),
            (try amount(atLeast: "50"), try amount(atLeast: "30")),
            (try amount(atLeast: "30", atMost: "40"), try amount(atLeast: "20", atMost: "40")),
            (try amount(atMost: "30"), .currency([.eur])),
            (.currency([.eur]), .currency([.eur, try Currency("USD")])),
            (
                .smallPayments(fewerThan: 3, lessThan: try euros("50")),
                .smallPayments(fewerThan: 5, lessThan: try euros("50"))
            ),
            (.address(in: [host]), .address(in: [range])), (.addressOutside([range]), .addressOutside([host])),
            (.time(noon), .time(office)), (.time(midnight), .time(night)),
            (.deviceAge(lessThan: .seconds(60)), .deviceAge(lessThan: .seconds(61))),
            (.rejections(atLeast: 2), .rejections(atLeast: 1)), (.type(["a"]), .type(["a", "b"])),
        ]
    }

    @Test func `a rule that an earlier one covers overlaps with it`() throws {
        let last = try Self.rule("last")
        for (narrow, wide) in try Self.implications() {
            #expect(narrow.implies(wide) && !wide.implies(narrow) && narrow.implies(narrow) && wide.implies(wide))
            let rules = [try Self.rule("narrow", narrow, .creditor(.new)), try Self.rule("wide", wide), last]
            #expect(PolicyRules.problems(in: rules) == [])
            let swapped = [rules[1], rules[0], last]
            #expect(PolicyRules.problems(in: swapped) == [.overlap(rule: 1, earlier: 0)], "\(narrow) \(wide)")
            #expect(PolicyRules(swapped) == nil)
        }
    }

    @Test func `rules that fire in different situations, or partly in the same, do not overlap`() throws {
        let rules = [
            try Self.rule("a", Self.amount(atMost: "30")), try Self.rule("b", .creditor(.new)),
            try Self.rule("c", Self.amount(atLeast: "20", atMost: "50")), try Self.rule("d", .otherCurrency),
            try Self.rule("unknown", .amountUnknown), try Self.rule("shown", .freeText(isShown: true)),
            try Self.rule("typed", .freeText(isShown: false), .creditor(.known)),
            try Self.rule("e", .source(isKnown: true)), try Self.rule("f", .source(isKnown: false), .creditor(.known)),
            try Self.rule("g", .deviceData(key: "a", value: "1")),
            try Self.rule("h", .deviceData(key: "a", value: "2")),
            try Self.rule("i"),
        ]
        #expect(PolicyRules.problems(in: rules) == [])
    }

    @Test func `all problems of a list are found`() throws {
        let always = try Self.rule("always")
        let some = try Self.rule("some", .creditor(.new))
        #expect(PolicyRules.problems(in: []) == [.count])
        #expect(PolicyRules.problems(in: Array(repeating: always, count: 65)) == [.count])
        #expect(PolicyRules.problems(in: [some]) == [.missingFinalRule])
        #expect(
            PolicyRules.problems(in: [always, always, some]) == [
                .duplicateName(rule: 1, earlier: 0), .overlap(rule: 1, earlier: 0), .overlap(rule: 2, earlier: 0),
                .missingFinalRule,
            ])
    }

    @Test(arguments: ["", " a", "a ", "é", "a\n", String(repeating: "a", count: 65)])
    func `a name outside its limits is refused`(name: String) {
        #expect(PolicyRule(name, then: .accept) == nil)
        #expect(Policy(name: name) == nil)
    }

    @Test func `values outside their limits are refused`() throws {
        #expect(PolicyRequirement(.password, digits: 1) == nil && PolicyRequirement(.password, digits: 9) == nil)
        #expect(PolicyRequirement(.password, refusesWithoutNumber: true) == nil)
        #expect(PolicyRequirement(.face, fallbacks: [.possession]) == nil)
        #expect(PolicyRequirement(.face, fallbacks: [.face]) == nil)
        #expect(PolicyRequirement(.face, fallbacks: [.password, .password]) == nil)
        #expect(
            StrictMode(method: .possession) == nil && StrictMode(digits: 0) == nil && StrictMode(rejections: 0) == nil)
        #expect(StrictMode(rejections: 17) == nil && StrictMode(duration: .zero) == nil)
        #expect(PushLimits(burst: 0) == nil && PushLimits(daily: 101) == nil && PushLimits(window: .zero) == nil)
        #expect(PushLimits(backOff: .seconds(61), maximumBackOff: .seconds(60)) == nil)
        #expect(
            AmountRange() == nil && TimeOfDayRange(from: 5, to: 5) == nil && TimeOfDayRange(from: 0, to: 1_440) == nil)
        let (one, two) = (try Self.euros("1"), try Self.euros("2"))
        #expect(AmountRange(atLeast: two, atMost: one) == nil)
        #expect(AmountRange(atLeast: one, atMost: MonetaryAmount(minorUnits: 9, currency: try Currency("USD"))) == nil)
        for condition in [
            .currency([]), .address(in: []), .type([]), .rejections(atLeast: 0), .rejections(atLeast: 17),
            .deviceAge(lessThan: .zero), .smallPayments(fewerThan: 0, lessThan: one),
        ] as [PolicyCondition] {
            #expect(PolicyRule("never", when: [condition], then: .accept) == nil)
        }
        #expect(PolicyRule("many", when: Array(repeating: .otherCurrency, count: 17), then: .accept) == nil)
    }

    @Test(arguments: [
        ("192.0.2.0/24", "192.0.2.255", true), ("192.0.2.0/24", "192.0.3.0", false), ("192.0.2.7", "192.0.2.7", true),
        ("192.0.2.7", "192.0.2.8", false), ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "2001:db8::1", false),
        ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
        ("192.0.2.0/24", "::ffff:192.0.2.9", true), ("::/0", "192.0.2.1", true),
        ("10.0.0.0/8", "10.255.0.1", true), ("2001:db8::1/128", "2001:db8::1", true),
    ])
    func `a range contains the addresses with its prefix`(range: String, address: String, isInside: Bool) throws {
        let address = try required(NetworkAddress(address))
        #expect(try required(NetworkRange(range)).contains(address) == isInside)
    }

    @Test(arguments: [
        "", "/", "192.0.2.1/24", "192.0.2.0/33", "192.0.2.0/-1", "192.0.2.0/+8", "192.0.2.0/08", "192.0.2.0/", "x/8",
        "192.0.2.0/24/8", "2001:db8::/129", "2001:db8::1/64", "192.0.2", "fe80::1%eth0", "192.0.2.1:80", "1.2.3.4\u{0}",
    ])
    func `a text that is no range is refused`(text: String) {
        #expect(NetworkRange(text) == nil)
    }

    @Test func `a range of times includes its start and not its end, also over midnight`() throws {
        let night = try required(TimeOfDayRange(from: 1_320, to: 360))
        func contains(_ range: TimeOfDayRange, _ minute: Int64, day: Int64 = 0) -> Bool {
            range.contains(Timestamp(millisecondsSinceEpoch: day * 86_400_000 + minute * 60_000))
        }
        for day in [-1, 0, 20_000] as [Int64] {
            #expect(contains(night, 1_320, day: day) && contains(night, 0, day: day) && contains(night, 359, day: day))
            #expect(!contains(night, 360, day: day) && !contains(night, 1_319, day: day))
        }
        #expect(night.contains(Timestamp(millisecondsSinceEpoch: 360 * 60_000 - 1)))
    }

    @Test func `each condition decides a rule`() throws {
        let time = PolicyTableTests.start
        let base = Situation(.transaction, at: time)
        func fires(_ condition: PolicyCondition, _ change: (inout Situation) -> Void) throws -> Bool {
            var changed = base
            change(&changed)
            let rules = try required(PolicyRules([Self.rule("tested", condition), Self.rule("last")]))
            return rules.rule(for: changed, window: .seconds(600)).decides.name == "tested"
        }
        let range = try required(NetworkRange("192.0.2.0/24"))
        let cases: [(PolicyCondition, (inout Situation) -> Void)] = [
            (try Self.amount(atMost: "5"), { $0.amount = PolicyTableTests.amount("5 EUR") }),
            (.currency([.eur]), { $0.amount = PolicyTableTests.amount("7 EUR") }),
            (.otherCurrency, { $0.amount = PolicyTableTests.amount("7 USD") }),
            (.freeText(isShown: true), { $0.showsFreeText = true }),
            (.creditor(.new), { $0.creditor = .new }),
            (.source(isKnown: true), { $0.isSourceKnown = true }), (.browser(.known), { $0.browser = .known }),
            (.numbers(areShown: true), { $0.showsNumbers = true }),
            (.address(in: [range]), { $0.address = NetworkAddress("192.0.2.1") }),
            (.deviceAge(lessThan: .seconds(10)), { $0.deviceAge = .seconds(9) }),
            (.rejections(atLeast: 1), { $0.risk.record(.rejected(.canceled), at: time, policy: .default) }),
            (.type(["a", "b"]), { $0.type = "b" }),
            (.deviceData(key: "rooted", value: "true"), { $0.deviceData = ["rooted": "true"] }),
            (.deviceDataUnknown(key: "rooted"), { $0.deviceData = ["system": "Linux"] }),
        ]
        for (condition, change) in cases {
            let (isFired, isFiredBefore) = (try fires(condition, change), try fires(condition) { _ in })
            #expect(isFired && !isFiredBefore, "\(condition)")
        }
        // Those hold when nothing is known.
        #expect(try fires(.amountUnknown) { _ in })
        #expect(try fires(.freeText(isShown: false)) { _ in })
        #expect(try !fires(.amountUnknown) { $0.amount = PolicyTableTests.amount("1 EUR") })
        #expect(try !fires(.freeText(isShown: false)) { $0.showsFreeText = true })
        #expect(try fires(.addressOutside([range])) { _ in })
        #expect(try !fires(.addressOutside([range])) { $0.address = NetworkAddress("192.0.2.1") })
        #expect(try fires(.smallPayments(fewerThan: 1, lessThan: Self.euros("1"))) { _ in })
        #expect(
            try !fires(.rejections(atLeast: 1)) {
                $0.risk.record(.rejected(.canceled), at: time.advanced(seconds: -600), policy: .default)
            })
        #expect(try !fires(.deviceAge(lessThan: .seconds(10))) { $0.deviceAge = .seconds(10) })
    }
}
