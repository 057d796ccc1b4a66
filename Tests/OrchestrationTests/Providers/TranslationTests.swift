import Foundation
import Primitives
import Testing

@testable import Orchestration

/// Catalogs with all texts in another language.
@Suite struct TranslationTests {
    private let german = PromptCatalog.german

    @Test(arguments: PromptText.all) func `every text has a German one with the same placeholders`(_ text: PromptText) {
        let translated = german[text]
        #expect(!translated.isEmpty)
        #expect(PromptText("x", translated).placeholders == text.placeholders)
    }

    @Test func `only a text without words is the same in both languages`() {
        let words = PromptText.all.filter { german[$0] == $0.defaultText }
        #expect(words.map(\.key) == ["orch_pinpad_subtitle"])
    }

    @Test func `the German catalog passes the check of a translation`() throws {
        #expect(try PromptCatalog(json: german.json) == german)
        #expect(german.texts.count == PromptText.all.count)
    }

    @Test func `prompts, warnings and ends are in the language of the catalog`() {
        let prompt = Prompt(
            purpose: .enroll, method: .password, account: "a@b", texts: german,
            rejection: .unsuitable(.tooShort(minimum: 6)), remainingTries: 3, policy: .default)
        #expect(prompt.title == "Passwort einrichten")
        #expect(prompt.text == "Passwort wählen")
        #expect(prompt.rejectionText == "Das Passwort ist zu kurz. Bitte geben Sie mindestens 6 Zeichen ein.")
        #expect(prompt.remainingTriesText == "verbleibende Versuche: 3")
        #expect(prompt.policyText == "6-12 Ziffern")
        let biometric = Prompt(purpose: .authenticate, method: .biometric, account: "a@b", texts: german)
        #expect(biometric.title == "Biometrische Anmeldung")
        #expect(biometric.text == "Verwenden Sie den biometrischen Sensor dieses Geräts, um fortzufahren.")
        #expect(biometric.cancelText == "Abbrechen")
        for code in Warning.Code.all { #expect(isGerman(german.text(for: Warning(code)))) }
        for code in OrchestrationError.Code.all {
            #expect(isGerman(OrchestrationError(code).userMessage(in: german)))
        }
        for rejection in InputRejection.all { #expect(isGerman(german.text(for: rejection))) }
    }

    /// Whether a text is complete, and not one of the English ones.
    private func isGerman(_ text: String) -> Bool {
        !text.contains("{") && !PromptText.all.map(\.defaultText).contains(text)
    }

    @Test(arguments: PromptText.all) func `a missing key is an error that names it`(_ text: PromptText) {
        var translation = german.texts
        translation[text.key] = nil
        let error = #expect(throws: OrchestrationError(.invalidConfiguration)) {
            try PromptCatalog(json: file(translation))
        }
        #expect(error?.message == "the translation has no text for '\(text.key)'")
    }

    @Test(
        arguments: [
            ("orch_pinpad_error_too_short", "Zu kurz", "lacks the placeholder {count}"),
            ("orch_pinpad_error_too_short", "Zu kurz: {Count}", "lacks the placeholder {count}"),
            ("orch_pinpad_error_too_short", "Zu kurz: {count} {number}", "has the placeholder {number}"),
            ("orch_pinpad_error_too_short", "Zu kurz: {count} {", "has the placeholder {"),
            ("orch_pinpad_instruction", "{done}", "lacks the placeholder {delete}"),
            ("orch_pinpad_error_weak", "Zu einfach {count}", "has the placeholder {count}"),
            ("orch_pinpad_error_weak", "", "is empty"), ("orch_pinpad_error_weak", " \n", "is empty"),
            ("orch_pinpad_eror_weak", "Zu einfach", "has no text with the key"),
        ])
    func `a wrong text is an error that names its key and placeholder`(key: String, text: String, fault: String) throws
    {
        var translation = german.texts
        translation[key] = text
        let error = try #require(
            #expect(throws: OrchestrationError(.invalidConfiguration)) { try PromptCatalog(json: file(translation)) })
        #expect(error.message.contains("'\(key)'"))
        #expect(error.message.contains(fault))
    }

    private func file(_ texts: [String: String]) throws -> Data { try JSONEncoder().encode(texts) }

    @Test func `a file with some texts is complete over another catalog`() throws {
        let json = Data(#"{"orch_pinpad_error_weak": "Zu einfach", "orch_biometric_title": "Face ID"}"#.utf8)
        let own = try PromptCatalog(json: json, over: german)
        #expect(own[.weak] == "Zu einfach")
        #expect(own[.authentication] == "Passwort eingeben")
        let prompt = Prompt(purpose: .authenticate, method: .biometric, account: "a@b", texts: own)
        #expect(prompt.title == "Face ID")
        #expect(try PromptCatalog(json: Data("{}".utf8), over: german) == german)
        #expect(try PromptCatalog(json: json, over: .default)[.authentication] == "Enter your password")
        // Without another catalog, the other texts are missing.
        #expect(throws: OrchestrationError(.invalidConfiguration)) { try PromptCatalog(json: json) }
    }

    @Test(
        arguments: [
            (#"{"orch_pinpad_eror_weak": "Zu einfach"}"#, "the SDK has no text with the key 'orch_pinpad_eror_weak'"),
            (#"{"orch_pinpad_error_weak": 5}"#, "the value of 'orch_pinpad_error_weak' is not a text"),
            (#"{"orch_pinpad_error_weak": null}"#, "the value of 'orch_pinpad_error_weak' is not a text"),
            (#"{"orch_pinpad_error_weak": {"de": "a"}}"#, "the value of 'orch_pinpad_error_weak' is not a text"),
            (#"{"orch_pinpad_error_weak": ""}"#, "the text of 'orch_pinpad_error_weak' is empty"),
            (
                #"{"orch_pinpad_error_too_short": "Zu kurz"}"#,
                "the text of 'orch_pinpad_error_too_short' lacks the placeholder {count}"
            ),
            (#"{"orch_pinpad_error_weak": "a", "orch_pinpad_error_weak": "b"}"#, "the file is not a JSON object"),
            (#"{"orch_pinpad_error_weak": "a",}"#, "the file is not a JSON object"),
            (#"["a"]"#, "the file is not a JSON object"), ("", "the file is not a JSON object"),
            ("orch_pinpad_error_weak = a", "the file is not a JSON object"),
        ])
    func `a bad file is an error, also over another catalog`(json: String, fault: String) throws {
        let error = try #require(
            #expect(throws: OrchestrationError(.invalidConfiguration)) {
                try PromptCatalog(json: Data(json.utf8), over: german)
            })
        #expect(error.message.hasPrefix(fault))
    }
}
