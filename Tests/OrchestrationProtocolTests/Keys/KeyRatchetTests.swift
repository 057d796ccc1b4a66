import Crypto
import OrchestrationProtocol
import Testing

@Suite struct KeyRatchetTests {
    private let start = SymmetricKey(data: [UInt8](repeating: 1, count: 32))

    @Test func `an advance is equal to single steps`() throws {
        var state = start
        for index in 8...12 as ClosedRange<UInt64> { state = KeyRatchet.next(state, to: index) }
        #expect(try KeyRatchet.advance(start, from: 7, to: 12) == state)
        #expect(try KeyRatchet.advance(start, from: 7, to: 7) == start)
    }

    @Test func `a state depends on the one before and on its index`() {
        #expect(KeyRatchet.next(start, to: 1) != KeyRatchet.next(start, to: 2))
        #expect(KeyRatchet.next(start, to: 1) != KeyRatchet.next(start, to: 1 << 56))
        #expect(KeyRatchet.next(start, to: 1) != KeyRatchet.next(KeyRatchet.next(start, to: 1), to: 1))
    }

    @Test func `the ratchet moves neither back nor too far`() throws {
        #expect(refusal { try KeyRatchet.advance(start, from: 5, to: 4) } == .ratchetOutOfRange)
        #expect(refusal { try KeyRatchet.advance(start, from: 0, to: .max) } == .ratchetOutOfRange)
        #expect(refusal { try KeyRatchet.advance(start, from: 3, to: 14, limit: 10) } == .ratchetOutOfRange)
        #expect(refusal { try KeyRatchet.advance(start, from: 3, to: 13, limit: 10) } == nil)
        #expect(refusal { try KeyRatchet.advance(start, from: .max - 2, to: .max) } == nil)
        #expect(
            refusal { try KeyRatchet.advance(start, from: 0, to: KeyRatchet.longestAdvance + 1) } == .ratchetOutOfRange)
    }
}
