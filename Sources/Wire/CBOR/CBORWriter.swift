/// Collects an encoding in memory that grows with it, for what is not on a hot path.
///
/// In debug builds ``finish()`` checks that what was written is one sequence of complete, canonical items.
package struct CBORWriter: CBOROutput {
    private var buffer: [UInt8]

    package init() {
        buffer = []
    }

    /// Makes room at once, so that writing up to `capacity` bytes allocates only here.
    package init(capacity: Int) {
        buffer = []
        buffer.reserveCapacity(capacity)
    }

    /// What has been written so far.
    package var bytes: [UInt8] { buffer }

    /// What was written.
    package consuming func finish() -> [UInt8] {
        assert(Self.isCanonical(buffer), "an incomplete item, or map keys out of order")
        return buffer
    }

    package mutating func head(_ type: CBORMajorType, _ argument: UInt64) {
        let byteCount = Self.headByteCount(argument)
        let information = byteCount == 1 ? UInt8(argument) : 24 + UInt8((byteCount - 1).trailingZeroBitCount)
        buffer.append(type.rawValue << 5 | information)
        for shift in stride(from: (byteCount - 2) * 8, through: 0, by: -8) {
            buffer.append(UInt8(truncatingIfNeeded: argument >> UInt64(shift)))
        }
    }

    /// The length of the shortest head with this argument, 1 to 9 (RFC 8949, section 3).
    private static func headByteCount(_ argument: UInt64) -> Int {
        switch argument {
        case 0..<24: 1
        case 24...0xFF: 2
        case 0x100...0xFFFF: 3
        case 0x1_0000...0xFFFF_FFFF: 5
        default: 9
        }
    }

    package mutating func append(_ bytes: borrowing Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
    }

    /// Whether bytes are a sequence of complete, canonical items.
    static func isCanonical(_ bytes: [UInt8]) -> Bool {
        var reader = CBORReader(bytes, limits: .none)
        do {
            while !reader.isAtEnd { try reader.skipItem() }
            return true
        } catch {
            return false
        }
    }
}
