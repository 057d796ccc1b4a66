internal import ArgumentParser

/// A text that must be one of an enumeration's words.
enum Choice {
    static func of<Word: RawRepresentable<String> & CaseIterable>(_ text: String) throws -> Word {
        guard let word = Word(rawValue: text) else {
            throw ValidationError(
                "'\(text)' is none of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return word
    }
}
