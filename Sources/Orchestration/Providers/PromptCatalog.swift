/// The texts of an app: our English ones, and the app's own in place of some of them.
public struct PromptCatalog: Sendable, Hashable {
    private let replacements: [PromptText: String]

    /// Our English texts.
    public static let `default` = PromptCatalog()

    /// Takes the texts of the app.
    ///
    /// - Parameter replacements: the app's words; what is missing stays English.
    public init(_ replacements: [PromptText: String] = [:]) {
        self.replacements = replacements
    }

    /// The text to show.
    public subscript(_ text: PromptText) -> String {
        replacements[text] ?? text.defaultText
    }
}
