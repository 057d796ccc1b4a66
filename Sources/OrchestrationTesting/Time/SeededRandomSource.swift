internal import Crypto
public import Primitives
internal import Synchronization

/// Pseudorandom bytes that are the same for the same seed, which makes a failing run repeatable.
///
/// The stream is SHA-256 over the seed and a counter. It is as good as random for statistics and worthless for
/// security, because the seed determines the bytes.
///
/// It is also a generator, for tests that shuffle or choose: `Bool.random(using: &generator)` with
/// ``generator()``.
public final class SeededRandomSource: RandomSource {
    private let stream: Mutex<Stream>

    /// Creates a source at the start of the stream of a seed.
    public init(seed: UInt64) {
        stream = Mutex(Stream(seed: seed, path: 0))
    }

    private init(_ stream: consuming Stream) {
        self.stream = Mutex(stream)
    }

    /// Returns the next bytes of the stream. Calls from several tasks share the stream, in the order of their arrival.
    public func bytes(_ count: Int) -> [UInt8] {
        stream.withLock { $0.bytes(count) }
    }

    /// Returns a source with a separate stream, which depends only on the seed and the number. The bytes that one part
    /// of a test draws do not change the bytes of another part.
    public func fork(_ number: UInt64) -> SeededRandomSource {
        SeededRandomSource(
            stream.withLock { Stream(seed: $0.seed, path: $0.path &* 0x9E37_79B9_7F4A_7C15 &+ number &+ 1) })
    }

    /// Returns a generator for the standard library's random methods. It draws from this source.
    public func generator() -> Generator {
        Generator(source: self)
    }

    /// A generator of random numbers from a ``SeededRandomSource``.
    public struct Generator: RandomNumberGenerator {
        let source: SeededRandomSource

        /// Returns the next eight bytes of the stream.
        public mutating func next() -> UInt64 {
            source.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}

extension SeededRandomSource {
    /// SHA-256 in counter mode.
    struct Stream {
        let seed: UInt64
        let path: UInt64
        private var counter: UInt64 = 0
        private var rest: ArraySlice<UInt8> = []

        init(seed: UInt64, path: UInt64) {
            self.seed = seed
            self.path = path
        }

        mutating func bytes(_ count: Int) -> [UInt8] {
            while rest.count < count {
                let input = [seed, path, counter].flatMap { number in
                    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
                }
                counter += 1
                rest.append(contentsOf: SHA256.hash(data: input))
            }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }
}
