internal import Primitives

extension DisplayText {
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
        guard isSeen(text) || (text.isEmpty && characters.lowerBound == 0) else { return .empty }
        return nil
    }
}
