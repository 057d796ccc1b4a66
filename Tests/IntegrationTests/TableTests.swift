import CommandLine
import Testing

/// The tables that the programs print.
struct TableTests {
    @Test func `characters that control a terminal or begin a line are escaped`() {
        let name = "\u{1B}[2Jphone\nTI1\r\u{9B}\u{202E}\u{2028}\u{2029}\u{7F}\u{200B}"
        let escaped =
            #"\u{1B}[2Jphone\u{A}TI1\u{D}\u{9B}\u{202E}\u{2028}\u{2029}\u{7F}\u{200B}"#
        #expect(Table([["id", name]]).text == "id  " + escaped)
        #expect(Table([("name", name)]).text == "name  " + escaped)
        #expect(Table([[name, "a"], ["b", "c"]]).text.split(separator: "\n").count == 2)
    }

    @Test(arguments: ["phone", "a  b", #"\u{1B}"#])
    func `other names are printed as they are`(name: String) {
        #expect(Table([[name]]).text == name)
    }

    @Test(arguments: ["Zoë’s phone 📱", "電話", "שלום", "می\u{200C}خواهم", "👩\u{200D}🔬"])
    func `a name that is not ASCII is in an isolate, which has no width`(name: String) {
        let padding = String(repeating: " ", count: name.count)
        #expect(
            Table([[name, "a"], ["", "b"]]).text == "\u{2068}\(name)\u{2069}  a\n\(padding)  b")
    }

    @Test func `an isolate in a name is escaped, and characters that are not shown are`() {
        let escaped = #"a\u{2068}\u{3164}\u{2800}\u{E0061}\u{FFFC}\u{200D}b"#
        #expect(Table([["a\u{2068}\u{3164}\u{2800}\u{E0061}\u{FFFC}\u{200D}b"]]).text == escaped)
    }
}
