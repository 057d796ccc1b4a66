extension KeypadTheme {
    /// Creates a theme from texts by their keys. What they leave out has its default.
    ///
    /// - Parameter values: A color is `#RRGGBB` or `#AARRGGBB`, a size a number from 1 to 200, a character one visible
    ///   character, a mode `center`, `fit` or `stretch`. ``keys`` lists the keys.
    /// - Throws: ``KeypadThemeError`` for the first fault by the order of the keys. It names the key.
    public init(values: [String: String]) throws(KeypadThemeError) {
        self.init()
        for (key, text) in values.sorted(by: { $0.key < $1.key }) {
            guard let field = Self.fields[key] else { throw KeypadThemeError(.unknownKey, key: key) }
            try set(field, key, text)
        }
    }

    /// The texts of this theme by their keys: ``init(values:)`` makes the same theme of them.
    public var values: [String: String] { Self.fields.mapValues(text(of:)) }

    /// The keys of a theme.
    public static var keys: [String] { fields.keys.sorted() }

    private enum Field: Sendable {
        case color(any WritableKeyPath<KeypadTheme, ThemeColor> & Sendable)
        case size(any WritableKeyPath<KeypadTheme, Int> & Sendable)
        case name(any WritableKeyPath<KeypadTheme, String> & Sendable)
        case character(any WritableKeyPath<KeypadTheme, String> & Sendable)
        case mode
    }

    private static let fields: [String: Field] = {
        let prefix = "orch_pinpad_"
        var fields: [String: Field] = [:]
        for (key, field) in colors + others { fields[prefix + key] = field }
        return fields
    }()

    private static let colors: [(String, Field)] = [
        ("background_color", .color(\.light.background)), ("background_color_dark", .color(\.dark.background)),
        ("arrow_color", .color(\.light.arrow)), ("arrow_color_dark", .color(\.dark.arrow)),
        ("input_color", .color(\.light.input)), ("input_color_dark", .color(\.dark.input)),
        ("text_color", .color(\.light.text)), ("text_color_dark", .color(\.dark.text)),
        ("text_error_color", .color(\.light.errorText)), ("text_error_color_dark", .color(\.dark.errorText)),
        ("digit_color", .color(\.light.digit)), ("digit_color_dark", .color(\.dark.digit)),
    ]

    private static let others: [(String, Field)] = [
        ("input_empty_size", .size(\.inputEmptySize)), ("input_full_size", .size(\.inputFullSize)),
        ("title_text_size", .size(\.titleTextSize)), ("text_error_size", .size(\.errorTextSize)),
        ("digit_text_size", .size(\.digitTextSize)), ("background_image", .name(\.backgroundImage)),
        ("background_mode", .mode), ("arrow_image", .name(\.arrowImage)),
        ("input_font_name", .name(\.inputFontName)), ("text_font_name", .name(\.textFontName)),
        ("text_error_font_name", .name(\.errorTextFontName)), ("digit_font_name", .name(\.digitFontName)),
        ("input_empty_character", .character(\.inputEmptyCharacter)),
        ("input_full_character", .character(\.inputFullCharacter)),
    ]

    private mutating func set(_ field: Field, _ key: String, _ text: String) throws(KeypadThemeError) {
        switch field {
        case .color(let path):
            guard let color = ThemeColor(text: text) else { throw KeypadThemeError(.invalidColor, key: key) }
            self[keyPath: path] = color
        case .size(let path):
            guard let size = Int(text), (1...200).contains(size) else {
                throw KeypadThemeError(.invalidSize, key: key)
            }
            self[keyPath: path] = size
        case .name(let path): self[keyPath: path] = text
        case .character(let path):
            guard text.count == 1, text.utf8.count <= 16, text.unicodeScalars.allSatisfy(\.isVisible) else {
                throw KeypadThemeError(.invalidCharacter, key: key)
            }
            self[keyPath: path] = text
        case .mode:
            guard let mode = BackgroundMode(rawValue: text) else { throw KeypadThemeError(.invalidMode, key: key) }
            backgroundMode = mode
        }
    }

    private func text(of field: Field) -> String {
        switch field {
        case .color(let path): self[keyPath: path].description
        case .size(let path): "\(self[keyPath: path])"
        case .name(let path), .character(let path): self[keyPath: path]
        case .mode: backgroundMode.rawValue
        }
    }
}

extension Unicode.Scalar {
    /// Whether a scalar can stand for a digit of a masked entry: no control or format character, and no space.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .unassigned, .privateUse, .surrogate, .spaceSeparator, .lineSeparator,
            .paragraphSeparator:
            false
        default: true
        }
    }
}
