/// The characters of the texts that a user sees.
///
/// The article <doc:Approvals> contains the lists, in the section about visible texts. They are fixed: a list that
/// followed the Unicode version of the system would make both sides and the verifiers of receipts disagree.
package enum DisplayText {
    /// Returns whether a text contains no refused character.
    package static func hasAllowedCharacters(_ text: String) -> Bool {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return true }
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.allSatisfy { isAllowed(at: $0, in: scalars) }
    }

    /// Returns whether a text contains a visible character. A text of allowed characters may contain none.
    package static func isSeen(_ text: String) -> Bool {
        text.unicodeScalars.contains { !$0.isBlank }
    }

    /// Returns a text with a replacement for each refused character.
    package static func replacingRefused(
        in text: String, with replacement: (Unicode.Scalar) -> String
    ) -> String {
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.map {
            isAllowed(at: $0, in: scalars) ? String(scalars[$0]) : replacement(scalars[$0])
        }.joined()
    }

    /// The isolate that takes its direction from its first letter, and its end (FSI and PDI of Unicode Standard Annex
    /// #9).
    package static let isolate: (start: Unicode.Scalar, end: Unicode.Scalar) = ("\u{2068}", "\u{2069}")

    /// Returns a text in an isolate. A right-to-left text then does not reorder adjacent text.
    package static func isolated(_ text: String) -> String { "\(isolate.start)\(text)\(isolate.end)" }

    private static func isAllowed(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let scalar = scalars[index]
        guard scalar.isRefusedInText else { return true }
        guard index > scalars.startIndex else { return false }
        let before = scalars[index - 1]
        // A variation selector has a visible effect only after an emoji.
        if scalar == .emojiPresentation { return before.isEmoji }
        guard scalar == .nonJoiner || scalar == .joiner, index + 1 < scalars.endIndex else { return false }
        // A joiner has a visible effect only in these scripts and between two emoji. No joiner is in these ranges,
        // which means that two joiners never follow each other.
        let after = scalars[index + 1]
        if before.isWrittenWithJoiners { return after.isWrittenWithJoiners }
        return scalar == .joiner && (before.isEmoji || before == .emojiPresentation) && after.isEmoji
    }
}

extension Unicode.Scalar {
    fileprivate static let nonJoiner: Unicode.Scalar = "\u{200C}"
    fileprivate static let joiner: Unicode.Scalar = "\u{200D}"
    fileprivate static let emojiPresentation: Unicode.Scalar = "\u{FE0F}"

    /// Whether a character is refused in a text that a user sees. Joiners and U+FE0F are among them, although
    /// ``DisplayText`` allows them in some places.
    package var isRefusedInText: Bool {
        switch value {
        // Control characters, separators of lines, and what changes the direction of writing (Unicode Standard Annex
        // #9).
        case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x61C, 0x200E, 0x200F,
            0x2066...0x2069:
            true
        // Default_Ignorable_Code_Point, reserved ones included (Unicode Standard Annex #44).
        case 0xAD, 0x34F, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F,
            0x200B...0x200D, 0x2060...0x2065, 0x206A...0x206F, 0x3164,
            0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFF8, 0x1BCA0...0x1BCA3,
            0x1D173...0x1D17A, 0xE0000...0xE0FFF:
            true
        // Other characters that show nothing, or only frame other characters.
        case 0x2800, 0xFFF9...0xFFFC, 0x13430...0x1345F, 0x16FE4, 0x1D159: true
        // Private use, and the noncharacters in its planes.
        case 0xE000...0xF8FF, 0xF0000...0x10FFFF: true
        // The other noncharacters.
        case 0xFDD0...0xFDEF: true
        default: value & 0xFFFE == 0xFFFE
        }
    }

    /// Whether a character is in Arabic, Syriac or a script of India, whose letters change with a joiner.
    fileprivate var isWrittenWithJoiners: Bool {
        (0x600...0xDFF).contains(value) && !isRefusedInText
    }

    /// Whether a character can be an emoji, or is in the block of one.
    fileprivate var isEmoji: Bool {
        switch value {
        case 0xA9, 0xAE, 0x203C, 0x2049, 0x2122, 0x2139, 0x2190...0x21FF,
            0x2300...0x23FF, 0x24C2, 0x25A0...0x27BF, 0x2934...0x2935,
            0x2B00...0x2BFF, 0x3030, 0x303D, 0x3297, 0x3299, 0x1F000...0x1FAFF:
            true
        default: false
        }
    }

    /// Whether a character is white space, or in a block of combining marks: it is not visible without another
    /// character.
    fileprivate var isBlank: Bool {
        switch value {
        case 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF,
            0xFE20...0xFE2F:
            true
        default: false
        }
    }
}
