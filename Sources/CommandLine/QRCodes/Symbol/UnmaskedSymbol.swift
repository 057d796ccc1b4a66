/// A symbol with its data. A mask balances light and dark modules.
struct UnmaskedSymbol {
    let modules: Grid
    let dataPlaces: [SymbolTemplate.Place]

    /// Returns the symbol with the mask of the lowest penalty, and the number of the mask.
    func masked(for correction: QRCode.Correction) -> (modules: Grid, mask: Int) {
        var best = (modules: modules, mask: 0)
        var lowest = Int.max
        for mask in 0..<8 {
            let candidate = masked(by: mask, correction)
            let penalty = MaskPenalty.of(candidate)
            guard penalty < lowest else { continue }
            (best, lowest) = ((candidate, mask), penalty)
        }
        return best
    }

    /// Returns the symbol with a mask and with the format that names it.
    func masked(by mask: Int, _ correction: QRCode.Correction) -> Grid {
        var modules = modules
        for place in dataPlaces where Self.inverts(mask, place.column, place.row) {
            modules[place.column, place.row].toggle()
        }
        let bits = FormatInformation.bits(correction, mask: mask)
        for (bit, places) in FormatInformation.places(size: modules.size).enumerated() {
            for place in places { modules[place.column, place.row] = bits >> bit & 1 == 1 }
        }
        return modules
    }

    /// Returns whether a mask inverts a module (ISO/IEC 18004, table 10).
    private static func inverts(_ mask: Int, _ column: Int, _ row: Int) -> Bool {
        let product = column * row
        return switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: product % 2 + product % 3 == 0
        case 6: (product % 2 + product % 3) % 2 == 0
        default: ((row + column) % 2 + product % 3) % 2 == 0
        }
    }
}

/// The penalty of a masked symbol (ISO/IEC 18004, 7.8.3). A low penalty means that a reader finds the patterns easily.
enum MaskPenalty {
    static func of(_ modules: Grid) -> Int {
        var penalty = penaltyOfBlocks(modules) + penaltyOfBalance(modules)
        for line in 0..<modules.size {
            penalty += penaltyOfLine(modules.size) { modules[$0, line] }
            penalty += penaltyOfLine(modules.size) { modules[line, $0] }
        }
        return penalty
    }

    /// Returns the penalty for runs of equal modules, and for modules that look like a corner pattern.
    private static func penaltyOfLine(_ size: Int, isDark: (Int) -> Bool) -> Int {
        var penalty = 0
        var run = 0
        // The last 15 modules. The border is light.
        var window = 0
        for place in 0..<size + 4 {
            let module = place < size && isDark(place) ? 1 : 0
            run = place > 0 && module == window & 1 ? run + 1 : 1
            if place < size, run >= 5 { penalty += run == 5 ? 3 : 1 }
            window = (window << 1 | module) & 0x7FFF
            // A corner pattern, with a light area of four modules before or after it.
            if window >> 4 & 0x7F == 0b101_1101, window >> 11 == 0 || window & 0xF == 0 { penalty += 40 }
        }
        return penalty
    }

    private static func penaltyOfBlocks(_ modules: Grid) -> Int {
        var count = 0
        for row in 1..<modules.size {
            for column in 1..<modules.size {
                let isDark = modules[column, row]
                if isDark == modules[column - 1, row], isDark == modules[column, row - 1],
                    isDark == modules[column - 1, row - 1]
                {
                    count += 1
                }
            }
        }
        return 3 * count
    }

    /// Ten points for each full five percent between the share of dark modules and a half.
    private static func penaltyOfBalance(_ modules: Grid) -> Int {
        let total = modules.size * modules.size
        return 10 * (abs(20 * modules.darkCount - 10 * total) / total)
    }
}
