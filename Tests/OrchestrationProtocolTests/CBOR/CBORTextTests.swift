import OrchestrationProtocol
import Testing

/// Texts are looked at eight bytes at a time, and only where that says nothing, one by one.
@Suite struct CBORTextTests {
    /// Parts that are no UTF-8 by RFC 3629: a lone or missing continuation, overlong forms, surrogates, what is beyond
    /// U+10FFFF, and bytes that stand nowhere.
    static let malformed: [[UInt8]] = [
        [0x80], [0xBF], [0xC2], [0xE0, 0xA0], [0xF0, 0x90, 0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF],
        [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFF],
        [0xE2, 0x28, 0xA1], [0xC3, 0x28],
    ]
    static let wellFormed: [[UInt8]] = [
        [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80],
        [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF],
    ]

    @Test(arguments: [0, 1, 5, 6, 7, 8, 9, 15, 16, 17, 40])
    func `a text is refused, wherever a part is not UTF-8`(length: Int) {
        for part in Self.malformed {
            for place in 0...length {
                let error = #expect(throws: WireError.self) { try text(part, at: place, of: length) }
                #expect(error?.code == .invalidUTF8)
                #expect(error?.offset == 0)
            }
        }
    }

    @Test(arguments: [0, 1, 5, 6, 7, 8, 9, 15, 16, 17, 40])
    func `a text is kept as it is, wherever a part is not ASCII`(length: Int) throws {
        for part in Self.wellFormed {
            for place in 0...length {
                let read = try text(part, at: place, of: length)
                #expect(Array(read.utf8) == Self.content(part, at: place, of: length))
            }
        }
    }

    private static func content(_ part: [UInt8], at place: Int, of length: Int) -> [UInt8] {
        [UInt8](repeating: 0x61, count: place) + part + [UInt8](repeating: 0x62, count: length - place)
    }

    /// Reads a text of so many letters with a part among them.
    private func text(_ part: [UInt8], at place: Int, of length: Int) throws -> String {
        let content = Self.content(part, at: place, of: length)
        let head: [UInt8] = content.count < 24 ? [0x60 | UInt8(content.count)] : [0x78, UInt8(content.count)]
        var reader = CBORReader(head + content)
        let text = try reader.readText(maximumBytes: 64)
        try reader.finish()
        return text
    }
}
