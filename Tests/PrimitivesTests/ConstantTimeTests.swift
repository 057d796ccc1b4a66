import Primitives
import Testing

@Suite struct ConstantTimeTests {
    @Test func `equal bytes are equal and every flipped bit is seen`() {
        let bytes: [UInt8] = Array(0..<32)
        #expect(ConstantTime.equal(bytes, bytes))
        for bit in 0..<256 {
            var other = bytes
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(!ConstantTime.equal(bytes, other))
        }
    }

    @Test func `a prefix is not equal, and nothing equals nothing`() {
        #expect(!ConstantTime.equal([1, 2, 3], [1, 2]))
        #expect(!ConstantTime.equal([], [0]))
        #expect(ConstantTime.equal([], []))
    }

    @Test func `only zeros are zero`() {
        func isZero(_ bytes: [UInt8]) -> Bool { ConstantTime.isZero(bytes.span) }
        #expect(isZero([0, 0, 0, 0]))
        #expect(!isZero([0, 0, 0, 0x80]))
        #expect(!isZero([1, 0]))
    }

    @Test func `a mask is all ones for equal numbers and all zeros for others`() {
        let numbers: [UInt32] = [0, 1, 2, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, .max]
        for a in numbers {
            for b in numbers {
                let mask: UInt32 = ConstantTime.mask(a, equals: b)
                let wide: UInt64 = ConstantTime.mask(UInt64(a) << 32, equals: UInt64(b) << 32)
                #expect(mask == (a == b ? .max : 0))
                #expect(wide == (a == b ? .max : 0))
            }
        }
    }
}
