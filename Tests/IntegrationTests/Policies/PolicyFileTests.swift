import Foundation
import Primitives
import TestSupport
import Testing
import TrustedIdentity

@testable import TrustedIdentityServer

/// The reading of policy files: what they mean, and the places and words of all problems.
@Suite struct PolicyFileTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the problems of a text, one on each line.
    private func problems(_ text: String) -> String {
        do throws(PolicyFileError) {
            _ = try PolicyFile.policy(in: text)
            return ""
        } catch {
            return error.description
        }
    }

    @Test func `the file with the default is the default`() throws {
        #expect(try PolicyFile.policy(in: PolicyFile.standard) == Policy.default)
        #expect(try PolicyFile.policy(in: "policy: default") == Policy.default)
    }

    @Test func `the article shows the file with the default`() throws {
        let page = Self.root.appending(path: "DocC/Orchestration.docc/Platform/PoliciesAndRisk.md")
        let article = try String(contentsOf: page, encoding: .utf8)
        #expect(article.contains("```yaml\n\(PolicyFile.standard)```"))
    }

    @Test func `every key has its effect`() throws {
        let policy = try PolicyFile.policy(
            in: """
                policy: everything
                logins:
                - rule: office
                  when:
                    address: [192.0.2.0/24, "2001:db8::/32"]
                    address-outside: 192.0.2.7
                    time: 08:00-18:30
                    source: known
                    browser: new
                    numbers: shown
                    device-younger-than: 7d
                    rejections: 2
                    type: [a, b]
                    device-data: {rooted: "false", os: linux, protected: unknown}
                  then: {method: face, digits: 4, without-number: refuse, rejection: possession, fallbacks: [biometric]}
                - rule: rest
                  then: refuse
                transactions:
                - rule: range
                  when:
                    amount: {at-least: 10.50 EUR, at-most: 20 EUR}
                    creditor: unnamed
                  then: accept
                - rule: yen
                  when: {currency: [JPY, USD], free-text: none}
                  then: {method: biometric}
                - rule: not typed
                  when: {amount: unknown, free-text: shown}
                  then: refuse
                - rule: numbers hidden, night
                  when: {numbers: hidden, time: "22:00-06:00", source: unknown}
                  then: {method: password, digits: 0, without-number: approve, rejection: same}
                - rule: rest
                  then: {method: possession, fallbacks: [password, face]}
                events:
                - rule: events
                  then: accept
                codes:
                  methods: possession
                  applications: [app2, app8]
                  host-codes: false
                  seals: false
                  static-passwords: false
                pushes: {burst: 1, window: 1s, daily: 100, back-off: 2m, maximum-back-off: 24h}
                strict: {rejections: 16, window: 24h, duration: 30d, duration-after-not-me: 60s, method: face, digits: 8}
                """)
        #expect(policy.name == "everything")
        let ranges = try ["192.0.2.0/24", "2001:db8::/32"].map { try required(NetworkRange($0)) }
        let office = try required(policy.logins.rules.first)
        #expect(
            office.conditions == [
                .address(in: ranges), .addressOutside([try required(NetworkRange("192.0.2.7"))]),
                .time(try required(TimeOfDayRange(from: 480, to: 1_110))), .source(isKnown: true), .browser(.new),
                .numbers(areShown: true), .deviceAge(lessThan: .seconds(604_800)), .rejections(atLeast: 2),
                .type(["a", "b"]), .deviceData(key: "rooted", value: "false"), .deviceData(key: "os", value: "linux"),
                .deviceDataUnknown(key: "protected"),
            ])
        let face = try required(
            PolicyRequirement(
                .face, digits: 4, refusesWithoutNumber: true, rejectsWithPossession: true, fallbacks: [.biometric]))
        #expect(office.name == "office" && office.action == .challenge(face))
        #expect(policy.logins.rules.last?.action == .refuse)
        let euro = try Currency("EUR")
        let range = try required(
            AmountRange(
                atLeast: MonetaryAmount(minorUnits: 1_050, currency: euro),
                atMost: MonetaryAmount(minorUnits: 2_000, currency: euro)))
        let rules = policy.transactions.rules
        #expect(rules[0].conditions == [.amount(range), .creditor(.unnamed)] && rules[0].action == .accept)
        #expect(
            rules[1].conditions
                == [.currency([try Currency("JPY"), try Currency("USD")]), .freeText(isShown: false)])
        #expect(rules[2].conditions == [.amountUnknown, .freeText(isShown: true)] && rules[2].action == .refuse)
        let night = try required(TimeOfDayRange(from: 1_320, to: 360))
        #expect(rules[3].conditions == [.numbers(areShown: false), .time(night), .source(isKnown: false)])
        #expect(rules[3].action == .challenge(try required(PolicyRequirement(.password, rejectsWithPossession: false))))
        let last = try required(PolicyRequirement(.possession, fallbacks: [.password, .face]))
        #expect(rules[4].action == .challenge(last))
        #expect(policy.events?.rules.map(\.action) == [.accept])
        #expect(
            policy.codes
                == TypedCodes(
                    methods: [.possession], applications: [.app2, .app8], hostCodes: false, seals: false,
                    staticPasswords: false))
        #expect(
            policy.pushes
                == PushLimits(
                    burst: 1, window: .seconds(1), daily: 100, backOff: .seconds(120), maximumBackOff: .seconds(86_400))
        )
        #expect(
            policy.strict
                == StrictMode(
                    rejections: 16, window: .seconds(86_400), duration: .seconds(2_592_000),
                    durationAfterNotMe: .seconds(60), method: .face, digits: 8))
    }

    /// A rule for transactions with a condition on line 4, column 11.
    private static func when(_ condition: String) -> String {
        """
        policy: p
        transactions:
        - rule: a
          when: {\(condition)}
          then: refuse
        - rule: b
          then: accept
        """
    }

    /// A rule for logins with an action on line 4, column 9.
    private static func then(_ action: String) -> String {
        """
        policy: p
        logins:
        - rule: a
          then: \(action)
        """
    }

    private static let rows: [(text: String, problem: String)] = [
        ("", "1:1: the file is empty: write a policy"), ("# nothing\n", "1:1: the file is empty: write a policy"),
        ("policy", "1:1: this is not a mapping: write 'KEY: VALUE' with the keys policy, logins, transactions, events"),
        ("- policy", "1:1: this is not a mapping"), ("codes: {}", "1:1: the key 'policy' is missing"),
        ("policy: p\npolcy: q", "2:1: unknown key 'polcy': did you mean 'policy'?"),
        ("policy: p\npolicy: q", "2:1: the key 'policy' occurs more than once in this mapping: keep one"),
        ("policy:", "1:8: the value is missing"), ("policy: é", "1:9: the name is not allowed"),
        ("policy: [p]", "1:9: this is not a single value"),
        ("policy: p\n---\npolicy: q", "2:1: this is not YAML: but found another document"),
        ("policy: p\nlogins: {", "4:1: this is not YAML: "), ("policy: \"p", "3:1: this is not YAML: "),
        ("policy: p\n\tlogins: x", "2:1: this is not YAML: "), ("policy: p\u{7}", "1:10: this is not YAML: "),
        ("policy: &a p", "1:9: anchors and aliases are not supported"), ("policy: *a", "1:9: anchors and aliases"),
        ("? [policy]\n: p", "1:3: a key is not text"),
        ("policy: p\nlogins: x", "2:9: rules are a list: begin each with '- rule: NAME'"),
        ("policy: p\nlogins: []", "2:9: there are 0 rules: use 1 to 64"),
        ("policy: p\nlogins:\n- x", "3:3: this is not a mapping"),
        ("policy: p\nlogins:\n- then: accept", "3:3: the rule has no name: add 'rule: NAME'"),
        ("policy: p\nlogins:\n- rule: a", "3:3: the rule has no action: add 'then: accept'"),
        (
            "policy: p\nlogins:\n- rule: a\n  then: accept\n  wen: {}",
            "5:3: unknown key 'wen': did you mean 'when'?"
        ),
        (
            "policy: p\nlogins:\n- rule: a\n  when: {source: known}\n  then: accept",
            "3:3: the last rule has conditions: add a final rule without 'when'"
        ),
        (
            """
            policy: p
            logins:
            - rule: a
              when: {source: known}
              then: accept
            - rule: a
              then: refuse
            """,
            "6:3: the name is that of the rule 'a' at line 3: give each rule its own"
        ),
        (
            """
            policy: p
            transactions:
            - rule: wide
              when: {amount: {at-most: 50 EUR}}
              then: accept
            - rule: narrow
              when: {amount: {at-most: 30 EUR}, creditor: known}
              then: refuse
            - rule: rest
              then: refuse
            """,
            "6:3: the rule overlaps with the rule 'wide' at line 3, which always fires before it: move it up"
        ),
        (
            "policy: p\nlogins:\n- rule: a\n  then: accept\n- rule: b\n  then: refuse",
            "5:3: the rule overlaps with the rule 'a' at line 3"
        ),
        (when("amount: {at-most: 1e5 EUR}"), "4:28: '1e5' is no amount: use digits with at most one dot"),
        (when("amount: {at-most: -5 EUR}"), "4:28: '-5' is no amount"),
        (when("amount: {at-most: 1.234 EUR}"), "4:28: the amount has more decimal places than EUR: use at most 2"),
        (when("amount: {at-most: 1.0 JPY}"), "4:28: the amount has more decimal places than JPY: use at most 0"),
        (when("amount: {at-most: 5}"), "4:28: '5' is no amount with a currency: write '30 EUR', for example"),
        (when("amount: {at-most: 5 EURO}"), "4:28: unknown currency 'EURO': use a code of ISO 4217 such as EUR"),
        (when("amount: {at-most: 5 eur}"), "4:28: unknown currency 'eur'"),
        (when("amount: 5 EUR"), "4:18: this is not a mapping: write 'KEY: VALUE' with the keys at-least, at-most"),
        (when("amount: {}"), "4:18: the amount has no bound, two currencies"),
        (when("amount: {at-least: 5 EUR, at-most: 4 EUR}"), "4:18: the amount has no bound, two currencies"),
        (when("amount: {at-least: 5 EUR, at-most: 6 USD}"), "4:18: the amount has no bound, two currencies"),
        (when("amount: unnamed"), "4:18: this is not a mapping: write 'KEY: VALUE' with the keys at-least, at-most"),
        (when("free-text: hidden"), "4:21: 'hidden' is not allowed here: use one of none, shown"),
        (when("currency: [EUR, XXX]"), "4:26: unknown currency 'XXX'"),
        (when("currency: []"), "4:20: the list has 0 values: use 1 to 64"),
        (when("creditor: old"), "4:20: 'old' is not allowed here: use one of known, new, unnamed"),
        (when("creditor: [new]"), "4:20: this is not a single value"),
        (when("small-payments: {fewer-than: 5}"), "4:26: the sum of the payments is missing"),
        (when("small-payments: {less-than: 5 EUR}"), "4:26: the number of payments is missing"),
        (when("small-payments: {fewer-than: 0, less-than: 5 EUR}"), "4:39: '0' is not a number from 1 to 1000"),
        (when("small-payments: {fewer-than: 5, less-than: 0 EUR}"), "4:53: no sum is less than 0: use a larger amount"),
        (when("address: 192.0.2.1/24"), "4:19: '192.0.2.1/24' is no range of addresses"),
        (when("time: 8-18"), "4:16: '8-18' is no time of the day: write '22:00-06:00', for example"),
        (when("time: 24:00-06:00"), "4:16: '24:00-06:00' is no time of the day"),
        (when("time: 08:00-08:00"), "4:16: the range begins and ends at one time"),
        (when("device-younger-than: 5"), "4:31: '5' is no duration: write '90s', '10m', '1h' or '7d', for example"),
        (when("device-younger-than: 99999d"), "4:31: the duration is too short or too long: use 1s to 3650d"),
        (when("rejections: 2.0"), "4:22: '2.0' is not a number from 1 to 16"),
        (when("rejections: +2"), "4:22: '+2' is not a number from 1 to 16"),
        (when("device-data: x"), "4:23: device data is a mapping of keys to values"),
        (when("device-data: {rooted: yes}"), "4:32: 'rooted' never has the value 'yes'"),
        (when("device-data: {uptime: 60}"), "4:32: 'uptime' never has the value '60'"),
        (when("device-data: {releaseDate: 2026-1-1}"), "4:37: 'releaseDate' never has the value '2026-1-1'"),
        (when("device-data: {latitude: 1.5}"), "4:34: 'latitude' never has the value '1.5'"),
        (
            "policy: p\nlogins:\n- rule: a\n  when: {device-data: {rooted: \"false\"}}\n  then: accept\n"
                + "- rule: b\n  then: refuse",
            "3:3: the rule accepts without a device, so that it cannot read device data: write a method"
        ),
        (
            "policy: p\nlogins:\n- rule: a\n  when: {device-data: {rooted: unknown}}\n  then: refuse\n"
                + "- rule: b\n  then: accept",
            "6:3: the rule accepts without a device, so that the device data of the rule 'a' at line 3 are never read"
        ),
        (when("amout: {at-most: 5 EUR}"), "4:10: unknown key 'amout': did you mean 'amount'?"),
        (then("maybe"), "4:9: 'maybe' is not allowed here: use one of accept, refuse, or a mapping with a method"),
        (then("{}"), "4:9: the method is missing: add 'method: password', for example"),
        (then("{method: pin}"), "4:18: 'pin' is not allowed here: use one of biometric, face, password, possession"),
        (then("{method: password, digits: 1}"), "4:36: one digit is guessed too easily"),
        (then("{method: password, digits: 9}"), "4:36: '9' is not a number from 0 to 8"),
        (then("{method: password, digits: six}"), "4:36: 'six' is not a number from 0 to 8"),
        (then("{method: password, without-number: refuse}"), "4:9: 'without-number: refuse' needs digits"),
        (then("{method: face, fallbacks: [possession]}"), "4:35: fallbacks are other methods than 'face', each once"),
        (then("{method: face, fallbacks: [face]}"), "4:35: fallbacks are other methods than 'face', each once"),
        ("policy: p\ncodes: {methods: [voice]}", "2:19: 'voice' is not allowed here: use one of biometric, face"),
        ("policy: p\ncodes: {applications: [app9]}", "2:24: 'app9' is not allowed here: use one of app1, app2"),
        ("policy: p\ncodes: {host-codes: yes}", "2:21: 'yes' is not allowed here: use one of false, true"),
        ("policy: p\npushes: {burst: 0}", "2:17: '0' is not a number from 1 to 100"),
        ("policy: p\npushes: {window: 25h}", "2:18: the duration is too short or too long: use 1s to 1d"),
        ("policy: p\npushes: {back-off: 2h}", "2:20: the back-off is longer than the maximum back-off"),
        ("policy: p\nstrict: {method: possession}", "2:18: 'possession' is not allowed here: use one of biometric"),
        ("policy: p\nstrict: {digits: 0}", "2:18: '0' is not a number from 2 to 8"),
        ("policy: p\nstrict: {rejections: 17}", "2:22: '17' is not a number from 1 to 16"),
    ]

    @Test(arguments: rows)
    func `a problem has a place, and says what to do`(text: String, problem: String) {
        let found = problems(text)
        #expect(found.hasPrefix(problem), "\(found)")
        #expect(found.split(separator: "\n").count == 1, "\(found)")
    }

    @Test func `all problems of a file are found, in the order of their places`() {
        let found = problems(
            """
            policy: " "
            logins:
            - rule: a
              when: {amount: {at-most: 1e5 EUR}, time: noon}
              then: {method: pin, digits: 9}
            - then: never
            transactions:
            - rule: b
              then: accept
            - rule: b
              when: {source: known}
              then: accept
            pushes: {burst: many, dayly: 3}
            strickt: {}
            """)
        let places = found.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(
            places == [
                "1:9:", "4:28:", "4:44:", "5:18:", "5:31:", "6:3:", "6:9:", "10:3:", "10:3:", "10:3:", "13:17:",
                "13:23:",
                "14:1:",
            ], "\(found)")
    }

    @Test func `a file that is too long, too deep or full of aliases is refused before it is parsed`() {
        #expect(problems(String(repeating: "# long\n", count: 10_000)).hasPrefix("1:1: the file is too long"))
        for opening in ["[", "{", "- ", "? ", "[{", "- ? "] {
            let deep = "policy: p\nlogins:\n" + String(repeating: opening, count: 15_000)
            #expect(problems(deep).contains("the file is nested too deeply"), "\(opening)")
        }
        let steps = (0..<300).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
        #expect(problems(steps).contains("the file is nested too deeply"))
        let bomb = "a: &a [x, x]\n" + (1..<30).map { "k\($0): &k\($0) [*k\($0 - 1), *k\($0 - 1)]\n" }.joined()
        #expect(problems(bomb).hasPrefix("1:4: anchors and aliases are not supported"))
    }

    @Test func `a problem repeats at most 40 characters of the file, without control characters`() {
        let found = problems("policy: p\n\"\\e[31m\(String(repeating: "x", count: 200))\": 1")
        #expect(found.hasPrefix("2:1: unknown key '?[31m") && !found.contains("\u{1B}"))
        #expect(found.contains("x…'") && !found.contains(String(repeating: "x", count: 41)))
    }

    @Test func `a changed file is a policy or has problems, and never ends the process`() throws {
        let standard = Array(PolicyFile.standard.utf8)
        let pieces = [
            "\n", "  ", "- ", ": ", "{", "}", "[", "]", "'", "\"", "\t", "# ", "rule: x", "when: {", "1e5 EUR", "-1",
            "~",
            "!!int ", "| ", "> ", "%", "@", "`", "\u{0}", "\u{FEFF}", "\u{85}", "é", "--- ", "... ", "? ", "<<: ",
            "then:",
        ].map { Array($0.utf8) }
        var random = SeededGenerator(seed: 77)
        var (accepted, refused) = (0, 0)
        for _ in 0..<3_000 {
            var bytes = standard
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
                case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...80, using: &random)))
                default:
                    let end = min(bytes.count, place + Int.random(in: 1...80, using: &random))
                    bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0..<bytes.count, using: &random))
                }
                if bytes.isEmpty { bytes = standard }
            }
            do throws(PolicyFileError) {
                _ = try PolicyFile.policy(in: String(decoding: bytes, as: UTF8.self))
                accepted += 1
            } catch {
                refused += 1
                #expect(!error.problems.isEmpty && error.problems.allSatisfy { $0.line > 0 && $0.column > 0 })
            }
        }
        #expect(accepted > 100 && refused > 1_000, "\(accepted) \(refused)")
    }
}

/// Returns a value that must not be `nil`. A macro cannot be within a macro.
private func required<Value>(_ value: Value?) throws -> Value { try #require(value) }
