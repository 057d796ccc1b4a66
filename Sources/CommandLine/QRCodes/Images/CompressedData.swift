/// Compressed data in the format of zlib (RFC 1950), as one block of DEFLATE with the fixed codes (RFC 1951, 3.2.6).
///
/// The lines of a QR code image repeat the previous line. They are written as references to it. Such an image needs no
/// further compression.
struct CompressedData {
    private var bits = LowBitBuffer()
    private var checksum = Adler32()

    init() {
        // The last block, with the fixed codes.
        bits.append(1, count: 1)
        bits.append(1, count: 2)
    }

    /// Appends bytes as they are.
    mutating func append(_ bytes: [UInt8]) {
        for byte in bytes {
            appendSymbol(Int(byte))
            checksum.update(byte)
        }
    }

    /// Appends the last appended bytes once more, as a reference. A short or a very long line is appended as it is.
    mutating func appendAgain(_ bytes: [UInt8]) {
        guard (3...1_024).contains(bytes.count) else { return append(bytes) }
        var rest = bytes.count
        while rest > 0 {
            // A reference has 3 to 258 bytes, which means that at least 3 must be left for the last one.
            let length = rest <= 258 ? rest : min(258, rest - 3)
            appendReference(length: length, distance: bytes.count)
            rest -= length
        }
        for byte in bytes { checksum.update(byte) }
    }

    /// Returns the data with header and checksum.
    func encoded() -> [UInt8] {
        var bits = bits
        bits.append(0, count: 7)  // The end of the block.
        return [0x78, 0x01] + bits.bytes
            + (0..<4).reversed().map { UInt8(truncatingIfNeeded: checksum.value >> (8 * $0)) }
    }

    private mutating func appendSymbol(_ symbol: Int) {
        switch symbol {
        case ..<144: bits.appendCode(0x30 + symbol, count: 8)
        case ..<256: bits.appendCode(0x190 + symbol - 144, count: 9)
        case ..<280: bits.appendCode(symbol - 256, count: 7)
        default: bits.appendCode(0xC0 + symbol - 280, count: 8)
        }
    }

    private mutating func appendReference(length: Int, distance: Int) {
        let place = Self.lengths.lastIndex { $0.base <= length } ?? 0
        appendSymbol(257 + place)
        bits.append(length - Self.lengths[place].base, count: Self.lengths[place].extra)
        let code = Self.distances.lastIndex { $0.base <= distance } ?? 0
        bits.appendCode(code, count: 5)
        bits.append(distance - Self.distances[code].base, count: Self.distances[code].extra)
    }

    /// The minimum length and the extra bits of each code (RFC 1951, 3.2.5). The maximum length has a separate code.
    private static let lengths = ranges(from: 3, codes: 28, perBit: 4) + [(258, 0)]

    /// The minimum distance and the extra bits of each code (RFC 1951, 3.2.5).
    private static let distances = ranges(from: 1, codes: 30, perBit: 2)

    /// Returns the beginnings of ranges that double after each group of codes, and the bits of a place in each.
    private static func ranges(from first: Int, codes: Int, perBit group: Int) -> [(base: Int, extra: Int)] {
        var base = first
        return (0..<codes).map { code in
            let extra = max(0, code / group - 1)
            defer { base += 1 << extra }
            return (base, extra)
        }
    }
}

/// Bits, the first one least significant.
private struct LowBitBuffer {
    private(set) var bytes: [UInt8] = []
    private var count = 0

    /// Appends the lowest bits of a value, the least significant one first.
    mutating func append(_ value: Int, count width: Int) {
        for position in 0..<width {
            if count % 8 == 0 { bytes.append(0) }
            if value >> position & 1 == 1 { bytes[count / 8] |= 1 << UInt8(count % 8) }
            count += 1
        }
    }

    /// Appends a code, the most significant bit first.
    mutating func appendCode(_ code: Int, count width: Int) {
        for position in (0..<width).reversed() { append(code >> position, count: 1) }
    }
}

/// The checksum of zlib (RFC 1950, 2.2).
private struct Adler32 {
    private var (low, high) = (UInt32(1), UInt32(0))

    var value: Int { Int(high << 16 | low) }

    mutating func update(_ byte: UInt8) {
        low = (low + UInt32(byte)) % 65_521
        high = (high + low) % 65_521
    }
}
