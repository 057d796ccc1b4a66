import Orchestration
import Primitives
import Testing

@Suite struct PasswordWeaknessTests {
    private let any = PINPolicy(minimumLength: 4, maximumLength: 64, digitsOnly: false, tries: 5)

    private func fault(_ text: String, _ policy: PINPolicy? = nil) throws -> PasswordFault? {
        Sample.password(text).fault(under: try #require(policy ?? any))
    }

    @Test(arguments: [
        ("000000", PasswordFault.constantStep), ("123456", .constantStep), ("987654", .constantStep),
        ("890123", .constantStep), ("024680", .constantStep), ("147036", .constantStep), ("abcdef", .constantStep),
        ("zzzzzz", .constantStep), ("121212", .repetition), ("123123", .repetition), ("123321", .repetition),
        ("112233", .repetition), ("777888", .repetition), ("7397397", .repetition), ("73917391", .repetition),
        ("241287", .date), ("122487", .date), ("871224", .date), ("24121987", .date), ("12241987", .date),
        ("19871224", .date), ("121987", .date), ("198712", .date), ("290200", .date), ("2412", .date),
        ("1987", .date), ("147258", .keypadLine), ("159357", .keypadLine), ("2580", .keypadLine),
        ("14789632", .keypadLine), ("1337", .common), ("12369", .keypadLine), ("142536", .common),
        ("314159", .common), ("password", .common), ("PassWord1", .common), ("qwertz", .common),
    ])
    func `a likely password is refused by name`(_ text: String, _ expected: PasswordFault) throws {
        #expect(try fault(text) == expected)
    }

    @Test(arguments: [
        "739105", "583027", "4071", "60485", "93750284", "310299871", "tr0ub4dor", "füßig und rot", "8350761", "990231",
    ])
    func `an uncommon password is accepted`(_ text: String) throws {
        #expect(try fault(text) == nil)
    }

    @Test func `the form is judged first, in characters`() throws {
        let digits = PINPolicy.default
        #expect(try fault("12345", digits) == .tooShort(minimum: 6))
        #expect(try fault("", digits) == .tooShort(minimum: 6))
        #expect(try fault("7391057391057", digits) == .tooLong(maximum: 12))
        #expect(try fault("73910a", digits) == .notDigits)
        #expect(try fault("７３９１０５", digits) == .notDigits)
        #expect(try fault("739 105", digits) == .notDigits)
        #expect(try fault("73910\u{7}5") == .invalidText)
        #expect(try fault("73910\u{85}5") == .invalidText)
        #expect(try fault("üßé") == .tooShort(minimum: 4))
        #expect(try fault("üßéx") == nil)
    }

    @Test(
        arguments: [
            [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80], [0xFF], [0xC3, 0x28],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are refused`(_ bytes: [UInt8]) throws {
        let policy = try #require(any)
        let fault = Password(SecretBytes(copying: Array("abxz".utf8) + bytes)).fault(under: policy)
        #expect(fault == .invalidText)
    }

    @Test func `a confirmation is equal or it is not`() {
        let password = Sample.password("739105")
        let (same, other, shorter) = (
            password.equals(Sample.password("739105")), password.equals(Sample.password("739106")),
            password.equals(Sample.password("73910"))
        )
        #expect(same)
        #expect(!other)
        #expect(!shorter)
    }

    @Test func `the limits of a policy hold`() {
        #expect(PINPolicy(minimumLength: 3, maximumLength: 8, digitsOnly: true, tries: 5) == nil)
        #expect(PINPolicy(minimumLength: 8, maximumLength: 7, digitsOnly: true, tries: 5) == nil)
        #expect(PINPolicy(minimumLength: 4, maximumLength: 65, digitsOnly: true, tries: 5) == nil)
        #expect(PINPolicy(minimumLength: 4, maximumLength: 8, digitsOnly: true, tries: 6) == nil)
        #expect(PINPolicy(minimumLength: 4, maximumLength: 8, digitsOnly: true, tries: 2) == nil)
        #expect(PINPolicy(minimumLength: 6, maximumLength: 12, digitsOnly: true, tries: 5) == .default)
    }

    /// The effect of the rules on the passwords that people chose. The figures are those of the tables of 2024. The
    /// limits are narrow, so that a change of the rules shows its effect.
    ///
    /// For example, of the real choices of 4 digits the rules refuse 54.3 %, and of all numbers 16.8 %.
    @Test(arguments: [
        Judgement(digits: 4, choices: 0.5432, numbers: 0.1681, topTen: 10, topHundred: 100),
        Judgement(digits: 5, choices: 0.2933, numbers: 0.0193, topTen: 10, topHundred: 100),
    ])
    func `the rules refuse what real people chose most`(_ expected: Judgement) throws {
        let table = try PINTable(digits: expected.digits)
        let policy = try #require(any)
        var (refusedChoices, refusedNumbers) = (0, 0)
        var refused: Set<String> = []
        for (pin, count) in table.counts where Sample.password(pin).fault(under: policy) != nil {
            refusedChoices += count
            refusedNumbers += 1
            refused.insert(pin)
        }
        let byUse = table.counts.sorted { $0.value > $1.value }.map(\.key)
        let share = Double(refusedChoices) / Double(table.total)
        let cost = Double(refusedNumbers) / Double(table.counts.count)
        #expect(abs(share - expected.choices) < 0.0005, "choices refused: \(share)")
        #expect(abs(cost - expected.numbers) < 0.0005, "numbers refused: \(cost)")
        #expect(byUse.prefix(10).filter(refused.contains).count == expected.topTen)
        #expect(byUse.prefix(100).filter(refused.contains).count == expected.topHundred)
        // The share of passwords found in five tries, without the rules and with them.
        let left = byUse.filter { !refused.contains($0) }.prefix(5).reduce(0) { $0 + (table.counts[$1] ?? 0) }
        let before = byUse.prefix(5).reduce(0) { $0 + (table.counts[$1] ?? 0) }
        #expect(Double(left) / Double(table.total - refusedChoices) < 0.005)
        #expect(Double(before) / Double(table.total) > 0.1)
    }

    @Test func `of six digits, a tenth is refused and no more`() throws {
        let policy = PINPolicy.default
        var refused = 0
        // Every 37th of the million; 37 shares no factor with the powers of ten.
        for number in stride(from: 0, to: 1_000_000, by: 37) {
            let text = String(repeating: "0", count: 6 - "\(number)".count) + "\(number)"
            if Sample.password(text).fault(under: policy) != nil { refused += 1 }
        }
        #expect((0.085...0.1).contains(Double(refused) / (1_000_000 / 37)))
    }
}

struct Judgement: Sendable {
    var digits: Int
    var choices: Double
    var numbers: Double
    var topTen: Int
    var topHundred: Int
}
