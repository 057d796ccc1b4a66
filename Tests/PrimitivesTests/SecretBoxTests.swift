import Primitives
import Testing

@Suite struct SecretBoxTests {
    @Test func `copies of a box share one secret`() {
        let box = SecretBox("secret")
        let copy = box
        #expect(copy.text == "secret")
        #expect(copy.count == 6)
        #expect(copy.withBytes { $0[0] } == UInt8(ascii: "s"))
        #expect(box === copy)
    }

    @Test func `a secret is released with the last copy of its box`() {
        final class Flag: Sendable {}
        struct Marked: ~Copyable, Sendable {
            let flag: Flag
        }
        weak var flag: Flag?
        var box: SecretBox<Marked>?
        do {
            let made = Flag()
            flag = made
            box = SecretBox(Marked(flag: made))
        }
        var copy = box
        box = nil
        #expect(copy?.secret.flag === flag && flag != nil)
        copy = nil
        #expect(flag == nil)
    }

    @Test func `a secret is taken once`() {
        let secret = OneShotSecret(SecretBytes(copying: [1, 2]))
        let copy = secret
        let first = copy.take()?.count
        #expect(first == 2)
        let isGone = secret.take() == nil
        #expect(isGone)
        let isEmpty = OneShotSecret().take() == nil
        #expect(isEmpty)
    }

    @Test func `of many tasks that take a secret, one gets it`() async {
        let secret = OneShotSecret(SecretBytes(copying: [1]))
        let count = await withTaskGroup { group in
            for _ in 0..<32 { group.addTask { secret.take() == nil ? 0 : 1 } }
            return await group.reduce(0, +)
        }
        #expect(count == 1)
    }
}

@Suite struct RedactedTests {
    private struct Plain: Redacted { let secret = "CANARY" }
    private struct Named: Redacted {
        let id = "k1"
        let secret = "CANARY"
        var description: String { "key \(id)" }
    }
    private enum Choice: Redacted { case one(String) }

    private func printed(_ value: Any) -> String {
        var text = "\(value) \(String(reflecting: value)) "
        dump(value, to: &text)
        for child in Mirror(reflecting: value).children { text += "\(child.value)" }
        return text
    }

    @Test func `neither printing nor reflection shows the content`() {
        let secret = SecretBytes(copying: "CANARY".utf8)
        let values: [Any] = [
            Plain(), Named(), Choice.one("CANARY"), [Plain()], Optional(Named()) as Any, SecretBox("CANARY"),
            OneShotSecret(secret.copy()),
        ]
        for value in values { #expect(!printed(value).contains("CANARY"), "\(type(of: value))") }
    }

    @Test func `the description is the name of the type, or what the type says`() {
        #expect("\(Plain())" == "Plain")
        #expect("\(Named())" == "key k1" && String(reflecting: Named()) == "key k1")
        #expect(Mirror(reflecting: Named()).children.isEmpty)
    }
}
