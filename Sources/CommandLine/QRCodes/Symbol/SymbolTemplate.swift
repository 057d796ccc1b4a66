/// A symbol of a version without its data: the patterns with which a reader finds and measures it (ISO/IEC 18004, 6.3,
/// and 7.9 and 7.10 for the format and the version).
struct SymbolTemplate {
    /// A module of the symbol.
    struct Place {
        let column: Int
        let row: Int
    }

    private(set) var modules: Grid
    /// The modules of the patterns, and of the format, which is written with the mask.
    private var isTaken: Grid

    private var size: Int { modules.size }

    init(version: Int) {
        modules = Grid(size: 17 + 4 * version)
        isTaken = Grid(size: 17 + 4 * version)
        drawTiming()
        for (column, row) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(column, row) }
        drawAlignment(version)
        reserveFormat()
        if version >= 7 { drawVersion(version) }
    }

    /// The modules for data, in the order of the codewords: by columns of two modules from the right, alternately
    /// upward and downward.
    var dataPlaces: [Place] {
        var places: [Place] = []
        places.reserveCapacity(size * size)
        // The vertical timing pattern, in column 6, is left out.
        let rights = stride(from: size - 1, to: 6, by: -2).map { $0 } + [5, 3, 1]
        for (position, right) in rights.enumerated() {
            for step in 0..<size {
                let row = position % 2 == 0 ? size - 1 - step : step
                for column in [right, right - 1] where !isTaken[column, row] {
                    places.append(Place(column: column, row: row))
                }
            }
        }
        return places
    }

    /// Returns the symbol with data, without a mask or format.
    func filled(with codewords: [UInt8]) -> UnmaskedSymbol {
        var modules = modules
        let places = dataPlaces
        for (index, place) in places.enumerated() where index / 8 < codewords.count {
            modules[place.column, place.row] = codewords[index / 8] & 0x80 >> UInt8(index % 8) != 0
        }
        return UnmaskedSymbol(modules: modules, dataPlaces: places)
    }

    private mutating func draw(_ column: Int, _ row: Int, isDark: Bool) {
        guard (0..<size).contains(column), (0..<size).contains(row) else { return }
        modules[column, row] = isDark
        isTaken[column, row] = true
    }

    private mutating func drawTiming() {
        for place in 0..<size {
            draw(6, place, isDark: place % 2 == 0)
            draw(place, 6, isDark: place % 2 == 0)
        }
    }

    /// Draws a corner pattern, with its light separator.
    private mutating func drawFinder(_ column: Int, _ row: Int) {
        for dx in -4...4 {
            for dy in -4...4 {
                let ring = max(abs(dx), abs(dy))
                draw(column + dx, row + dy, isDark: ring != 2 && ring != 4)
            }
        }
    }

    private mutating func drawAlignment(_ version: Int) {
        guard version > 1 else { return }
        let count = version / 7 + 2
        // Counted from the last pattern, the distances are equal and even. Only the first distance differs. Version 32
        // is the exception of the table (annex E).
        let distance = version == 32 ? 26 : (4 * version + 4 + 2 * count - 3) / (2 * count - 2) * 2
        let centers = [6] + (0..<count - 1).reversed().map { size - 7 - $0 * distance }
        for column in centers {
            for row in centers {
                let isCorner =
                    (column, row) == (6, 6) || (column, row) == (6, size - 7) || (column, row) == (size - 7, 6)
                guard !isCorner else { continue }
                for dx in -2...2 {
                    for dy in -2...2 { draw(column + dx, row + dy, isDark: max(abs(dx), abs(dy)) != 1) }
                }
            }
        }
    }

    private mutating func reserveFormat() {
        for place in FormatInformation.places(size: size).joined() {
            draw(place.column, place.row, isDark: false)
        }
        draw(8, size - 8, isDark: true)
    }

    /// Draws the version twice, with a Golay code of 12 bits.
    private mutating func drawVersion(_ version: Int) {
        let bits = BCH.encode(version, generator: 0x1F25, checkBits: 12)
        for bit in 0..<18 {
            let isDark = bits >> bit & 1 == 1
            draw(size - 11 + bit % 3, bit / 3, isDark: isDark)
            draw(bit / 3, size - 11 + bit % 3, isDark: isDark)
        }
    }
}

/// The level of error correction and the mask, as 15 bits that each symbol contains twice (ISO/IEC 18004, 7.9).
enum FormatInformation {
    /// Returns the bits, the first one least significant.
    static func bits(_ correction: QRCode.Correction, mask: Int) -> Int {
        let level =
            switch correction {
            case .low: 0b01
            case .medium: 0b00
            case .quartile: 0b11
            case .high: 0b10
            }
        return BCH.encode(level << 3 | mask, generator: 0x537, checkBits: 10) ^ 0x5412
    }

    /// Returns the two modules of each bit.
    static func places(size: Int) -> [[SymbolTemplate.Place]] {
        (0..<15).map { bit in
            let first =
                switch bit {
                case 0...5: (8, bit)
                case 6, 7: (8, bit + 1)
                case 8: (7, 8)
                default: (14 - bit, 8)
                }
            let second = bit < 8 ? (size - 1 - bit, 8) : (8, size - 15 + bit)
            return [first, second].map { SymbolTemplate.Place(column: $0.0, row: $0.1) }
        }
    }
}

/// The Bose–Chaudhuri–Hocquenghem codes of format and version (ISO/IEC 18004, annexes C and D).
private enum BCH {
    static func encode(_ value: Int, generator: Int, checkBits: Int) -> Int {
        var remainder = value
        for _ in 0..<checkBits { remainder = remainder << 1 ^ (remainder >> (checkBits - 1)) * generator }
        return value << checkBits | remainder
    }
}
