import Crypto
import Foundation
import TestSupport
import Testing

@testable import CommandLine

/// The symbols, against another encoder and the example of the standard.
@Suite struct SymbolTests {
    /// A row of `Tests/Vectors/qr/symbols.csv`.
    struct Vector: Sendable, CustomTestStringConvertible {
        let version: Int
        let correction: QRCode.Correction
        let mask: Int
        let text: String
        let hash: String

        var testDescription: String { "version \(version), \(correction)" }

        init?(_ row: Substring) {
            let fields = row.split(separator: ",").map(String.init)
            guard fields.count == 5, let version = Int(fields[0]), let mask = Int(fields[2]),
                let correction = QRCode.Correction.allCases.first(where: { "\($0)" == fields[1] })
            else { return nil }
            (self.version, self.correction, self.mask, text, hash) = (version, correction, mask, fields[3], fields[4])
        }

        static func load() throws -> [Vector] {
            let text = try #require(String(bytes: try Vectors.data("qr/symbols.csv"), encoding: .utf8))
            return try text.split(separator: "\n").dropFirst().map { try #require(Vector($0)) }
        }
    }

    @Test func `every version and level has the modules of another encoder`() throws {
        let vectors = try Vector.load()
        #expect(vectors.count == 160)
        for vector in vectors {
            let plan = SymbolPlan(version: vector.version, correction: vector.correction)
            let data = try #require(SymbolContent(vector.text).codewords(in: plan))
            let symbol = SymbolTemplate(version: vector.version).filled(with: plan.interleaved(data))
            let modules = symbol.masked(by: vector.mask, vector.correction)
            let digits = (0..<modules.size).flatMap { row in
                (0..<modules.size).map { column in modules[column, row] ? UInt8(ascii: "1") : UInt8(ascii: "0") }
            }
            #expect(SHA256.hash(data: digits).map { String(format: "%02x", $0) }.joined() == vector.hash, "\(vector)")
        }
    }

    // ISO/IEC 18004, annex I: "01234567" in version 1 with 10 codewords for error correction.
    @Test func `the codewords of the standard's example are made`() throws {
        let plan = SymbolPlan(version: 1, correction: .medium)
        let data = try #require(SymbolContent("01234567").codewords(in: plan))
        #expect(
            data == [
                0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11,
            ])
        #expect(
            ReedSolomon(degree: 10).remainder(of: data)
                == [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55])
    }

    @Test func `the capacity of each mode and level is that of the standard, and one character more does not fit`()
        throws
    {
        let capacities: [QRCode.Correction: [Int]] = [
            .low: [7_089, 4_296, 2_953], .medium: [5_596, 3_391, 2_331], .quartile: [3_993, 2_420, 1_663],
            .high: [3_057, 1_852, 1_273],
        ]
        for (correction, limits) in capacities {
            for (character, limit) in zip(["7", "A", "a"], limits) {
                let longest = String(repeating: character, count: limit)
                let plan = SymbolPlan(version: 40, correction: correction)
                #expect(SymbolContent(longest).codewords(in: plan)?.count == plan.dataCount)
                #expect(throws: QRCodeError(limit: limit)) { try QRCode(longest + character, correction: correction) }
            }
        }
    }

    @Test func `a symbol has the modules that its codewords need`() {
        for version in 1...40 {
            #expect(SymbolTemplate(version: version).dataPlaces.count == SymbolPlan.moduleCount(version))
        }
    }

    @Test func `a pointer of 42 characters of Base45 takes version 3 with medium error correction`() throws {
        let code = try QRCode(String(repeating: "A", count: 42))
        #expect(code.version == 3 && code.correction == .medium && code.size == 29)
    }

    @Test func `an empty text, and a text of any script, are encoded`() throws {
        #expect(try QRCode("").version == 1)
        #expect(try QRCode("東京", version: 5).version == 5)
    }

    @Test func `the mask has the lowest penalty of all eight`() throws {
        let code = try QRCode("HTTP://A.B/1%")
        let plan = SymbolPlan(version: code.version, correction: code.correction)
        let data = try #require(SymbolContent("HTTP://A.B/1%").codewords(in: plan))
        let symbol = SymbolTemplate(version: code.version).filled(with: plan.interleaved(data))
        let penalties = (0..<8).map { MaskPenalty.of(symbol.masked(by: $0, code.correction)) }
        #expect(penalties[code.mask] == penalties.min())
        #expect(Set(penalties).count > 1)
    }
}
