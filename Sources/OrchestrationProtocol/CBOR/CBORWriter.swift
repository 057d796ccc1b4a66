/// An output of deterministic CBOR (RFC 8949, section 4.2.1) in the subset of the protocol.
///
/// An array, map or tag announces its members, which are written next. The keys of a map must be written in bytewise
/// order of their encodings; ``CBORValue`` sorts them.
///
/// Messages are written by ``CBORBuffer``. ``CBORWriter`` is for encodings that are not on a hot path.
package protocol CBOROutput {
    /// Writes the head of an item: its kind, and a number, a length or a count in the shortest form.
    mutating func head(_ type: CBORMajorType, _ argument: UInt64)

    /// Writes the content of a string, or an encoded item.
    mutating func append(_ bytes: borrowing Span<UInt8>)
}

extension CBOROutput {
    @inline(__always)
    package mutating func unsigned(_ value: UInt64) {
        head(.unsigned, value)
    }

    package mutating func integer(_ value: Int64) {
        if value >= 0 {
            head(.unsigned, UInt64(value))
        } else {
            negative(UInt64(bitPattern: ~value))
        }
    }

    /// Writes the integer -1 - `magnitude`, which may be below the range of `Int64`.
    package mutating func negative(_ magnitude: UInt64) {
        head(.negative, magnitude)
    }

    @inline(__always)
    package mutating func bytes(_ value: [UInt8]) {
        bytes(value.span)
    }

    @inline(__always)
    package mutating func bytes(_ value: borrowing Span<UInt8>) {
        head(.bytes, UInt64(value.count))
        append(value)
    }

    package mutating func bytes(_ value: some Collection<UInt8>) {
        head(.bytes, UInt64(value.count))
        let isContiguous: Void? = value.withContiguousStorageIfAvailable { append(unsafe Span(_unsafeElements: $0)) }
        if isContiguous == nil { append(Array(value).span) }
    }

    @inline(__always)
    package mutating func text(_ value: String) {
        let utf8 = value.utf8
        head(.text, UInt64(utf8.count))
        let isContiguous: Void? = unsafe utf8.withContiguousStorageIfAvailable {
            append(unsafe Span(_unsafeElements: $0))
        }
        if isContiguous == nil { append(Array(utf8).span) }
    }

    @inline(__always)
    package mutating func boolean(_ value: Bool) {
        head(.simple, value ? CBORSimpleValue.true : CBORSimpleValue.false)
    }

    @inline(__always)
    package mutating func null() {
        head(.simple, CBORSimpleValue.null)
    }

    /// Announces an array of `count` items.
    @inline(__always)
    package mutating func array(_ count: Int) {
        head(.array, UInt64(count))
    }

    /// Announces a map of `count` pairs.
    package mutating func map(_ count: Int) {
        head(.map, UInt64(count))
    }

    /// Announces the item of a tag.
    package mutating func tag(_ number: UInt64) {
        head(.tag, number)
    }

    /// Writes an encoded item.
    package mutating func encoded(_ item: [UInt8]) {
        append(item.span)
    }
}

/// An output into memory that grows with the encoding, for encodings that are not on a hot path.
///
/// In debug builds ``finish()`` checks that the output is a sequence of complete, canonical items.
package struct CBORWriter: CBOROutput {
    private var buffer: [UInt8]

    package init() {
        buffer = []
    }

    /// Creates a writer that allocates only here for up to `capacity` bytes.
    package init(capacity: Int) {
        buffer = []
        buffer.reserveCapacity(capacity)
    }

    /// The bytes that have been written so far.
    package var bytes: [UInt8] { buffer }

    /// Returns the bytes that were written.
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
