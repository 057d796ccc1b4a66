import OrchestrationTesting
import Primitives
import Testing

@Suite struct SeededRandomSourceTests {
    @Test func `the same seed gives the same bytes however they are drawn`() {
        let whole = SeededRandomSource(seed: 7).bytes(100)
        let source = SeededRandomSource(seed: 7)
        #expect(source.bytes(1) + source.bytes(0) + source.bytes(66) + source.bytes(33) == whole)
    }

    @Test func `another seed, another fork and a later draw give other bytes`() {
        let source = SeededRandomSource(seed: 7)
        let draws = [
            source.bytes(16), source.bytes(16), SeededRandomSource(seed: 8).bytes(16),
            source.fork(0).bytes(16), source.fork(1).bytes(16), source.fork(1).fork(1).bytes(16),
        ]
        #expect(Set(draws).count == draws.count)
    }

    @Test func `a fork does not depend on what was drawn before it`() {
        let source = SeededRandomSource(seed: 7)
        let early = source.fork(3).bytes(16)
        _ = source.bytes(5)
        #expect(source.fork(3).bytes(16) == early)
    }

    @Test func `the generator draws from the source`() {
        let source = SeededRandomSource(seed: 7)
        var generator = source.generator()
        var twin = SeededRandomSource(seed: 7).generator()
        #expect(generator.next() == twin.next())
        #expect((0..<8).shuffled(using: &generator) == (0..<8).shuffled(using: &twin))
    }
}
