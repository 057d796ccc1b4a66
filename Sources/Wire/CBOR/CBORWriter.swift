/// Writes deterministic CBOR (RFC 8949 §4.2.1), in the subset of the protocol.
///
/// An array, map or tag announces its members, which are written next. The keys of a map must be written in bytewise
/// order of their encodings; ``CBORMap`` sorts where that is not plain to see. In debug builds ``finish()`` checks
/// that what was written is one sequence of complete, canonical items.
package struct CBORWriter {
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

    package mutating func unsigned(_ value: UInt64) {
        header(.unsigned, value)
    }

    package mutating func integer(_ value: Int64) {
        if value >= 0 {
            header(.unsigned, UInt64(value))
        } else {
            negative(UInt64(bitPattern: ~value))
        }
    }

    /// The integer -1 - `magnitude`, which reaches further than `Int64` does.
    package mutating func negative(_ magnitude: UInt64) {
        header(.negative, magnitude)
    }

    package mutating func bytes(_ value: some Collection<UInt8>) {
        header(.bytes, UInt64(value.count))
        buffer.append(contentsOf: value)
    }

    package mutating func bytes(_ value: borrowing Span<UInt8>) {
        header(.bytes, UInt64(value.count))
        for index in value.indices { buffer.append(value[index]) }
    }

    package mutating func text(_ value: String) {
        let utf8 = value.utf8
        header(.text, UInt64(utf8.count))
        buffer.append(contentsOf: utf8)
    }

    package mutating func boolean(_ value: Bool) {
        header(.simple, value ? CBORSimpleValue.true : CBORSimpleValue.false)
    }

    package mutating func null() {
        header(.simple, CBORSimpleValue.null)
    }

    /// Announces an array of `count` items.
    package mutating func array(_ count: Int) {
        header(.array, UInt64(count))
    }

    /// Announces a map of `count` pairs.
    package mutating func map(_ count: Int) {
        header(.map, UInt64(count))
    }

    /// Announces the one item that the tag is about.
    package mutating func tag(_ number: UInt64) {
        header(.tag, number)
    }

    /// Splices an item that is encoded already.
    package mutating func encoded(_ item: [UInt8]) {
        buffer.append(contentsOf: item)
    }

    /// What was written.
    package consuming func finish() -> [UInt8] {
        assert(Self.isCanonical(buffer), "an incomplete item, or map keys out of order")
        return buffer
    }

    private mutating func header(_ type: CBORMajorType, _ argument: UInt64) {
        let upper = type.rawValue << 5
        switch argument {
        case 0..<24:
            buffer.append(upper | UInt8(argument))
        case 24...0xFF:
            buffer.append(upper | 24)
            bigEndian(argument, byteCount: 1)
        case 0x100...0xFFFF:
            buffer.append(upper | 25)
            bigEndian(argument, byteCount: 2)
        case 0x1_0000...0xFFFF_FFFF:
            buffer.append(upper | 26)
            bigEndian(argument, byteCount: 4)
        default:
            buffer.append(upper | 27)
            bigEndian(argument, byteCount: 8)
        }
    }

    private mutating func bigEndian(_ value: UInt64, byteCount: Int) {
        for shift in stride(from: (byteCount - 1) * 8, through: 0, by: -8) {
            buffer.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    private static func isCanonical(_ bytes: [UInt8]) -> Bool {
        var reader = CBORReader(bytes, limits: .none)
        do {
            while !reader.isAtEnd { try reader.skipItem() }
            return true
        } catch {
            return false
        }
    }
}
