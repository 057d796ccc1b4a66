extension QRCode {
    /// Returns the code as a PNG image (ISO/IEC 15948) with one bit for each pixel, with its border.
    ///
    /// - Parameters:
    ///   - scale: The pixels of a side of a module, 1 to 64.
    ///   - colors: The colors.
    package func png(scale: Int = 8, _ colors: ImageColors = .light) -> [UInt8] {
        precondition((1...64).contains(scale))
        let side = (size + 2 * Self.quietZone) * scale
        var image = PNGImage(width: side, height: side)
        for row in -Self.quietZone..<size + Self.quietZone {
            // In an image of one bit, 1 is white.
            var line = BitBuffer()
            for column in -Self.quietZone..<size + Self.quietZone {
                let isWhite = self[column, row] == (colors == .dark)
                for _ in 0..<scale { line.append(isWhite ? 1 : 0, count: 1) }
            }
            image.append(line.bytes, times: scale)
        }
        return image.encoded()
    }
}

/// A PNG image that is being written.
private struct PNGImage {
    private let width: Int
    private let height: Int
    private var data = CompressedData()

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Appends a line of pixels several times.
    mutating func append(_ line: [UInt8], times: Int) {
        // Each line begins with its filter: none.
        let bytes = [0] + line
        data.append(bytes)
        for _ in 1..<max(times, 1) { data.appendAgain(bytes) }
    }

    func encoded() -> [UInt8] {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // One bit for each pixel, shades of gray, compression and filter 0, no interlace.
        let header = Self.number(width) + Self.number(height) + [1, 0, 0, 0, 0]
        return signature + Self.chunk("IHDR", header) + Self.chunk("IDAT", data.encoded()) + Self.chunk("IEND", [])
    }

    private static func chunk(_ type: StaticString, _ content: [UInt8]) -> [UInt8] {
        let named = Array("\(type)".utf8) + content
        return number(content.count) + named + number(Int(CRC32.of(named)))
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

/// The check value of a chunk (ISO/IEC 15948, annex D).
private enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}
