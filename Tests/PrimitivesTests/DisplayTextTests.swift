import Primitives
import Testing

/// The characters of the texts that a user sees, as the article "Approval requests and answers" lists them.
@Suite struct DisplayTextTests {
    /// The first and the last character of each refused range, except controls. A literal cannot contain U+FDD0.
    static let refused: [UInt32] = [
        0x2028, 0x202E, 0x061C, 0x200E, 0x200F, 0x2066, 0x2069,
        0xAD, 0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180E, 0x180F, 0x200B, 0x2060, 0x2065, 0x206A, 0x206F,
        0x3164, 0xFE00, 0xFE0E, 0xFEFF, 0xFFA0, 0xFFF0, 0xFFF8, 0x1BCA0, 0x1BCA3, 0x1D173, 0x1D17A, 0xE0000, 0xE0001,
        0xE0020, 0xE007F, 0xE0100, 0xE01EF, 0xE0FFF,
        0x2800, 0xFFF9, 0xFFFC, 0x13430, 0x1345F, 0x16FE4, 0x1D159,
        0xE000, 0xF8FF, 0xF0000, 0xFFFFD, 0x100000, 0x10FFFD,
        0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x1FFFF, 0xEFFFF, 0x10FFFE, 0x10FFFF,
    ]

    @Test(arguments: refused)
    func `a character that is not shown is refused alone, inside a text, at its ends, and after an emoji`(
        value: UInt32
    ) throws {
        let character = String(try #require(Unicode.Scalar(value)))
        for text in [
            character, "AC\(character)ME", "\(character)ACME", "ACME\(character)", "\u{0645}\(character)\u{0645}",
            "\u{2764}\(character)\u{2764}",
        ] {
            #expect(!DisplayText.hasAllowedCharacters(text))
        }
    }

    @Test func `the neighbors of the refused ranges are allowed`() throws {
        for value: UInt32 in [
            0x20, 0x7E, 0xA0, 0xAC, 0xAE, 0x34E, 0x350, 0x61B, 0x115E, 0x1161, 0x17B3, 0x17B6, 0x180A, 0x1810, 0x200A,
            0x2010, 0x2027, 0x202F, 0x205F, 0x2070, 0x27FF, 0x2801, 0x3163, 0x3165, 0xD7FF, 0xF900, 0xFDCF, 0xFDF0,
            0xFDFF, 0xFE10, 0xFEFE, 0xFF00, 0xFF9F, 0xFFA1, 0xFFEF, 0xFFFD, 0x10000, 0x1342F, 0x13460, 0x16FE3, 0x16FE5,
            0x1BC9F, 0x1BCA4, 0x1D158, 0x1D15A, 0x1D172, 0x1D17B, 0xDFFFD, 0xE1000, 0xEFFFD,
        ] {
            let character = String(try #require(Unicode.Scalar(value)))
            #expect(DisplayText.hasAllowedCharacters("a\(character)"), "\(value)")
        }
    }

    @Test(arguments: [
        "ACME", "Zo\u{EB}\u{2019}s caf\u{E9}", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}", "\u{FDFA}",
        // Persian, Arabic, Devanagari and Sinhala.
        "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}", "\u{647}\u{200D}\u{645}",
        "\u{915}\u{94D}\u{200D}\u{937}", "\u{915}\u{94D}\u{200C}\u{937}", "\u{DC1}\u{DCA}\u{200D}\u{DBB}\u{DD3}",
        // A heart, a family, a scientist with a skin tone, the rainbow flag, a kiss, the pirate flag.
        "\u{2764}\u{FE0F}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}",
        "\u{1F469}\u{1F3FD}\u{200D}\u{1F52C}", "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}",
        "\u{1F469}\u{200D}\u{2764}\u{FE0F}\u{200D}\u{1F48B}\u{200D}\u{1F468}", "\u{1F3F4}\u{200D}\u{2620}\u{FE0F}",
        // The flag of Austria is two regional indicators. A keycap has no variation selector.
        "\u{1F1E6}\u{1F1F9}", "1\u{20E3}",
    ])
    func `texts of other scripts and emoji are seen and allowed`(text: String) {
        #expect(DisplayText.hasAllowedCharacters(text))
        #expect(DisplayText.isSeen(text))
    }

    @Test(arguments: [
        "AC\u{200D}ME", "AC\u{200C}ME", "\u{410}\u{200D}\u{410}", "\u{391}\u{200C}\u{391}", "1\u{200D}2",
        "\u{200D}", "\u{200C}", "\u{200C}\u{645}", "\u{645}\u{200C}", "\u{645}\u{200C} \u{645}",
        "\u{645} \u{200C}\u{645}",
        "\u{645}\u{200C}\u{200C}\u{645}", "\u{645}\u{200D}\u{200C}\u{645}", "\u{645}\u{200D}A", "A\u{200D}\u{645}",
        "\u{1F469}\u{200D}", "\u{200D}\u{1F52C}", "\u{1F469}\u{200C}\u{1F52C}", "\u{1F469}\u{200D}\u{200D}\u{1F52C}",
        "\u{1F469}\u{200D}A", "\u{1F469}\u{200D}\u{645}", "\u{645}\u{200D}\u{1F469}", "\u{61C}\u{200D}\u{645}",
    ])
    func `a joiner elsewhere is refused`(text: String) {
        #expect(!DisplayText.hasAllowedCharacters(text))
    }

    @Test func `a variation selector is allowed once, after an emoji`() {
        #expect(!DisplayText.hasAllowedCharacters("\u{FE0F}"))
        #expect(!DisplayText.hasAllowedCharacters("a\u{FE0F}"))
        #expect(!DisplayText.hasAllowedCharacters("\u{2764}\u{FE0F}\u{FE0F}"))
        #expect(!DisplayText.hasAllowedCharacters("A" + String(repeating: "\u{FE0F}", count: 100)))
        #expect(!DisplayText.hasAllowedCharacters("\u{20AC}\u{FE0F}"))
        // The emoji form of a keycap.
        #expect(!DisplayText.hasAllowedCharacters("1\u{FE0F}\u{20E3}"))
    }

    @Test func `a text in tag characters does not hide behind a text that is seen`() throws {
        var text = "Pay 1 EUR"
        for byte in "to Mallory".utf8 {
            text.unicodeScalars.append(try #require(Unicode.Scalar(0xE0000 + UInt32(byte))))
        }
        #expect(!DisplayText.hasAllowedCharacters(text))
        // The flag of Scotland.
        #expect(!DisplayText.hasAllowedCharacters("\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"))
    }

    @Test(arguments: ["", " ", "\u{A0}\u{2003}\u{3000}\u{202F}", "\u{301}", " \u{20E3}", "\u{FE20}\u{1AB0}\u{1DC0}"])
    func `white space and combining marks alone are not seen`(text: String) {
        #expect(!DisplayText.isSeen(text))
        #expect(DisplayText.isSeen(text + "."))
    }

    @Test func `a replacement takes the place of each refused character`() {
        let text = "a\u{200B}b\u{1B}\u{645}\u{200C}\u{645}\u{202E}"
        #expect(DisplayText.replacingRefused(in: text) { _ in "?" } == "a?b?\u{645}\u{200C}\u{645}?")
    }

    @Test func `an isolated text begins with FSI and ends with PDI, and is refused as a text`() {
        #expect(Array(DisplayText.isolated("a").unicodeScalars) == ["\u{2068}", "a", "\u{2069}"])
        #expect(!DisplayText.hasAllowedCharacters(DisplayText.isolated("a")))
    }
}
