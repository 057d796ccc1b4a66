import Orchestration
import Primitives
import Testing

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

    @Test func `the app's words stand in place of ours`() {
        let texts = PromptCatalog([.authentication: "Passwort", .weak: "Zu einfach"])
        let prompt = Prompt(
            purpose: .authenticate, method: .password, account: "a@b", texts: texts, rejection: .unsuitable(.date))
        #expect(prompt.text == "Passwort")
        #expect(prompt.rejectionText == "Zu einfach")
        #expect(texts[.update] == "Choose a new password")
    }

    @Test func `a secret is handed over once`() {
        let input = UserInput(SecretBytes(copying: [1, 2, 3]))
        let copy = input
        let first = copy.takeSecret()?.withBytes { $0[2] }
        let second = input.takeSecret() != nil
        #expect(first == 3)
        #expect(!second)
        let none = UserInput.confirmed.takeSecret() != nil
        #expect(!none)
    }

    @Test func `what holds a secret shows nothing of it`() {
        let canary = "canary-7391"
        let input = UserInput(SecretBytes(copying: Array(canary.utf8)))
        var text = ""
        dump(input, to: &text)
        text += "\(input)" + String(reflecting: input)
        #expect(text == "- user input\nuser inputuser input")
        let error = OrchestrationError(.storeCorrupt, underlying: Leak(canary: canary))
        text = "\(error)" + String(reflecting: error)
        #expect(!text.contains(canary))
        #expect(text.contains("storeCorrupt"))
    }
}

private struct Leak: Error { let canary: String }
