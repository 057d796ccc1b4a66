import Testing

@testable import Primitives

@Suite struct AccountNameTests {
    @Test func `a name is read with and without a domain`() throws {
        let plain = try AccountName(text: "alice", defaultDomain: "master")
        #expect(plain.text == "alice@master")
        let full = try AccountName(text: "Alice@Example.ORG", defaultDomain: "master")
        #expect(full.userID == "Alice")
        #expect(full.domain == "example.org")
        #expect(try AccountName(userID: "Alice", domain: "EXAMPLE.org") == full)
    }

    @Test func `two spellings of one character become the same bytes`() throws {
        let composed = try AccountName(userID: "Zo\u{EB}", domain: "master")
        let decomposed = try AccountName(userID: "Zoe\u{308}", domain: "master")
        #expect(Array(composed.text.utf8) == Array(decomposed.text.utf8))
        #expect(Array(composed.userID.utf8) == [0x5A, 0x6F, 0xC3, 0xAB])
        // The case is kept, and compatibility characters remain different.
        #expect(try AccountName(userID: "ZOË", domain: "master") != composed)
        #expect(try AccountName(userID: "ﬁ", domain: "m") != AccountName(userID: "fi", domain: "m"))
    }

    @Test(arguments: [
        ("", AccountNameError.Code.userIDEmpty), ("a/b", .userIDCharacter), ("a\u{0}", .userIDCharacter),
        ("a\n", .userIDCharacter), ("a\u{7F}", .userIDCharacter), ("a\u{85}", .userIDCharacter),
        ("a\u{2028}b", .userIDCharacter), ("a\u{202E}b", .userIDCharacter), ("a\u{FEFF}", .userIDCharacter),
        ("a\u{378}", .userIDCharacter), ("a\u{200B}b", .userIDCharacter), ("a\u{AD}b", .userIDCharacter),
        ("a\u{FE0F}", .userIDCharacter), ("a\u{E0061}", .userIDCharacter), ("\u{3164}", .userIDCharacter),
        ("a\u{2800}", .userIDCharacter), ("\u{645}\u{200C}\u{645}", .userIDCharacter), ("a\u{E000}", .userIDCharacter),
        ("a\u{FFFF}", .userIDCharacter), ("a\u{FFFC}", .userIDCharacter),
        (" a", .userIDCharacter), ("a\u{A0}", .userIDCharacter), ("\u{3000}a", .userIDCharacter),
        (String(repeating: "a", count: 65), .userIDTooLong),
        (String(repeating: "\u{10348}", count: 33), .userIDTooLong),
        ("e" + String(repeating: "\u{301}", count: 400), .userIDTooLong),
    ])
    func `a user id outside the rules is refused by name`(userID: String, code: AccountNameError.Code) {
        #expect(throws: AccountNameError(code)) { try AccountName(userID: userID, domain: "master") }
        #expect(throws: AccountNameError(code)) { try AccountName(text: userID, defaultDomain: "master") }
    }

    @Test func `the last at sign separates the domain`() throws {
        let name = try AccountName(text: "alice@example.com@master", defaultDomain: "other")
        #expect(name.userID == "alice@example.com")
        #expect(name.domain == "master")
        #expect(try AccountName(text: name.text, defaultDomain: "other") == name)
        #expect(try AccountName(userID: "alice@example.com", domain: "master") == name)
        #expect(try AccountName(text: "alice@example.com", defaultDomain: "master").userID == "alice")
    }

    @Test(arguments: ["@alice@master", "alice@@master", "@@master", "@a@b@master"])
    func `an at sign at an edge of the user id is refused`(text: String) {
        #expect(throws: AccountNameError(.userIDCharacter)) { try AccountName(text: text, defaultDomain: "master") }
    }

    @Test func `white space inside a user id and other scripts are allowed`() throws {
        for userID in ["Zoë Quark", "Алиса", "田中 太郎", "ali\u{4B}ce", "a-b_c.d+e"] {
            #expect(try AccountName(userID: userID, domain: "master").userID == userID)
        }
    }

    @Test func `a user id may be as long as the limit`() throws {
        #expect(try AccountName(userID: String(repeating: "a", count: 64), domain: "m").userID.count == 64)
        #expect(try AccountName(userID: String(repeating: "é", count: 64), domain: "m").userID.utf8.count == 128)
    }

    @Test(arguments: [
        ("a@", AccountNameError.Code.domainEmpty), ("a@b c", .domainCharacter),
        ("a@bü", .domainCharacter), ("a@b_c", .domainCharacter), ("a@b/c", .domainCharacter),
        ("a@" + String(repeating: "b", count: 65), .domainTooLong), ("@b", .userIDEmpty),
    ])
    func `a domain outside the rules is refused by name`(text: String, code: AccountNameError.Code) {
        #expect(throws: AccountNameError(code)) { try AccountName(text: text, defaultDomain: "master") }
    }
}
