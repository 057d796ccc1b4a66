import Foundation
import Testing

@testable import Orchestration

@Suite struct KeypadThemeTests {
    @Test func `the defaults are those of the known keys`() throws {
        let defaults = [
            "background_color": "#FFFFFFFF", "arrow_color": "#FFFFC107", "input_color": "#FFFFC107",
            "text_color": "#FF000000", "text_error_color": "#FFFF0000", "digit_color": "#FF000000",
            "background_color_dark": "#FF121212", "arrow_color_dark": "#FFFFC107", "input_color_dark": "#FFFFC107",
            "text_color_dark": "#FFFFFFFF", "text_error_color_dark": "#FFFF6B6B", "digit_color_dark": "#FFFFFFFF",
            "input_empty_size": "15", "input_full_size": "20", "title_text_size": "25", "text_error_size": "16",
            "digit_text_size": "50", "background_image": "", "background_mode": "fit", "arrow_image": "backspace",
            "input_font_name": "", "input_empty_character": "□", "input_full_character": "■",
            "text_font_name": "HelveticaNeue-Light", "text_error_font_name": "HelveticaNeue",
            "digit_font_name": "HelveticaNeue-UltraLight",
        ]
        var other = KeypadTheme()
        for key in defaults.keys {
            let value =
                switch key {
                case _ where key.contains("_color"): "#01020304"
                case "background_mode": "stretch"
                case _ where key.hasSuffix("_size"): "7"
                default: "x"
                }
            let changed = try KeypadTheme(json: file([key: value]), over: other)
            #expect(changed != other, "\(key)")
            other = changed
        }
        #expect(try KeypadTheme(json: file(defaults), over: other) == KeypadTheme())
    }

    @Test func `a file sets the values of its keys`() throws {
        var theme = KeypadTheme()
        theme.light.arrow = KeypadTheme.Color(red: 1, green: 2, blue: 3, alpha: 4)
        theme.dark.background = KeypadTheme.Color(red: 255, green: 0, blue: 16)
        theme.digitTextSize = 40
        theme.backgroundMode = .stretch
        theme.backgroundImage = "wood"
        theme.inputFullCharacter = "●"
        let json = try file([
            "arrow_color": "#04010203", "background_color_dark": "#FF0010", "digit_text_size": "40",
            "background_mode": "stretch", "background_image": "wood", "input_full_character": "●",
        ])
        #expect(try KeypadTheme(json: json) == theme)
    }

    @Test func `what the values leave out keeps its default, and dark is an appearance of its own`() throws {
        let theme = try KeypadTheme(
            json: Data(##"{"orch_pinpad_digit_color": "#102030", "orch_pinpad_digit_color_dark": "#80aBcDeF"}"##.utf8))
        #expect(theme.colors(isDark: false).digit == KeypadTheme.Color(red: 0x10, green: 0x20, blue: 0x30))
        #expect(theme.colors(isDark: true).digit == KeypadTheme.Color(red: 0xAB, green: 0xCD, blue: 0xEF, alpha: 0x80))
        #expect(theme.light.background == KeypadTheme().light.background)
        #expect(KeypadTheme().light != KeypadTheme().dark)
    }

    @Test(
        arguments: [
            ("digit_color", "fffc107", "color"), ("digit_color", "#fffc107", "color"),
            ("digit_color", "#fffc1", "color"), ("digit_color", "#gggggg", "color"),
            ("digit_color", "#+12345", "color"), ("digit_color", "", "color"),
            ("digit_color", "#１２３４５６", "color"), ("digit_color", "red", "color"),
            ("digit_color_dark", "#", "color"), ("digit_text_size", "0", "size"),
            ("digit_text_size", "201", "size"), ("digit_text_size", "1.5", "size"),
            ("digit_text_size", "50sp", "size"), ("input_full_character", "", "visible character"),
            ("input_full_character", "**", "visible character"), ("input_full_character", " ", "visible character"),
            ("input_full_character", "\u{1B}", "visible character"),
            ("input_full_character", "\u{202E}", "visible character"),
            ("input_full_character", "\u{200B}", "visible character"),
            ("background_mode", "Fit", "mode"), ("digit_colour", "#ffffff", "no key"),
        ])
    func `a bad value is an error that names its key`(name: String, value: String, fault: String) throws {
        let key = "orch_pinpad_" + name
        let json = try JSONEncoder().encode([key: value])
        let error = try #require(
            #expect(throws: OrchestrationError(.invalidConfiguration)) { try KeypadTheme(json: json) })
        #expect(error.message.contains("'\(key)'"))
        #expect(error.message.contains(fault))
    }

    @Test func `a file with some values is complete over another theme`() throws {
        var base = KeypadTheme()
        base.light.arrow = KeypadTheme.Color(red: 1, green: 2, blue: 3)
        base.digitTextSize = 40
        let json = Data(#"{"orch_pinpad_digit_text_size": 44, "orch_pinpad_title_text_size": "30"}"#.utf8)
        let theme = try KeypadTheme(json: json, over: base)
        #expect(theme.digitTextSize == 44)
        #expect(theme.titleTextSize == 30)
        #expect(theme.light.arrow == base.light.arrow)
        #expect(try KeypadTheme(json: Data("{}".utf8), over: base) == base)
    }

    @Test(
        arguments: [
            (#"{"orch_pinpad_digit_text_size": 1.5}"#, "size", "orch_pinpad_digit_text_size"),
            (#"{"orch_pinpad_digit_text_size": 201}"#, "size", "orch_pinpad_digit_text_size"),
            (#"{"orch_pinpad_digit_text_size": true}"#, "size", "orch_pinpad_digit_text_size"),
            (#"{"orch_pinpad_digit_color": 102030}"#, "color", "orch_pinpad_digit_color"),
            (#"{"orch_pinpad_input_full_character": 5}"#, "visible character", "orch_pinpad_input_full_character"),
            (#"{"orch_pinpad_background_mode": null}"#, "mode", "orch_pinpad_background_mode"),
            (#"{"orch_pinpad_arrow_image": ["a"]}"#, "text", "orch_pinpad_arrow_image"),
            (#"{"orch_pinpad_arrow_image": "a", "orch_pinpad_arrow_image": "b"}"#, "the file is not a JSON object", ""),
            ("[]", "the file is not a JSON object", ""), ("", "the file is not a JSON object", ""),
        ])
    func `a bad file is an error`(json: String, fault: String, key: String) throws {
        let error = try #require(
            #expect(throws: OrchestrationError(.invalidConfiguration)) { try KeypadTheme(json: Data(json.utf8)) })
        #expect(error.message.contains(fault))
        #expect(key.isEmpty || error.message.contains("'\(key)'"))
    }

    /// WCAG 2.2, section 1.4.3: texts have a contrast of 4.5 to 1, and large ones of 3 to 1.
    @Test func `the texts of the dark appearance can be read on its background`() {
        let dark = KeypadTheme().dark
        for color in [dark.text, dark.errorText, dark.digit, dark.arrow, dark.input] {
            #expect((luminance(color) + 0.05) / (luminance(dark.background) + 0.05) >= 4.5)
        }
    }

    /// Returns a file with values by their keys without the prefix.
    private func file(_ values: [String: String]) throws -> Data {
        try JSONEncoder().encode(Dictionary(uniqueKeysWithValues: values.map { ("orch_pinpad_" + $0.key, $0.value) }))
    }

    private func luminance(_ color: KeypadTheme.Color) -> Double {
        // An upper bound of the gamma of sRGB for dark colors, a lower one for bright colors: the square.
        func part(_ value: UInt8) -> Double { Double(value) / 255 * Double(value) / 255 }
        return 0.2126 * part(color.red) + 0.7152 * part(color.green) + 0.0722 * part(color.blue)
    }
}
