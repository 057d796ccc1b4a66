import OrchestrationProtocol
import Primitives
import Testing

/// The vectors of the messages have a row for each rule. Here are the errors that name the field and the rule.
@Suite struct DisplayDataTests {
    @Test(arguments: [
        (DisplayField.text(""), DisplayDataError.Code.empty, "text"), (.text(" \u{2003}"), .empty, "text"),
        (.creditor("\u{301}"), .empty, "creditor"),
        (.text(String(repeating: "x", count: 1_025)), .tooLong, "text"),
        (.field(label: "", value: "v"), .empty, "field"), (.field(label: "l", value: " "), .empty, "field"),
        (.field(label: String(repeating: "é", count: 65), value: ""), .tooLong, "field"),
        (.field(label: "l", value: String(repeating: "𐅑", count: 257)), .tooLong, "field"),
        (.creditor(String(repeating: "x", count: 141)), .tooLong, "creditor"),
        (.creditor("a\u{0}"), .forbiddenCharacter, "creditor"),
        (.remittance("a\u{85}"), .forbiddenCharacter, "remittance"),
        (.requester("a\u{2066}b"), .forbiddenCharacter, "requester"),
        (.place("Zu\u{308}rich"), .notNormalized, "place"),
    ])
    func `a text that breaks a rule is an error that names the field and the rule`(
        field: DisplayField, code: DisplayDataError.Code, name: String
    ) {
        let error = #expect(throws: DisplayDataError.self) { try DisplayData([.text("first"), field]) }
        #expect(error?.code == code)
        #expect(error?.index == 1)
        #expect(error?.fieldName == name)
        #expect(error?.description.hasPrefix("\(code) in field 1 (\(name)): the text ") == true)
    }

    @Test func `texts of the maximum lengths are accepted, counted in code points`() throws {
        for unit in ["x", "é", "𐅑"] {
            func text(_ count: Int) -> String { String(repeating: unit, count: count) }
            let fields: [DisplayField] = [
                .field(label: text(64), value: text(256)), .creditor(text(140)), .remittance(text(140)),
                .requester(text(64)), .place(text(64)), .field(label: text(1), value: ""),
            ]
            #expect(try DisplayData(fields).fields == fields)
        }
        #expect(try DisplayData([.text(String(repeating: "é", count: 1_024))]).fields.count == 1)
    }

    /// A character of each refused range, for the tests of all texts. A literal cannot contain U+FDD0.
    static let refused: [UInt32] = [
        0x0, 0x9, 0xA, 0xD, 0x1F, 0x7F, 0x80, 0x9F, 0x2028, 0x2029, 0x202A, 0x202E, 0x61C, 0x200E, 0x200F, 0x2066,
        0x2069,
        0xAD, 0x34F, 0x115F, 0x17B4, 0x180B, 0x200B, 0x200C, 0x200D, 0x2060, 0x206A, 0x3164, 0xFE00, 0xFE0F, 0xFEFF,
        0xFFA0, 0xFFF0, 0x1BCA0, 0x1D173, 0xE0000, 0xE0061, 0xE0100,
        0x2800, 0xFFF9, 0xFFFC, 0x13430, 0x16FE4, 0x1D159,
        0xE000, 0xF8FF, 0xF0000, 0x10FFFD, 0xFDD0, 0xFFFF, 0x1FFFE, 0x10FFFE,
    ]

    @Test(arguments: refused)
    func `characters that are not shown, alone or inside, are refused in every text`(value: UInt32) throws {
        let character = String(try #require(Unicode.Scalar(value)))
        for text in [character, "a\(character)b"] {
            let fields: [DisplayField] = [
                .text(text), .field(label: text, value: ""), .field(label: "l", value: text), .creditor(text),
                .remittance(text), .requester(text), .place(text),
            ]
            for field in fields {
                let error = #expect(throws: DisplayDataError.self) { try DisplayData([field]) }
                #expect(error?.code == .forbiddenCharacter)
            }
        }
    }

    @Test(arguments: ["a b", "ab\u{A0}c", "क\u{200D}ष", "می\u{200C}خواهم", "שלום", "🇦🇹", "👩\u{200D}🔬", "ﷺ"])
    func `other characters are accepted, joiners and letters from right to left among them`(text: String) throws {
        #expect(try DisplayData([.text(text)]).fields == [.text(text)])
    }

    @Test func `an amount and its currency come together, with no more decimal places than the currency has`() throws {
        func code(_ fields: [DisplayField]) -> DisplayDataError? {
            do throws(DisplayDataError) {
                _ = try DisplayData(fields)
                return nil
            } catch {
                return error
            }
        }
        let (euro, yen) = (DisplayField.currency(try Currency("EUR")), DisplayField.currency(try Currency("JPY")))
        func amount(_ text: String) throws -> DisplayField { .amount(try Amount(text)) }
        #expect(code([try amount("10.50"), euro]) == nil)
        #expect(code([try amount("10"), yen]) == nil)
        #expect(code([.currency(try Currency("KWD"))])?.code == .unpairedAmount)
        #expect(code([try amount("1.234"), .currency(try Currency("KWD"))]) == nil)
        #expect(code([try amount("1.234"), euro])?.code == .tooManyDecimalPlaces)
        #expect(code([try amount("1.0"), yen])?.code == .tooManyDecimalPlaces)
        let alone = code([.text("x"), try amount("1")])
        #expect(alone?.code == .unpairedAmount && alone?.index == 1 && alone?.fieldName == "amount")
        #expect(code([try amount("1"), .text("x"), euro])?.code == .unpairedAmount)
        #expect(code([euro, try amount("1")])?.index == 0)
        let twice = code([try amount("1"), euro, try amount("1"), euro])
        #expect(twice?.code == .duplicateType && twice?.index == 2)
    }

    @Test func `a typed field occurs once`() throws {
        let iban = try IBAN("GB82WEST12345698765432")
        let time = Timestamp(millisecondsSinceEpoch: 1)
        for field: DisplayField in [
            .creditor("a"), .creditorAccount(iban), .remittance("a"), .time(time), .requester("a"), .place("a"),
        ] {
            let error = #expect(throws: DisplayDataError.self) { try DisplayData([field, .text("x"), field]) }
            #expect(error?.code == .duplicateType)
            #expect(error?.index == 2)
        }
        let free: [DisplayField] = [
            .text("a"), .text("a"), .field(label: "l", value: ""), .field(label: "l", value: ""),
        ]
        #expect(try DisplayData(free).fields == free)
    }

    @Test func `the number of fields and their bytes are limited`() {
        #expect(throws: Never.self) { try DisplayData([DisplayField](repeating: .text("x"), count: 16)) }
        let many = #expect(throws: DisplayDataError.self) {
            try DisplayData([DisplayField](repeating: .text("x"), count: 17))
        }
        #expect(many?.code == .tooManyFields && many?.index == nil)
        #expect(many?.description == "tooManyFields: there are more than 16 fields")
        // Four texts of at most 1,024 characters: each has 5 bytes more, and the array has one.
        func fields(_ last: Int) -> [DisplayField] {
            [1_020, 1_020, 1_020, last].map { .text(String(repeating: "x", count: $0)) }
        }
        #expect(throws: Never.self) { try DisplayData(fields(4_096 - 1 - 3 * 1_025 - 5)) }
        let large = #expect(throws: DisplayDataError.self) { try DisplayData(fields(4_096 - 1 - 3 * 1_025 - 4)) }
        #expect(large?.code == .tooLarge)
    }

    @Test func `no fields are display data, too`() throws {
        #expect(try DisplayData([]) == .empty)
    }
}
