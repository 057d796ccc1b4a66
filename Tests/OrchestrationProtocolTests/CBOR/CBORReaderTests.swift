import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@Suite struct CBORReaderTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let hex: String
        let code: WireError.Code
        let offset: Int?
        var testDescription: String { "\(hex) \(code)" }

        init(_ hex: String, _ code: WireError.Code, at offset: Int?) {
            self.hex = hex
            self.code = code
            self.offset = offset
        }
    }

    static let refusals: [Refusal] = [
        // Lengths and numbers that have a shorter form.
        .init("1817", .nonShortestLength, at: 0), .init("190018", .nonShortestLength, at: 0),
        .init("1900ff", .nonShortestLength, at: 0), .init("1a0000ffff", .nonShortestLength, at: 0),
        .init("1b00000000ffffffff", .nonShortestLength, at: 0), .init("3817", .nonShortestLength, at: 0),
        .init("5800", .nonShortestLength, at: 0), .init("580101", .nonShortestLength, at: 0),
        .init("780161", .nonShortestLength, at: 0), .init("980101", .nonShortestLength, at: 0),
        .init("b8010101", .nonShortestLength, at: 0), .init("d9001080", .nonShortestLength, at: 0),
        .init("82001817", .nonShortestLength, at: 2),
        // Map keys.
        .init("a202000100", .unsortedMapKeys, at: 3), .init("a201000100", .duplicateMapKey, at: 3),
        .init("a2616200616100", .unsortedMapKeys, at: 4), .init("a2200001f6", .unsortedMapKeys, at: 3),
        .init("a262616100616200", .unsortedMapKeys, at: 5), .init("a2810100810100", .duplicateMapKey, at: 4),
        .init("81a201000100", .duplicateMapKey, at: 4), .init("a101a201000100", .duplicateMapKey, at: 5),
        .init("a281010080f6", .unsortedMapKeys, at: 4),
        // Text.
        .init("61ff", .invalidUTF8, at: 0), .init("62c328", .invalidUTF8, at: 0),
        .init("62c080", .invalidUTF8, at: 0), .init("63eda080", .invalidUTF8, at: 0),
        .init("64f4908080", .invalidUTF8, at: 0), .init("61c3", .invalidUTF8, at: 0),
        // What the subset leaves out.
        .init("5f4101ff", .indefiniteLength, at: 0), .init("ff", .indefiniteLength, at: 0),
        .init("8100ff", .trailingBytes, at: 2), .init("82ff00", .indefiniteLength, at: 1),
        .init("f90000", .floatingPoint, at: 0), .init("fa00000000", .floatingPoint, at: 0),
        .init("c24101", .bignum, at: 0), .init("c34101", .bignum, at: 0), .init("c000", .unsupportedTag, at: 0),
        .init("d100", .unsupportedTag, at: 0), .init("d8ff00", .unsupportedTag, at: 0),
        .init("f7", .unsupportedSimpleValue, at: 0), .init("e0", .unsupportedSimpleValue, at: 0),
        .init("f820", .unsupportedSimpleValue, at: 0), .init("f814", .reservedValue, at: 0),
        // Reserved heads.
        .init("1c", .reservedValue, at: 0), .init("1d", .reservedValue, at: 0), .init("1e", .reservedValue, at: 0),
        .init("1f", .reservedValue, at: 0), .init("3f", .reservedValue, at: 0), .init("df00", .reservedValue, at: 0),
        .init("5c", .reservedValue, at: 0), .init("fc", .reservedValue, at: 0), .init("9e", .reservedValue, at: 0),
        // Ends.
        .init("", .truncated, at: 0), .init("18", .truncated, at: 0), .init("19ff", .truncated, at: 0),
        .init("41", .truncated, at: 0), .init("5affffffff00", .truncated, at: 0),
        .init("5bffffffffffffffff", .truncated, at: 0), .init("7b7fffffffffffffff", .truncated, at: 0),
        .init("81", .truncated, at: 0), .init("8201", .truncated, at: 0), .init("a101", .truncated, at: 0),
        .init("d0", .truncated, at: 0), .init("818118", .truncated, at: 2),
        .init("0000", .trailingBytes, at: 1), .init("8000", .trailingBytes, at: 1),
        .init("4000", .trailingBytes, at: 1),
        // Counts that nothing could follow.
        .init("9b8000000000000000", .tooManyItems, at: 0), .init("9bffffffffffffffff", .tooManyItems, at: 0),
        .init("bb8000000000000000", .tooManyItems, at: 0), .init("bbffffffffffffffff", .tooManyItems, at: 0),
        .init("9b7fffffffffffffff", .tooManyItems, at: 0), .init("bb4000000000000000", .tooManyItems, at: 0),
    ]

    @Test(arguments: refusals)
    func `an encoding that is not canonical is refused with code and offset`(row: Refusal) {
        let value = #expect(throws: WireError.self) { try CBORValue(decoding: [UInt8](hex: row.hex)) }
        #expect(value?.code == row.code)
        #expect(value?.offset == row.offset)

        // Skipping validates as much as reading does.
        let skipped = #expect(throws: WireError.self) {
            var reader = CBORReader([UInt8](hex: row.hex))
            _ = try reader.readEncodedItem()
            try reader.finish()
        }
        #expect(skipped?.code == row.code)
        #expect(skipped?.offset == row.offset)
    }

    @Test func `nesting ends at the limit of depth`() throws {
        let deepest = [UInt8](repeating: 0x81, count: 7) + [0x80]
        #expect(try CBORValue(decoding: deepest).encoded == deepest)
        #expect(throws: WireError(.tooDeep)) { try CBORValue(decoding: [0x81] + deepest) }
        #expect(throws: WireError(.tooDeep)) { try CBORValue(decoding: [0xD0] + deepest) }
        #expect(throws: WireError(.tooDeep)) {
            try CBORValue(decoding: [UInt8](repeating: 0xD2, count: 60_000) + [0x00])
        }
        #expect(throws: WireError(.tooDeep)) { try CBORValue(decoding: [0x81, 0x80], limits: .init(depth: 1)) }
        #expect(throws: Never.self) { try CBORValue(decoding: [0x81, 0x00], limits: .init(depth: 1)) }
    }

    @Test func `items are counted over all levels`() throws {
        let most = [UInt8](hex: "9901ff") + [UInt8](repeating: 0, count: 511)
        #expect(try CBORValue(decoding: most).encoded == most)
        let more = [UInt8](hex: "990200") + [UInt8](repeating: 0, count: 512)
        #expect(throws: WireError(.tooManyItems)) { try CBORValue(decoding: more) }
        let nested = [UInt8](hex: "82") + most + [0]
        #expect(throws: WireError(.tooManyItems)) { try CBORValue(decoding: nested) }
        #expect(throws: WireError(.tooManyItems)) {
            try CBORValue(decoding: [0x82, 0x00, 0x00], limits: .init(items: 2))
        }
    }

    @Test func `more bytes than the limit are refused before they are decoded`() throws {
        let most: [UInt8] = [0x59, 0xFF, 0xFD] + [UInt8](repeating: 7, count: 65_533)
        #expect(most.count == 65_536)
        #expect(try CBORValue(decoding: most) == .bytes([UInt8](repeating: 7, count: 65_533)))
        #expect(throws: WireError(.tooLarge)) { try CBORValue(decoding: most + [0]) }
        #expect(throws: WireError(.tooLarge)) { try CBORValue(decoding: [0x41, 0x00], limits: .init(bytes: 1)) }
    }

    @Test func `typed readers read the written values`() throws {
        var writer = CBORWriter(capacity: 64)
        writer.array(10)
        writer.unsigned(.max)
        writer.integer(.min)
        writer.integer(.max)
        writer.bytes([1, 2, 3])
        writer.bytes([4, 5, 6].span)
        writer.text("grüezi")
        writer.boolean(true)
        writer.null()
        writer.map(1)
        writer.unsigned(1)
        writer.boolean(false)
        writer.tag(16)
        writer.array(0)
        let bytes = writer.finish()

        var reader = CBORReader(bytes)
        try reader.readArray(count: 10)
        #expect(try reader.readUnsigned() == .max)
        #expect(try reader.readInteger() == .min)
        #expect(try reader.readInteger() == .max)
        #expect(try reader.readBytes() == [1, 2, 3])
        #expect(try reader.readBytes(count: 3) == [4, 5, 6])
        #expect(try reader.readText(maximumBytes: 7) == "grüezi")
        #expect(try !reader.readIfNull())
        #expect(try reader.readBoolean())
        #expect(try reader.readIfNull())
        #expect(try reader.readMap() == 1)
        #expect(try reader.readUnsigned() == 1)
        #expect(try !reader.readBoolean())
        let start = reader.offset
        var second = reader
        #expect(try reader.readTag() == 16)
        #expect(try reader.readArray() == 0)
        try reader.finish()
        #expect(try second.readEncodedItem() == [UInt8](bytes[start...]))
        try second.finish()
    }

    @Test func `typed readers refuse another kind, length or range`() {
        func refuses(_ code: WireError.Code, _ hex: String, _ read: (inout CBORReader) throws -> Void) {
            #expect(throws: WireError(code)) {
                var reader = CBORReader([UInt8](hex: hex))
                try read(&reader)
            }
        }
        refuses(.unexpectedType, "20") { _ = try $0.readUnsigned() }
        refuses(.integerOutOfRange, "05") { _ = try $0.readUnsigned(maximum: 4) }
        refuses(.unexpectedType, "40") { _ = try $0.readInteger() }
        refuses(.integerOutOfRange, "1b8000000000000000") { _ = try $0.readInteger() }
        refuses(.integerOutOfRange, "3b8000000000000000") { _ = try $0.readInteger() }
        refuses(.unexpectedType, "60") { _ = try $0.readBytes() }
        refuses(.tooLarge, "4100") { _ = try $0.readBytes(maximum: 0) }
        refuses(.unexpectedLength, "4100") { _ = try $0.readBytes(count: 2) }
        refuses(.unexpectedLength, "5bffffffffffffffff") { _ = try $0.readBytes(count: 2) }
        refuses(.unexpectedType, "40") { _ = try $0.readText(maximumBytes: 9) }
        refuses(.tooLarge, "626161") { _ = try $0.readText(maximumBytes: 1) }
        refuses(.unexpectedType, "f6") { _ = try $0.readBoolean() }
        refuses(.unexpectedType, "f4") { try $0.readNull() }
        refuses(.floatingPoint, "f97e00") { _ = try $0.readUnsigned() }
        refuses(.unexpectedType, "a0") { _ = try $0.readArray() }
        refuses(.unexpectedCount, "80") { try $0.readArray(count: 1) }
        refuses(.tooManyItems, "820000") { _ = try $0.readArray(maximum: 1) }
        refuses(.unexpectedType, "80") { _ = try $0.readMap() }
        refuses(.unexpectedType, "80") { _ = try $0.readTag() }
        refuses(.unexpectedTag, "d080") { try $0.readTag(18) }
    }

    @Test func `members that were not read are an error`() throws {
        var reader = CBORReader([0x82, 0x00, 0x00])
        _ = try reader.readArray()
        _ = try reader.readUnsigned()
        #expect(throws: WireError(.trailingBytes)) { try reader.finish() }
        _ = try reader.readUnsigned()
        #expect(throws: Never.self) { try reader.finish() }
        #expect(throws: WireError(.truncated)) { try reader.readUnsigned() }
    }

    @Test func `an error has code, offset and blame, and no bytes of the input`() throws {
        let error = try #require(
            #expect(throws: WireError.self) { try CBORValue(decoding: [UInt8](hex: "82435365638201")) })
        #expect(error.description == "truncated at byte 5: the bytes end in the middle of an item")
        #expect(error.blame == .peer)
        #expect(error.location.fileID.hasPrefix("OrchestrationProtocol/"))
        #expect(error == WireError(.truncated))
        #expect(error != WireError(.tooDeep))
    }
}
