internal import CHashBlocks
internal import CLibrary
internal import Crypto

/// An HMAC key after the computation that is the same for all messages: the hash states after the blocks of the inner
/// and of the outer padding.
///
/// The states are as secret as the key and are wiped like it. They are in separate memory, because Swift moves a value
/// by copying its bytes, also into the frame of its `deinit` (Swift 6.3): a `deinit` could wipe only that copy and not
/// the original. This memory never moves.
@safe
struct PreparedKey: ~Copyable, @unchecked Sendable {  // SAFETY: one owner; written in `init` and `deinit` only
    private let states: UnsafeMutablePointer<hash_blocks_key>

    /// Creates a prepared key from a key of any length.
    ///
    /// - Parameter usesInstructions: Whether the processor's instructions for the hash function are used if it has
    ///   them.
    init(_ bytes: Span<UInt8>, _ algorithm: HashAlgorithm, usesInstructions: Bool = true) {
        unsafe states = bytes.withUnsafeBytes { unsafe Self.states($0, algorithm, usesInstructions) }
    }

    /// Creates a prepared key from a key of any length.
    init(_ key: SymmetricKey, _ algorithm: HashAlgorithm) {
        unsafe states = key.withUnsafeBytes { unsafe Self.states($0, algorithm, true) }
    }

    private static func states(
        _ bytes: UnsafeRawBufferPointer, _ algorithm: HashAlgorithm, _ usesInstructions: Bool
    ) -> UnsafeMutablePointer<hash_blocks_key> {
        // `allocate` is not used, because it calls `posix_memalign` on Linux and takes as long as a third of a block.
        guard let memory = unsafe malloc(MemoryLayout<hash_blocks_key>.size) else { fatalError("out of memory") }
        let states = unsafe memory.bindMemory(to: hash_blocks_key.self, capacity: 1)
        unsafe hash_blocks_prepare(states, algorithm.number, usesInstructions, bytes.baseAddress, bytes.count)
        return unsafe states
    }

    deinit {
        unsafe hash_blocks_wipe(states, MemoryLayout<hash_blocks_key>.size)
        unsafe free(states)
    }

    /// Writes the HMAC of a message.
    ///
    /// - Parameter output: Memory for the bytes of the hash.
    borrowing func authenticate(_ message: UnsafeBufferPointer<UInt8>, into output: UnsafeMutablePointer<UInt8>) {
        unsafe hash_blocks_authenticate(states, message.baseAddress, message.count, output)
    }

    /// Returns the number below 2³¹ with the code of a counter as its last digits.
    borrowing func number(counter: UInt64) -> UInt32 {
        unsafe hash_blocks_number(states, counter)
    }

    /// Returns the number below 2³¹ with the code of a padded message as its last digits.
    borrowing func number(of message: UnsafeRawBufferPointer) -> UInt32 {
        unsafe hash_blocks_message_number(states, message.baseAddress, message.count)
    }

    /// Fills a buffer with the codes of successive counters as numbers. The counter after the last 64-bit number is 0.
    borrowing func codes(from first: UInt64, digits: Int, into codes: UnsafeMutableBufferPointer<UInt32>) {
        guard let start = codes.baseAddress else { return }
        unsafe hash_blocks_numbers(states, first, codes.count, Int32(truncatingIfNeeded: digits), start)
    }
}

extension HashAlgorithm {
    /// The number of the algorithm in `hash_blocks.h`.
    var number: UInt8 {
        switch self {
        case .sha1: UInt8(HASH_BLOCKS_SHA1.rawValue)
        case .sha256: UInt8(HASH_BLOCKS_SHA256.rawValue)
        case .sha512: UInt8(HASH_BLOCKS_SHA512.rawValue)
        }
    }
}
