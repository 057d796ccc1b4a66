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
        #expect(try PromptCatalog(translation: german.translation) == german)
        #expect(german.translation.count == PromptText.all.count)
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
        #expect(german[.biometricCancel] == "Abbrechen")
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
        var translation = german.translation
        translation[text.key] = nil
        let error = #expect(throws: PromptCatalogError.self) { try PromptCatalog(translation: translation) }
        #expect(error?.code == .missingKey)
        #expect(error?.key == text.key)
        #expect(error?.message == "the translation has no text for '\(text.key)'")
    }

    @Test(
        arguments: [
            ("orch_pinpad_error_too_short", "Zu kurz", "missingPlaceholder", "{count}"),
            ("orch_pinpad_error_too_short", "Zu kurz: {Count}", "missingPlaceholder", "{count}"),
            ("orch_pinpad_error_too_short", "Zu kurz: {count} {number}", "unknownPlaceholder", "{number}"),
            ("orch_pinpad_error_too_short", "Zu kurz: {count} {", "unknownPlaceholder", "{"),
            ("orch_pinpad_instruction", "{done}", "missingPlaceholder", "{delete}"),
            ("orch_pinpad_error_weak", "Zu einfach {count}", "unknownPlaceholder", "{count}"),
            ("orch_pinpad_error_weak", "", "emptyText", nil), ("orch_pinpad_error_weak", " \n", "emptyText", nil),
            ("orch_pinpad_eror_weak", "Zu einfach", "unknownKey", nil),
        ] as [(String, String, String, String?)])
    func `a wrong text is an error that names its key and placeholder`(
        key: String, text: String, code: String, placeholder: String?
    ) throws {
        var translation = german.translation
        translation[key] = text
        let error = try #require(
            #expect(throws: PromptCatalogError.self) { try PromptCatalog(translation: translation) })
        #expect(error.code.description == code)
        #expect(error.key == key)
        #expect(error.placeholder == placeholder)
        #expect(error.message.contains("'\(key)'"))
        if let placeholder { #expect(error.message.contains(placeholder)) }
    }
}
