import OrchestrationProtocol
import TestSupport
import Testing

@Suite struct CBORPropertyTests {
    @Test(arguments: 0..<20)
    func `a value is decoded from its encoding, with the same bytes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let value = CBORValue.random(depth: 4, using: &generator)
            let bytes = value.encoded
            #expect(try CBORValue(decoding: bytes) == value)
            #expect(throws: WireError(.trailingBytes)) { try CBORValue(decoding: bytes + [0]) }
        }
    }

    @Test(arguments: 100..<110)
    func `a flipped bit is refused or decodes to something else that encodes to the same bytes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let value = CBORValue.random(depth: 3, using: &generator)
            var accepted = 0
            var wrong = 0
            for flipped in value.encoded.bitFlips {
                guard let other = try? CBORValue(decoding: flipped) else { continue }
                accepted += 1
                if other == value || other.encoded != flipped { wrong += 1 }
            }
            #expect(wrong == 0, "\(accepted) accepted")
        }
    }

    @Test(arguments: 200..<205)
    func `a truncated item is refused`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let bytes = CBORValue.random(depth: 3, using: &generator).encoded
            #expect(bytes.truncations.allSatisfy { (try? CBORValue(decoding: $0)) == nil })
        }
    }

    @Test(arguments: 300..<310)
    func `random bytes are refused or encode to themselves`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            guard let value = try? CBORValue(decoding: bytes) else { continue }
            accepted += 1
            if value.encoded != bytes { Issue.record("\(bytes.hex) decodes to something that encodes otherwise") }
        }
        #expect(accepted > 0)
    }

    @Test func `a map is written in the order of its encoded keys`() {
        var map: [CBORValue: CBORValue] = [.text("b"): .null, .text("aa"): .null, .text("a"): .null]
        for key: Int64 in [-1, 100, 24, 10, -257, 256] { map[.integer(key)] = .null }
        #expect(
            CBORValue.map(map).encoded.hex == "a9" + "0af6" + "1818f6" + "1864f6" + "190100f6" + "20f6" + "390100f6"
                + "6161f6" + "6162f6" + "626161f6")
    }

    @Test func `canonically equivalent texts are different keys`() throws {
        let bytes = [UInt8](hex: "a2" + "62c3a9" + "01" + "6365cc81" + "02")
        let value = try CBORValue(decoding: bytes)
        #expect(value.encoded == bytes)
        #expect(value == .map([.text("\u{e9}"): .unsigned(1), .text("e\u{301}"): .unsigned(2)]))
        #expect(CBORValue.text("\u{e9}") != .text("e\u{301}"))
    }

    @Test(arguments: [
        (UInt64(0), "00"), (23, "17"), (24, "1818"), (255, "18ff"), (256, "190100"), (65_535, "19ffff"),
        (65_536, "1a00010000"), (4_294_967_295, "1affffffff"), (4_294_967_296, "1b0000000100000000"),
        (.max, "1bffffffffffffffff"),
    ])
    func `a number takes its shortest form at every border`(value: UInt64, hex: String) throws {
        #expect(CBORValue.unsigned(value).encoded.hex == hex)
        #expect(try CBORValue(decoding: [UInt8](hex: hex)) == .unsigned(value))
    }
}

extension CBORValue {
    static func random(depth: Int, using generator: inout SeededGenerator) -> CBORValue {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &generator) {
        case 0: .unsigned(generator.next() >> UInt64.random(in: 0...63, using: &generator))
        case 1: .negative(generator.next() >> UInt64.random(in: 0...63, using: &generator))
        case 2: .bytes((0..<Int.random(in: 0...40, using: &generator)).map { UInt8(truncatingIfNeeded: $0 * 37) })
        case 3, 4: .text(String((0..<Int.random(in: 0...12, using: &generator)).map { "aé水𐅑\u{0}z~"[$0] }))
        case 5: .boolean(.random(using: &generator))
        case 6: .null
        case 7:
            .array(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in .random(depth: depth - 1, using: &generator) }
            )
        case 8: .tagged(Bool.random(using: &generator) ? 16 : 18, .random(depth: depth - 1, using: &generator))
        default:
            .map(
                Dictionary(
                    (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                        (random(depth: 1, using: &generator), random(depth: depth - 1, using: &generator))
                    }, uniquingKeysWith: { first, _ in first }))
        }
    }
}

extension String {
    fileprivate subscript(position: Int) -> Character {
        self[index(startIndex, offsetBy: position % count)]
    }
}
