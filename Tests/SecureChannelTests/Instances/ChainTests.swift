import Crypto
import SecureChannel
import Testing

@Suite struct ChainTests {
    private let start = SymmetricKey(data: [UInt8](repeating: 1, count: 32))

    @Test func `an advance is as many single steps`() throws {
        var state = start
        for index in 8...12 as ClosedRange<UInt64> { state = Chain.next(state, to: index) }
        #expect(try Chain.advance(start, from: 7, to: 12) == state)
        #expect(try Chain.advance(start, from: 7, to: 7) == start)
    }

    @Test func `a state depends on the one before and on its index`() {
        #expect(Chain.next(start, to: 1) != Chain.next(start, to: 2))
        #expect(Chain.next(start, to: 1) != Chain.next(start, to: 1 << 56))
        #expect(Chain.next(start, to: 1) != Chain.next(Chain.next(start, to: 1), to: 1))
    }

    @Test func `the chain goes neither back nor far`() throws {
        #expect(refusal { try Chain.advance(start, from: 5, to: 4) } == .chainOutOfRange)
        #expect(refusal { try Chain.advance(start, from: 0, to: .max) } == .chainOutOfRange)
        #expect(refusal { try Chain.advance(start, from: 3, to: 14, limit: 10) } == .chainOutOfRange)
        #expect(refusal { try Chain.advance(start, from: 3, to: 13, limit: 10) } == nil)
        #expect(refusal { try Chain.advance(start, from: .max - 2, to: .max) } == nil)
        #expect(refusal { try Chain.advance(start, from: 0, to: Chain.longestAdvance + 1) } == .chainOutOfRange)
    }
}
