import Foundation
import Primitives
import Testing

@testable import Orchestration

@Suite struct PromptTests {
    @Test func `every purpose has its text`() {
        let texts = Prompt.Purpose.allCases.map { Prompt(purpose: $0, method: .password, account: "a@b").text }
        #expect(
            texts == [
                "Choose a password", "Confirm your password", "Enter your password", "Choose a new password",
                "Confirm new password",
            ])
    }

    @Test func `every key of the sources is in the catalog once, with a default`() {
        let keys = PromptText.all.map(\.key)
        #expect(Set(keys).count == keys.count)
        #expect(PromptText.all.allSatisfy { !$0.defaultText.isEmpty })
        #expect(
            Set(keys).isSuperset(of: [
                "orch_pinpad_text_registration", "orch_pinpad_text_registration_confirm",
                "orch_pinpad_text_authentication", "orch_pinpad_text_update", "orch_pinpad_text_update_confirmation",
                "orch_pinpad_error_weak", "orch_pinpad_error_confirmation", "orch_biometric_title",
                "orch_biometric_description", "orch_biometric_failed", "orch_biometric_btn_cancel",
            ]))
    }

    @Test func `texts of the app replace those of the SDK`() {
        let texts = PromptCatalog([.authentication: "Passwort", .weak: "Zu einfach"])
        let prompt = Prompt(
            purpose: .authenticate, method: .password, account: "a@b", texts: texts, rejection: .unsuitable(.date))
        #expect(prompt.text == "Passwort")
        #expect(prompt.rejectionText == "Zu einfach")
        #expect(texts[.update] == "Choose a new password")
    }

    @Test func `a view gets a text by its key`() {
        let texts = PromptCatalog([.keypadDone: "Fertig"])
        #expect(texts.text(forKey: "orch_pinpad_btn_done") == "Fertig")
        #expect(texts.text(forKey: "orch_pinpad_entered", count: 3) == "Digits entered: 3")
        #expect(texts.text(forKey: "orch_pinpad_entered") == "Digits entered: {count}")
        #expect(texts.text(forKey: "orch_pinpad_nothing", count: 3) == "orch_pinpad_nothing")
    }

    @Test func `a prompt has a title and the account below it, in the words of the app`() {
        let titles = Prompt.Purpose.allCases.map { Prompt(purpose: $0, method: .password, account: "a@b").title }
        #expect(titles == ["Set Up Password", "Set Up Password", "Password", "Change Password", "Change Password"])
        let prompt = Prompt(purpose: .authenticate, method: .password, account: "a@b")
        #expect(prompt.subtitle == "a@b")
        #expect(Prompt(purpose: .authenticate, method: .biometric, account: "a@b").title == "Biometric Authentication")
        let texts = PromptCatalog([.authenticationTitle: "Anmelden", .subtitle: "Konto {account}"])
        let own = Prompt(purpose: .authenticate, method: .password, account: "{count}@b", texts: texts)
        #expect(own.title == "Anmelden")
        #expect(own.subtitle == "Konto {count}@b")
    }

    @Test func `every fault of a password has its text`() {
        let texts = PromptCatalog.default
        #expect(
            texts.text(for: .unsuitable(.tooShort(minimum: 6)))
                == "The password is too short. Please enter at least 6 characters.")
        #expect(
            texts.text(for: .unsuitable(.tooLong(maximum: 12)))
                == "The password is too long. Please enter at most 12 characters.")
        #expect(texts.text(for: .unsuitable(.notDigits)) == "Please enter digits only.")
        let guessable: [PasswordFault] = [.constantStep, .repetition, .date, .keypadLine, .common]
        for fault in guessable { #expect(texts.text(for: .unsuitable(fault)) == texts[.weak]) }
        let forms: [PasswordFault] = [
            .tooShort(minimum: 6), .tooLong(maximum: 12), .notDigits, .invalidText, .unchanged,
        ]
        for fault in forms { #expect(!texts.text(for: .unsuitable(fault)).contains("guess")) }
        let own = PromptCatalog([.tooShort: "Mindestens {count} Ziffern"])
        let prompt = Prompt(
            purpose: .enroll, method: .password, account: "a@b", texts: own,
            rejection: .unsuitable(.tooShort(minimum: 4)))
        #expect(prompt.rejectionText == "Mindestens 4 Ziffern")
    }

    @Test func `every warning has its text`() {
        let texts = Warning.Code.all.map { PromptCatalog.default.text(for: Warning($0)) }
        #expect(Set(texts).count == Warning.Code.all.count)
        #expect(texts.allSatisfy { !$0.contains("{") && $0.hasSuffix(".") })
        #expect(PromptCatalog.default.text(for: Warning(.failedCodes(3))).contains("3"))
        #expect(PromptCatalog([.failedCodes: "{count}!"]).text(for: Warning(.failedCodes(2))) == "2!")
    }

    @Test func `an error that an app shows is a sentence, and says what to do where it helps`() {
        let error = OrchestrationError(.storeNewerVersion)
        #expect(error.localizedDescription == "The stored data was written by a newer version.")
        #expect(error.recoverySuggestion == "Update the app.")
        #expect(OrchestrationError(.storeUnavailable).recoverySuggestion == nil)
        let codes: [OrchestrationError.Code] = [
            .storeBusy, .storeCorrupt, .storeNewerVersion, .storeRestoredElsewhere, .storeLocked,
            .storeUnavailable, .invalidArgument, .userUnknown, .deviceKeyUnavailable, .invalidConfiguration,
            .inputUnavailable, .invalidInput,
        ]
        for code in codes {
            #expect(code.message.first?.isLowercase == true)
            #expect(!code.message.hasSuffix("."))
        }
    }

    @Test func `a secret is read once`() {
        let input = UserInput(SecretBytes(copying: [1, 2, 3]))
        let copy = input
        let first = copy.takeSecret()?.withBytes { $0[2] }
        let second = input.takeSecret() != nil
        #expect(first == 3)
        #expect(!second)
    }

    @Test func `a value that holds a secret does not print it`() {
        let canary = "canary-7391"
        let input = UserInput(SecretBytes(copying: Array(canary.utf8)))
        var text = ""
        dump(input, to: &text)
        text += "\(input)" + String(reflecting: input)
        #expect(text == "- UserInput\nUserInputUserInput")
        let error = OrchestrationError(.storeCorrupt, underlying: Leak(canary: canary))
        text = "\(error)" + String(reflecting: error)
        #expect(!text.contains(canary))
        #expect(text.contains("storeCorrupt"))
    }
}

private struct Leak: Error { let canary: String }
