import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@Suite struct Elligator2Tests {
    private func map(_ bytes: [UInt8]) -> [UInt8] { Elligator2.uCoordinate(from: bytes.span).revealed }

    /// 0, 1, -1, values round p, round 2^255, round the limb boundaries of the fast arithmetic, and all ones.
    static let edges: [[UInt8]] = {
        func number(_ low: UInt8, _ middle: UInt8, _ high: UInt8) -> [UInt8] {
            [low] + [UInt8](repeating: middle, count: 30) + [high]
        }
        let small = (0..<UInt8(8)).map { number($0, 0, 0) }
        let aroundPrime = (UInt8(0xE8)...0xFF).map { number($0, 0xFF, 0x7F) }
        let withHighBit = [number(0, 0, 0x80), number(1, 0, 0x80), number(0xEC, 0xFF, 0xFF), number(0xFF, 0xFF, 0xFF)]
        let singleBits = (0..<256).map { bit in
            var bytes = [UInt8](repeating: 0, count: 32)
            bytes[bit / 8] = 1 << UInt8(bit % 8)
            return bytes
        }
        let runsOfOnes = [51, 102, 153, 204, 250, 251, 254].map { (count: Int) -> [UInt8] in
            var bytes = [UInt8](repeating: 0, count: 32)
            for bit in 0..<count { bytes[bit / 8] |= 1 << UInt8(bit % 8) }
            return bytes
        }
        var all = small + aroundPrime
        all += withHighBit
        all += singleBits
        all += runsOfOnes
        return all
    }()

    /// Whether the map's result for these bytes is right by the model, and written in its one form.
    private func agrees(_ result: [UInt8], for bytes: [UInt8]) -> Bool {
        let model = FieldModel(bytes: result)
        return model.bytes == result && model.isElligator2(of: FieldModel(bytes: bytes))
    }

    @Test func `the model is correct for small numbers`() {
        func number(_ value: UInt64) -> FieldModel { FieldModel(limbs: [value, 0, 0, 0]) }
        // p = 5 modulo 8 and 1 modulo 4: 2 is no square, -1 is.
        #expect(!number(2).isSquare)
        #expect((-number(1)).isSquare)
        #expect(number(4).isSquare && number(9).isSquare && (number(3) * number(3)).isSquare)
        #expect(!(number(2) * number(9)).isSquare)
        #expect(number(3) * number(5) == number(15))
        #expect(-number(3) * -number(5) == number(15))
        #expect(number(1) + -number(1) == .zero)
        #expect(FieldModel(limbs: FieldModel.prime) == .zero)
    }

    @Test func `the map agrees with a big-integer model at the edges`() {
        for edge in Self.edges { #expect(agrees(map(edge), for: edge), "input \(edge)") }
    }

    @Test func `the map agrees with a big-integer model on random inputs, and takes both of its branches`() {
        var generator = SeededGenerator(seed: 25519)
        var (differing, first) = (0, 0)
        for _ in 0..<2_000 {
            let bytes = generator.bytes(32)
            let result = map(bytes)
            if !agrees(result, for: bytes) { differing += 1 }
            if FieldModel(bytes: result).isFirstCandidate(for: FieldModel(bytes: bytes)) { first += 1 }
        }
        #expect(differing == 0)
        #expect(first > 880 && first < 1_120)
    }

    @Test func `the model refuses the other candidate and a neighbor`() {
        var generator = SeededGenerator(seed: 9380)
        for _ in 0..<50 {
            let bytes = generator.bytes(32)
            let (u, x) = (FieldModel(bytes: bytes), FieldModel(bytes: map(bytes)))
            #expect(!(-x + -.j).isElligator2(of: u))
            #expect(!(x + .one).isElligator2(of: u))
        }
    }

    @Test func `the highest bit of the input is ignored and values of p and above wrap`() {
        var generator = SeededGenerator(seed: 7748)
        for _ in 0..<50 {
            var bytes = generator.bytes(32)
            bytes[31] &= 0x7F
            let plain = map(bytes)
            bytes[31] |= 0x80
            #expect(map(bytes) == plain)
        }
        let two = [2] + [UInt8](repeating: 0, count: 31)
        let primePlusTwo = [0xEF] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
        #expect(map(two) == map(primePlusTwo))
    }

    @Test func `an element and its negative map to the same point`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<50 {
            let u = FieldModel(bytes: generator.bytes(32))
            #expect(map(u.bytes) == map((-u).bytes))
        }
    }
}
