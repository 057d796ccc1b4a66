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

    @Test(arguments: ["phone", "Zoë’s phone 📱", "電話", "a  b", #"\u{1B}"#])
    func `other names are printed as they are`(name: String) {
        #expect(Table([[name]]).text == name)
    }
}
