internal import CHashBlocks
internal import CLibrary
internal import Crypto

/// A key of HMAC after the work that is the same for every message: the states of the hash after the blocks of the
/// inner and of the outer padding.
///
/// The states make every code that the key makes, so that they are wiped like the key. They stand in memory of their
/// own, not in the value itself: Swift moves a value by copying its bytes, also into the frame of its own `deinit`
/// before the first line of that runs (6.3), so that a `deinit` could only wipe a copy and would leave the original
/// where the owner was. This memory never moves.
@safe
struct PreparedKey: ~Copyable, @unchecked Sendable {  // SAFETY: one owner; written in `init` and `deinit` only
    private let states: UnsafeMutablePointer<hash_blocks_key>

    /// Prepares a key of any length.
    init(_ bytes: Span<UInt8>, _ algorithm: HashAlgorithm, _ paths: HashPaths) {
        unsafe states = bytes.withUnsafeBytes { unsafe Self.states($0, algorithm, paths) }
    }

    /// Prepares a key of any length.
    init(_ key: SymmetricKey, _ algorithm: HashAlgorithm) {
        unsafe states = key.withUnsafeBytes { unsafe Self.states($0, algorithm, .available) }
    }

    private static func states(
        _ bytes: UnsafeRawBufferPointer, _ algorithm: HashAlgorithm, _ paths: HashPaths
    ) -> UnsafeMutablePointer<hash_blocks_key> {
        // `allocate` costs as much as a third of a block: it goes through `posix_memalign` on Linux.
        guard let memory = unsafe malloc(MemoryLayout<hash_blocks_key>.size) else { fatalError("out of memory") }
        let states = unsafe memory.bindMemory(to: hash_blocks_key.self, capacity: 1)
        let paths = paths.intersection(.available)
        unsafe hash_blocks_prepare(states, algorithm.number, paths.rawValue, bytes.baseAddress, bytes.count)
        return unsafe states
    }

    deinit {
        unsafe hash_blocks_wipe(states, MemoryLayout<hash_blocks_key>.size)
        unsafe free(states)
    }

    /// Writes the HMAC of a message.
    ///
    /// - Parameter output: at least as many bytes as the hash function has.
    borrowing func authenticate(_ message: UnsafeBufferPointer<UInt8>, into output: UnsafeMutablePointer<UInt8>) {
        unsafe hash_blocks_authenticate(states, message.baseAddress, message.count, output)
    }

    /// The number below 2³¹ whose last digits are the code of a counter.
    borrowing func number(counter: UInt64) -> UInt32 {
        unsafe hash_blocks_number(states, counter)
    }

    /// The number below 2³¹ whose last digits are the code of a message that has its end.
    borrowing func number(of message: UnsafeRawBufferPointer) -> UInt32 {
        unsafe hash_blocks_message_number(states, message.baseAddress, message.count)
    }

    /// The codes of as many counters as there is room for, as numbers. The counter after the last is 0.
    borrowing func codes(from first: UInt64, digits: Int, into codes: UnsafeMutableBufferPointer<UInt32>) {
        guard let start = codes.baseAddress else { return }
        unsafe hash_blocks_numbers(states, first, codes.count, Int32(truncatingIfNeeded: digits), start)
    }
}

/// Which code computes the hashes. All of it gives the same result in a time that depends on no secret; a key takes
/// what the processor has, and tests and benchmarks force less.
package struct HashPaths: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Portable C, which is always there.
    package static let portable: HashPaths = []
    /// The processor's instructions for SHA-1 and SHA-256.
    package static let instructions = HashPaths(rawValue: UInt8(HASH_BLOCKS_SHA.rawValue))
    /// AVX2: eight SHA-1 side by side for windows, without ``instructions``; shorter code for SHA-256 with them.
    package static let lanes = HashPaths(rawValue: UInt8(HASH_BLOCKS_LANES.rawValue))
    /// SHA-512 with vectors and better rotations.
    package static let vectors = HashPaths(rawValue: UInt8(HASH_BLOCKS_VECTORS.rawValue))

    /// What this processor has.
    package static var available: HashPaths { HashPaths(rawValue: hash_blocks_features()) }
}

extension HashAlgorithm {
    /// The number that the block functions know it by.
    var number: UInt8 {
        switch self {
        case .sha1: UInt8(HASH_BLOCKS_SHA1.rawValue)
        case .sha256: UInt8(HASH_BLOCKS_SHA256.rawValue)
        case .sha512: UInt8(HASH_BLOCKS_SHA512.rawValue)
        }
    }
}
