import Primitives
import Testing

@Suite struct LabelTests {
    /// Returns the pairs of labels of which one begins with the other, which a derivation that appends data could
    /// confuse.
    private func clashes(_ labels: [String]) -> [[String]] {
        labels.indices.flatMap { first in
            labels.indices.filter { $0 != first && labels[$0].utf8.starts(with: labels[first].utf8) }
                .map { [labels[first], labels[$0]] }
        }
    }

    @Test func `no label is used twice or begins another`() {
        #expect(clashes(Label.allCases.map(\.text)) == [])
    }

    /// The labels after `swift-orchestration/1 `, and those without it, as the articles and stored data have them.
    private static let texts: (long: [String], short: [String]) = (
        [
            "activation", "platform tag", "authenticator tag", "key request", "key answer", "provisioning",
            "password instance", "other instance", "chain start", "preshared key", "request", "ratchet tag",
            "proof key", "code key", "host code key", "approval request", "approval answer", "receipt",
            "method registration", "device root", "device key seal", "device binding", "device storage secret",
            "device password secret", "user record", "record name", "password pad", "device data hash", "platform row",
            "audit export", "id of data keys", "audit entry", "login source", "api key", "client certificate",
            "unlock code", "exchange source", "hedge request", "hedge answer", "hedge key request", "hedge key answer",
            "change topic",
        ],
        ["request", "answer", "chain"]
    )

    @Test func `no label changes`() {
        #expect(
            Set(Label.allCases.map(\.text))
                == Set(Self.texts.long.map { "swift-orchestration/1 \($0)" } + Self.texts.short))
    }

    @Test func `labels that clash are found`() {
        #expect(clashes(["chain", "chain 2"]) == [["chain", "chain 2"]])
        #expect(clashes(["a", "a"]).count == 2)
        #expect(clashes(["ab", "ac"]) == [])
    }

    @Test func `the bytes of a label are its UTF-8`() {
        #expect(Label.ratchet.bytes == [0x63, 0x68, 0x61, 0x69, 0x6E])
    }
}
