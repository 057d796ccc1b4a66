internal import Primitives

/// The rules for the texts that a user sees. They depend on the version of Unicode as little as possible, because both
/// sides have to agree.
package enum DisplayText {
    /// Returns the rule that a text breaks.
    ///
    /// - Parameter characters: The allowed numbers of code points.
    static func problem(of text: String, characters: ClosedRange<Int>) -> DisplayDataError.Code? {
        // No code point has more than four bytes. The bytes are counted first, because normalization is slow on long
        // texts.
        guard text.utf8.count <= characters.upperBound * 4, text.unicodeScalars.count <= characters.upperBound else {
            return .tooLong
        }
        guard hasAllowedCharacters(text) else { return .forbiddenCharacter }
        guard NormalizationFormC.contains(text) else { return .notNormalized }
        // White space alone is not seen.
        let isSeen = text.unicodeScalars.contains { !$0.properties.isWhitespace }
        guard isSeen || (text.isEmpty && characters.lowerBound == 0) else { return .empty }
        return nil
    }

    /// Returns whether a text has no control character, no line separator, and no character that changes the direction
    /// of writing (UAX #9, section 2). Unicode assigns no others to these groups, so that the list is complete for
    /// good.
    package static func hasAllowedCharacters(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy(\.isPlainText)
    }
}
