import Testing

@testable import Orchestration

/// The texts for the ends of flows.
@Suite struct FlowEndTextTests {
    private static let causes = AbortCause.all

    @Test func `every end has a text of its own in the catalog`() {
        let texts = Self.causes.map(\.textKey) + OutdatedReason.allCases.map(\.textKey)
        #expect(Set(texts).count == texts.count)
        #expect(Set(texts.map(\.key)).count == texts.count)
        #expect(Set(texts).isSubset(of: PromptText.all))
        #expect(Set(PromptText.all.map(\.key)).count == PromptText.all.count)
    }

    @Test func `the two expirations ask for different things`() {
        #expect(OutdatedReason.exchangeExpired.textKey.defaultText.contains("the same activation password"))
        #expect(OutdatedReason.activationExpired.textKey.defaultText.contains("a new activation password"))
    }

    @Test func `the text of an end names its number`() {
        let catalog = PromptCatalog.default
        let wait = AbortCause.rateLimited(retryAfter: .milliseconds(1_500))
        #expect(catalog.text(for: wait) == "Too many requests. Please try again in 2 s.")
        let character = AbortCause.activationPassword(.invalidCharacter(position: 3))
        #expect(catalog.text(for: character).hasPrefix("Character 3 of the activation password"))
        for cause in Self.causes { #expect(!catalog.text(for: cause).contains("{")) }
    }

    @Test func `an app replaces a text`() {
        let catalog = PromptCatalog([.deviceRevoked: "Gesperrt"])
        #expect(catalog[AbortCause.revoked.textKey] == "Gesperrt")
        #expect(catalog[AbortCause.locked.textKey] == PromptText.deviceLocked.defaultText)
    }
}
