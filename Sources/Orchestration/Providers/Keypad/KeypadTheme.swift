/// The colors, sizes and graphics of a keypad, which a host reads and changes.
///
/// A theme draws nothing. Other SDKs of this kind also use its keys, which means that existing values can be reused.
/// ``init(json:over:)`` reads them from a JSON file.
public struct KeypadTheme: Sendable, Hashable {
    /// The colors of one appearance.
    public struct Colors: Sendable, Hashable {
        /// The background.
        public var background: Color
        /// The key that deletes.
        public var arrow: Color
        /// The masked entry.
        public var input: Color
        /// The question.
        public var text: Color
        /// The reason why an input was refused.
        public var errorText: Color
        /// The digits.
        public var digit: Color

        /// The colors of the light appearance.
        package static let light = Colors(
            background: Color(0xFFFF_FFFF), arrow: Color(0xFFFF_C107), input: Color(0xFFFF_C107),
            text: Color(0xFF00_0000), errorText: Color(0xFFFF_0000), digit: Color(0xFF00_0000))

        /// The colors of the dark appearance. Each text has a contrast of at least 4.5 to 1 with the background, as
        /// WCAG 2.2, section 1.4.3 asks.
        package static let dark = Colors(
            background: Color(0xFF12_1212), arrow: Color(0xFFFF_C107), input: Color(0xFFFF_C107),
            text: Color(0xFFFF_FFFF), errorText: Color(0xFFFF_6B6B), digit: Color(0xFFFF_FFFF))
    }

    /// The place of a background image.
    public enum BackgroundMode: String, Sendable, Hashable, CaseIterable {
        /// At its original size, in the middle.
        case center
        /// As large as possible, complete, and with its original proportions.
        case fit
        /// As large as the keypad.
        case stretch
    }

    /// The colors of the light appearance.
    public var light = Colors.light
    /// The colors of the dark appearance.
    public var dark = Colors.dark

    /// The size of an empty place of the masked entry, in points, as all sizes: 1 to 200.
    public var inputEmptySize = 15
    /// The size of a full place of the masked entry.
    public var inputFullSize = 20
    /// The size of the question.
    public var titleTextSize = 25
    /// The size of the reason why an input was refused.
    public var errorTextSize = 16
    /// The size of the digits.
    public var digitTextSize = 50

    /// The name of the background image; empty for none.
    public var backgroundImage = ""
    /// The place of the background image.
    public var backgroundMode = BackgroundMode.fit
    /// The image name of the delete key.
    public var arrowImage = "backspace"

    /// The font of the masked entry. An empty name is the font of the system, also for the other fonts.
    public var inputFontName = ""
    /// The font of the question.
    public var textFontName = "HelveticaNeue-Light"
    /// The font of the reason why an input was refused.
    public var errorTextFontName = "HelveticaNeue"
    /// The font of the digits.
    public var digitFontName = "HelveticaNeue-UltraLight"

    /// The character for an empty place of the masked entry.
    public var inputEmptyCharacter = "□"
    /// The character for a full place of the masked entry.
    public var inputFullCharacter = "■"

    /// Creates the default theme.
    public init() {}

    /// Returns the colors of an appearance.
    public func colors(isDark: Bool) -> Colors { isDark ? dark : light }
}
