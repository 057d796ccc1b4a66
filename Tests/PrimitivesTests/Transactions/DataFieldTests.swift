import Testing

@testable import Primitives

@Suite struct DataFieldTests {
    /// Returns the error of the fields; `nil` when they are within their limits.
    private func error(_ fields: [DataField]) -> DataFieldError? {
        do {
            _ = try DataFields(fields)
            return nil
        } catch {
            return error
        }
    }

    private func value(_ text: String) -> DataFieldError? {
        error([DataField(value: "first"), DataField(value: text)])
    }

    @Test func `one to eight fields are allowed`() {
        for count in 0...9 {
            let found = error(Array(repeating: DataField(label: "Amount", value: "100.00"), count: count))
            #expect(found?.code == ((1...8).contains(count) ? nil : .fieldCount))
            #expect(found?.part == nil && found?.index == nil)
        }
        #expect(error([])?.message == "there must be 1 to 8 fields")
    }

    @Test func `texts have 1 to 16 characters and at most 64 bytes`() {
        #expect(value("") == DataFieldError(.empty, .value, 1))
        #expect(value("1") == nil)
        #expect(value(String(repeating: "x", count: 16)) == nil)
        #expect(value(String(repeating: "x", count: 17))?.code == .tooLong)
        // Sixteen characters of four bytes each, and then of five.
        #expect(value(String(repeating: "😀", count: 16)) == nil)
        #expect(value(String(repeating: "😀", count: 15) + "e\u{323}\u{302}\u{301}\u{327}\u{328}")?.code == .tooLong)
        #expect(value(String(repeating: "👨‍👩‍👧", count: 4))?.code == .tooLong)
        #expect(value(String(repeating: "x", count: 100_000))?.code == .tooLong)
    }

    @Test func `characters are counted in normalization form C, which is what is signed`() throws {
        let decomposed = String(repeating: "e\u{301}", count: 16)
        let fields = try DataFields([DataField(label: "Z\u{6F}e\u{308}", value: decomposed)]).fields
        #expect(fields.map { Array($0.value.unicodeScalars) } == [Array(repeating: "é", count: 16)])
        #expect(fields.map { $0.label.map { Array($0.unicodeScalars) } } == [["Z", "o", "ë"]])
    }

    @Test(
        arguments: DisplayTextTests.refused + [
            0x0, 0x9, 0xA, 0xD, 0x1B, 0x7F, 0x85, 0x2029, 0x202A, 0x202B, 0x202C, 0x202D, 0x2067, 0x2068,
            0x200C, 0x200D, 0xE0061, 0xFE0F,
        ])
    func `control characters, separators of lines and characters that are not shown are refused`(scalar: UInt32) throws
    {
        let character = String(try #require(Unicode.Scalar(scalar)))
        // A combining mark alone shows nothing either.
        #expect([.character, .empty].contains(value(character)?.code))
        for text in ["a" + character, "a" + character + "b"] {
            #expect(value(text)?.code == .character)
            let labeled = error([DataField(label: text, value: "1")])
            #expect(labeled?.code == .character && labeled?.part == .label && labeled?.index == 0)
        }
    }

    @Test(arguments: [" ", "\u{A0}\u{3000}", "\u{301}"])
    func `a text that shows nothing is refused as an empty one`(text: String) {
        #expect(value(text)?.code == .empty)
        #expect(error([DataField(label: text, value: "1")])?.code == .empty)
    }

    @Test func `a field is displayed with its label, each in an isolate`() {
        #expect(DataField(label: "To", value: "Zoë").displayed == "\u{2068}To\u{2069}: \u{2068}Zoë\u{2069}")
        #expect(DataField(value: "1").displayed == "\u{2068}1\u{2069}")
    }

    @Test func `an error names the field and shows nothing of it`() {
        let found = value("secret\u{202E}")
        #expect(found?.part == .value && found?.index == 1)
        #expect(found?.message == "field 2: the value has a character that is not allowed")
        #expect(
            error([DataField(label: "", value: "1")])?.message == "field 1: the label is empty, or shows nothing")
        #expect(
            error([DataField(label: String(repeating: "x", count: 17), value: "1")])?.message
                == "field 1: the label is longer than 16 characters or 64 bytes")
        #expect(found?.description.contains("secret") == false)
    }

    @Test func `a field does not print its texts`() {
        let field = DataField(label: "Payee", value: "Mallory")
        var dumped = ""
        dump(field, to: &dumped)
        for text in ["\(field)", String(reflecting: field), dumped] {
            #expect(!text.contains("Payee") && !text.contains("Mallory"))
        }
    }
}
