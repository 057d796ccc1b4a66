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

    @Test(arguments: [
        "\u{0}", "\t", "\n", "\r", "\u{1B}", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}", "\u{61C}", "\u{200E}",
        "\u{200F}", "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}",
        "\u{2069}", "\u{200B}", "\u{3164}", "\u{2800}", "\u{AD}", "\u{FEFF}", "\u{E0061}", "\u{FE0F}", "\u{200D}",
        "\u{E000}", "\u{10FFFF}",
    ])
    func `control characters, separators of lines and characters that are not shown are refused`(character: String) {
        for text in [character, "a" + character, "a" + character + "b"] {
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
        #expect(found?.part == .value && found?.index == 1 && found?.blame == .caller)
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
