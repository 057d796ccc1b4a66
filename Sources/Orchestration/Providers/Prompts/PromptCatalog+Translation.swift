internal import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension PromptCatalog {
    /// Creates a catalog from a JSON file of translations, over the texts of another catalog.
    ///
    /// The file is one object with a text for each key, for example `{"orch_pinpad_error_weak": "Zu einfach"}`. A file
    /// with a fault is refused as a whole, because no user should see half of a translation.
    ///
    /// - Parameters:
    ///   - json: The file, in UTF-8. Each text has the same placeholders as the English text, any number of times. The
    ///     keys are the keys of ``json``.
    ///   - base: The catalog with the texts that the file does not contain, for example ``german``. Without one, the
    ///     file must contain a text for every key.
    /// - Throws: `invalidConfiguration` for a file that is not a JSON object, and for the first fault by the order of
    ///   the keys: a missing or unknown key, and a text that is empty or has other placeholders. The message names the
    ///   key.
    public init(json: Data, over base: PromptCatalog? = nil) throws(OrchestrationError) {
        let members: [String: JSONMembers.Value]
        do throws(JSONMembers.Fault) { members = try JSONMembers.read(json) } catch {
            throw Self.fault("the file is not a JSON object: \(error.reason)")
        }
        var replacements: [PromptText: String] = [:]
        for key in Set(PromptText.keyed.keys).union(members.keys).sorted() {
            guard let text = PromptText.keyed[key] else {
                throw Self.fault("the SDK has no text with the key '\(key)'")
            }
            guard let member = members[key] else {
                guard let base else { throw Self.fault("the translation has no text for '\(key)'") }
                replacements[text] = base[text]
                continue
            }
            guard let translated = member.text else { throw Self.fault("the value of '\(key)' is not a text") }
            try text.check(translated)
            replacements[text] = translated
        }
        self.init(replacements)
    }

    fileprivate static func fault(_ rule: String) -> OrchestrationError {
        OrchestrationError(.invalidConfiguration(rule))
    }

    /// A JSON file with every text of this catalog, in the order of the keys, for example to translate it.
    public var json: Data { JSONMembers.write(texts) }

    /// The texts by their keys.
    var texts: [String: String] { Dictionary(uniqueKeysWithValues: PromptText.all.map { ($0.key, self[$0]) }) }
}

extension PromptText {
    /// The placeholders of the English text with their braces, for example `{count}`.
    package var placeholders: Set<String> { Self.placeholders(of: defaultText) }

    /// Checks that a translation has a text and the same placeholders.
    fileprivate func check(_ translated: String) throws(OrchestrationError) {
        // A text of white space alone is invisible.
        guard !translated.allSatisfy(\.isWhitespace) else {
            throw PromptCatalog.fault("the text of '\(key)' is empty")
        }
        let found = Self.placeholders(of: translated)
        if let missing = placeholders.subtracting(found).min() {
            throw PromptCatalog.fault("the text of '\(key)' lacks the placeholder \(missing)")
        }
        if let unknown = found.subtracting(placeholders).min() {
            throw PromptCatalog.fault("the text of '\(key)' has the placeholder \(unknown), which has no value")
        }
    }

    /// Returns everything from an opening brace to the next closing one, or to the end where there is no closing brace.
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
