extension PromptCatalog {
    /// Creates a catalog from a translation of every text, for example from a file of translations.
    ///
    /// A translation with a fault is refused as a whole, so that no user sees half of it. To replace some of the texts,
    /// use ``init(_:)``.
    ///
    /// - Parameter translation: The texts by their keys: one for each of ``PromptText/all``, each with the same
    ///   placeholders as the English text, any number of times.
    /// - Throws: ``PromptCatalogError`` for the first fault by the order of the keys: `missingKey`, `unknownKey`,
    ///   `emptyText`, `missingPlaceholder` or `unknownPlaceholder`.
    public init(translation: [String: String]) throws(PromptCatalogError) {
        let texts = Dictionary(uniqueKeysWithValues: PromptText.all.map { ($0.key, $0) })
        var replacements: [PromptText: String] = [:]
        for key in Set(texts.keys).union(translation.keys).sorted() {
            guard let text = texts[key] else { throw PromptCatalogError(.unknownKey, key: key) }
            guard let translated = translation[key] else { throw PromptCatalogError(.missingKey, key: key) }
            try text.check(translated)
            replacements[text] = translated
        }
        self.init(replacements)
    }

    /// The texts of this catalog by their keys, to write a file of translations.
    public var translation: [String: String] {
        Dictionary(uniqueKeysWithValues: PromptText.all.map { ($0.key, self[$0]) })
    }
}

extension PromptText {
    /// The placeholders of the English text with their braces, for example `{count}`.
    public var placeholders: Set<String> { Self.placeholders(of: defaultText) }

    /// Checks that a translation has a text and the same placeholders.
    fileprivate func check(_ translated: String) throws(PromptCatalogError) {
        // A text of white space alone is not seen.
        guard !translated.allSatisfy(\.isWhitespace) else { throw PromptCatalogError(.emptyText, key: key) }
        let found = Self.placeholders(of: translated)
        if let missing = placeholders.subtracting(found).min() {
            throw PromptCatalogError(.missingPlaceholder, key: key, placeholder: missing)
        }
        if let unknown = found.subtracting(placeholders).min() {
            throw PromptCatalogError(.unknownPlaceholder, key: key, placeholder: unknown)
        }
    }

    /// Returns everything from an opening brace to the next closing one, or to the end where there is none.
    private static func placeholders(of text: String) -> Set<String> {
        var (found, rest) = (Set<String>(), text[...])
        while let start = rest.firstIndex(of: "{") {
            let end = rest[start...].firstIndex(of: "}").map { rest.index(after: $0) } ?? rest.endIndex
            found.insert(String(rest[start..<end]))
            rest = rest[end...]
        }
        return found
    }
}
