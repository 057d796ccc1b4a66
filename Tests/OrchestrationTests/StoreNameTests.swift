import Orchestration
import Testing

@Suite struct StoreNameTests {
    @Test(arguments: ["a", "user-0f", "0", String(repeating: "a", count: 64)])
    func `a plain name is taken`(_ text: String) {
        #expect(StoreName(text)?.text == text)
    }

    @Test(arguments: ["", "-a", ".", "..", "a/b", "A", "a.b", "ä", "a\u{0}", String(repeating: "a", count: 65)])
    func `a name that could mean something to a file system is refused`(_ text: String) {
        #expect(StoreName(text) == nil)
    }
}
