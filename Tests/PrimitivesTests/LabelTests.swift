import Primitives
import Testing

@Suite struct LabelTests {
    /// Returns the pairs of labels of which one begins with the other, which a derivation that appends data could
    /// confuse.
    private func clashes(_ labels: [Label]) -> [[String]] {
        labels.indices.flatMap { first in
            labels.indices.filter { $0 != first && labels[$0].bytes.starts(with: labels[first].bytes) }
                .map { [labels[first].text, labels[$0].text] }
        }
    }

    @Test func `no label is used twice or begins another`() {
        #expect(clashes(Label.all) == [])
    }

    @Test func `labels that clash are found`() {
        #expect(clashes([Label("chain"), Label("chain 2")]) == [["chain", "chain 2"]])
        #expect(clashes([Label("a"), Label("a")]).count == 2)
        #expect(clashes([Label("ab"), Label("ac")]) == [])
    }

    @Test func `the bytes of a label are its UTF-8`() {
        #expect(Label("chain").bytes == [0x63, 0x68, 0x61, 0x69, 0x6E])
    }
}
