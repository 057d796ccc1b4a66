internal import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KeypadTheme {
    /// Creates a theme from a JSON file, over another theme.
    ///
    /// The file is one object, for example `{"orch_pinpad_digit_color": "#102030", "orch_pinpad_digit_text_size": 40}`.
    ///
    /// - Parameters:
    ///   - json: The file, in UTF-8. A color is a text `#RRGGBB` or `#AARRGGBB`, a size a number from 1 to 200 or its
    ///     text, a character a text of one visible character, a mode `center`, `fit` or `stretch`. See
    ///     <doc:AskingTheUser> for the keys.
    ///   - base: The theme with the values that the file does not contain.
    /// - Throws: `invalidConfiguration` for a file that is not a JSON object, and for the first fault by the order of
    ///   the keys. The message names the key.
    public init(json: Data, over base: KeypadTheme = KeypadTheme()) throws(OrchestrationError) {
        let members: [String: JSONMembers.Value]
        do throws(JSONMembers.Fault) { members = try JSONMembers.read(json) } catch {
            throw Self.fault("the file is not a JSON object: \(error.reason)")
        }
        self = base
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let field = Self.fields[key] else { throw Self.fault("a theme has no key '\(key)'") }
            try set(field, key, value)
        }
    }

    private static func fault(_ rule: String) -> OrchestrationError { OrchestrationError(.invalidConfiguration(rule)) }

    private enum Field: Sendable {
        case color(any WritableKeyPath<KeypadTheme, Color> & Sendable)
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

    private mutating func set(_ field: Field, _ key: String, _ value: JSONMembers.Value) throws(OrchestrationError) {
        switch field {
        case .color(let path):
            guard let color = value.text.flatMap(Color.init(text:)) else {
                throw Self.fault("the value of '\(key)' is not a color: #RRGGBB or #AARRGGBB in hexadecimal")
            }
            self[keyPath: path] = color
        case .size(let path):
            guard let size = value.number ?? value.text.flatMap({ Int($0) }), (1...200).contains(size) else {
                throw Self.fault("the value of '\(key)' is not a size: a number from 1 to 200")
            }
            self[keyPath: path] = size
        case .name(let path):
            guard let name = value.text else { throw Self.fault("the value of '\(key)' is not a text") }
            self[keyPath: path] = name
        case .character(let path):
            guard let text = value.text, text.count == 1, text.utf8.count <= 16,
                text.unicodeScalars.allSatisfy(\.isVisible)
            else {
                throw Self.fault("the value of '\(key)' is not one visible character")
            }
            self[keyPath: path] = text
        case .mode:
            guard let mode = value.text.flatMap(BackgroundMode.init(rawValue:)) else {
                throw Self.fault("the value of '\(key)' is not a mode: center, fit or stretch")
            }
            backgroundMode = mode
        }
    }
}

extension Unicode.Scalar {
    /// Whether a scalar can represent a digit of a masked entry: it is not a control or format character, and not a
    /// space.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .unassigned, .privateUse, .surrogate, .spaceSeparator, .lineSeparator,
            .paragraphSeparator:
            false
        default: true
        }
    }
}
