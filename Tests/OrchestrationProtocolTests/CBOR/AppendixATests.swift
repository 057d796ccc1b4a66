import OrchestrationProtocol
import TestSupport
import Testing

/// The examples of RFC 8949 appendix A.
@Suite struct AppendixATests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let hex: String
        var testDescription: String { hex }
    }

    /// What is outside the subset, and why. Everything else in the file must be accepted.
    static let refused: [String: WireError.Code] = [
        "c249010000000000000000": .bignum,
        "c349010000000000000000": .bignum,
        "f90000": .floatingPoint, "f98000": .floatingPoint, "f93c00": .floatingPoint,
        "fb3ff199999999999a": .floatingPoint, "f93e00": .floatingPoint, "f97bff": .floatingPoint,
        "fa47c35000": .floatingPoint, "fa7f7fffff": .floatingPoint, "fb7e37e43c8800759c": .floatingPoint,
        "f90001": .floatingPoint, "f90400": .floatingPoint, "f9c400": .floatingPoint,
        "fbc010666666666666": .floatingPoint, "f97c00": .floatingPoint, "f97e00": .floatingPoint,
        "f9fc00": .floatingPoint, "fa7f800000": .floatingPoint, "fa7fc00000": .floatingPoint,
        "faff800000": .floatingPoint, "fb7ff0000000000000": .floatingPoint,
        "fb7ff8000000000000": .floatingPoint, "fbfff0000000000000": .floatingPoint,
        "f7": .unsupportedSimpleValue, "f0": .unsupportedSimpleValue,
        // simple(24) of RFC 7049's list has been ill-formed since RFC 8949.
        "f818": .reservedValue, "f8ff": .unsupportedSimpleValue,
        "c074323031332d30332d32315432303a30343a30305a": .unsupportedTag,
        "c11a514b67b0": .unsupportedTag, "c1fb41d452d9ec200000": .unsupportedTag,
        "d74401020304": .unsupportedTag, "d818456449455446": .unsupportedTag,
        "d82076687474703a2f2f7777772e6578616d706c652e636f6d": .unsupportedTag,
        "5f42010243030405ff": .indefiniteLength, "7f657374726561646d696e67ff": .indefiniteLength,
        "9fff": .indefiniteLength, "9f018202039f0405ffff": .indefiniteLength,
        "9f01820203820405ff": .indefiniteLength, "83018202039f0405ff": .indefiniteLength,
        "83019f0203ff820405": .indefiniteLength,
        "9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff": .indefiniteLength,
        "bf61610161629f0203ffff": .indefiniteLength, "826161bf61626163ff": .indefiniteLength,
        "bf6346756ef563416d7421ff": .indefiniteLength,
    ]

    static let rows = (try? Vectors.decode([Row].self, "cbor/appendix_a.json")) ?? []

    @Test func `the file is there and every refusal we list is about one of its rows`() {
        #expect(Self.rows.count == 82)
        #expect(Set(Self.refused.keys).isSubset(of: Self.rows.map(\.hex)))
    }

    @Test(arguments: rows)
    func `an example is decoded and encoded again, or refused by name`(row: Row) {
        let bytes = [UInt8](hex: row.hex)
        if let code = Self.refused[row.hex] {
            #expect(throws: WireError(code)) { try CBORValue(decoding: bytes) }
        } else {
            #expect(throws: Never.self) {
                let value = try CBORValue(decoding: bytes)
                #expect(value.encoded == bytes)
            }
        }
    }

    @Test(arguments: [
        ("00", CBORValue.unsigned(0)), ("1bffffffffffffffff", .unsigned(.max)),
        ("3bffffffffffffffff", .negative(.max)), ("3903e7", .integer(-1000)), ("20", .integer(-1)),
        ("f4", .boolean(false)), ("f5", .boolean(true)), ("f6", .null),
        ("4401020304", .bytes([1, 2, 3, 4])), ("62c3bc", .text("ü")), ("64f0908591", .text("\u{10151}")),
        (
            "8301820203820405",
            .array([.integer(1), .array([.integer(2), .integer(3)]), .array([.integer(4), .integer(5)])])
        ),
        ("a26161016162820203", .map([.text("a"): .integer(1), .text("b"): .array([.integer(2), .integer(3)])])),
    ])
    func `an example means what the RFC says`(hex: String, value: CBORValue) throws {
        #expect(try CBORValue(decoding: [UInt8](hex: hex)) == value)
        #expect(value.encoded == [UInt8](hex: hex))
    }
}
