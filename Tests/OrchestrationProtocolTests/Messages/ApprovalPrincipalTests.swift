import OrchestrationProtocol
import Testing

@Suite struct ApprovalPrincipalTests {
    private func problem(id: String = "k1", name: String) -> DisplayDataError.Code? {
        do throws(DisplayDataError) {
            _ = try ApprovalPrincipal(id: id, name: name)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a name has 1 to 64 characters, and an id at most 64 bytes`() {
        for name in ["S", "Zoë’s Café", String(repeating: "n", count: 64), String(repeating: "𐅑", count: 64)] {
            #expect(problem(name: name) == nil)
        }
        #expect(problem(name: "") == .empty)
        #expect(problem(name: "  ") == .empty)
        #expect(problem(name: String(repeating: "n", count: 65)) == .tooLong)
        #expect(problem(name: String(repeating: "n", count: 1_000)) == .tooLong)
        #expect(problem(id: "", name: "Shop") == nil)
        #expect(problem(id: String(repeating: "f", count: 64), name: "Shop") == nil)
        #expect(problem(id: String(repeating: "f", count: 65), name: "Shop") == .tooLong)
    }

    @Test(arguments: ["Shop\nBank", "Shop\u{1B}[2J", "\u{202E}knaB", "Shop\u{2028}Bank"])
    func `a text that could show something else is refused`(text: String) {
        #expect(problem(name: text) == .forbiddenCharacter)
        #expect(problem(id: text, name: "Shop") == .forbiddenCharacter)
    }

    @Test(arguments: DisplayDataTests.refused)
    func `a character that is not shown is refused in a name, alone or inside`(value: UInt32) throws {
        let character = String(try #require(Unicode.Scalar(value)))
        for text in [character, "Sh\(character)op"] { #expect(problem(name: text) == .forbiddenCharacter) }
    }

    @Test func `a name that is not normalized is refused`() {
        #expect(problem(name: "Zoe\u{308}") == .notNormalized)
    }
}
