import Crypto
import OrchestrationProtocol
import Primitives
import Testing

/// The data of a seal, as both sides use it.
@Suite struct SealContentTests {
    private static let digest = [UInt8](repeating: 0xAB, count: 32)

    private func fault(_ make: () throws(SealFault) -> SealContent) -> SealFault? {
        do throws(SealFault) {
            _ = try make()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a text is sealed in normalization form C, and its digest alone is in the question`() throws {
        let content = try SealContent(text: "Zoe\u{308}")
        #expect(content.text.map { Array($0.unicodeScalars) } == ["Z", "o", "ë"])
        #expect(content.digest == Array(SHA256.hash(data: Array("Zoë".utf8))))
        #expect(content.name == nil && content.signedFields == [DataField(value: Hex.encode(content.digest))])
        #expect(content.shownFields == [DataField(value: "Zoë")])
    }

    @Test func `a name comes before the digest, which is in lower case`() throws {
        let content = try SealContent(name: "Vertra\u{308}ge.pdf", digest: Self.digest)
        let digest = String(repeating: "ab", count: 32)
        #expect(content.signedFields == [DataField(value: "Verträge.pdf"), DataField(value: digest)])
        #expect(content.name.map { Array($0.unicodeScalars).count } == 12)
        #expect(content.shownFields == content.signedFields && content.text == nil)
        #expect(try SealContent(name: nil, digest: Self.digest).signedFields == [DataField(value: digest)])
    }

    @Test func `texts, names and digests outside their limits are refused by rule`() {
        for text in ["", " "] {
            #expect(fault { () throws(SealFault) in try SealContent(text: text) } == .empty)
            #expect(fault { () throws(SealFault) in try SealContent(name: text, digest: Self.digest) } == .empty)
        }
        for text in ["\u{200B}", "a\nb", "a\u{202E}b", "AC\u{200D}ME"] {
            #expect(fault { () throws(SealFault) in try SealContent(text: text) } == .character)
            #expect(fault { () throws(SealFault) in try SealContent(name: text, digest: Self.digest) } == .character)
        }
        let (longest, longestName) = (String(repeating: "x", count: 4_096), String(repeating: "x", count: 255))
        #expect(fault { () throws(SealFault) in try SealContent(text: longest) } == nil)
        #expect(fault { () throws(SealFault) in try SealContent(text: longest + "x") } == .textTooLong)
        #expect(
            fault { () throws(SealFault) in try SealContent(text: longest + longest + longest + longest + "x") }
                == .textTooLong)
        #expect(fault { () throws(SealFault) in try SealContent(name: longestName, digest: Self.digest) } == nil)
        #expect(
            fault { () throws(SealFault) in try SealContent(name: longestName + "x", digest: Self.digest) }
                == .nameTooLong)
        for count in [0, 31, 33] {
            let digest = [UInt8](repeating: 1, count: count)
            #expect(fault { () throws(SealFault) in try SealContent(name: nil, digest: digest) } == .digest)
        }
    }

    @Test func `a host code of a seal is not one of a signature`() throws {
        // The digest has more characters than a field of a transaction.
        let content = try SealContent(name: nil, digest: Self.digest)
        #expect(throws: DataFieldError.self) { try DataFields(content.signedFields) }
    }

    @Test func `nothing of the data is printed`() throws {
        let content = try SealContent(text: "canary text")
        #expect("\(content) \(String(reflecting: content))".contains("canary") == false)
        #expect(Mirror(reflecting: content).children.isEmpty)
    }
}
