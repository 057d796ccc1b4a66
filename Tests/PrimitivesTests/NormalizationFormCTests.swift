import Primitives
import Testing

@Suite struct NormalizationFormCTests {
    @Test(arguments: ["", "alice", "Zoë", "é", "한글", "Å", "ﬁ", "नमस्ते"])
    func `a text in the form is recognized, and is returned as it is`(text: String) {
        #expect(NormalizationFormC.contains(text))
        #expect(NormalizationFormC.of(text).utf8.elementsEqual(text.utf8))
    }

    @Test(arguments: [
        ("Zoe\u{308}", "Zo\u{EB}"), ("\u{212B}", "\u{C5}"), ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"),
        ("a\u{301}\u{323}", "\u{1EA1}\u{301}"),
    ])
    func `another spelling of the same text is not in the form`(text: String, normal: String) {
        // Swift calls the two strings equal.
        #expect(text == normal)
        #expect(!NormalizationFormC.contains(text))
        #expect(NormalizationFormC.of(text).utf8.elementsEqual(normal.utf8))
    }
}
