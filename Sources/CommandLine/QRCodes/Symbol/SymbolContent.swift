/// A text in the mode that needs the fewest bits (ISO/IEC 18004, 7.3 and 7.4).
struct SymbolContent {
    private enum Mode {
        case numeric, alphanumeric, bytes
    }

    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    private let mode: Mode
    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
        if bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            mode = .numeric
        } else if bytes.allSatisfy(Self.alphabet.contains) {
            mode = .alphanumeric
        } else {
            mode = .bytes
        }
    }

    /// Returns the data codewords, filled up to the capacity of a symbol; `nil` when the text does not fit.
    func codewords(in plan: SymbolPlan) -> [UInt8]? {
        let countBits = countBits(of: plan.version)
        guard bytes.count < 1 << countBits, 4 + countBits + bitCount(of: bytes.count) <= 8 * plan.dataCount else {
            return nil
        }
        var bits = BitBuffer()
        bits.append(indicator, count: 4)
        bits.append(bytes.count, count: countBits)
        appendCharacters(to: &bits)
        // The terminator has four bits, or fewer at the end of the symbol.
        bits.append(0, count: min(4, 8 * plan.dataCount - bits.count))
        var words = bits.bytes
        var padding: UInt8 = 0xEC
        while words.count < plan.dataCount {
            words.append(padding)
            padding ^= 0xEC ^ 0x11
        }
        return words
    }

    /// Returns the number of characters of the mode that fit into version 40.
    func limit(at correction: QRCode.Correction) -> Int {
        let plan = SymbolPlan(version: 40, correction: correction)
        let available = 8 * plan.dataCount - 4 - countBits(of: 40)
        return switch mode {
        case .numeric: available / 10 * 3 + (available % 10 >= 7 ? 2 : available % 10 >= 4 ? 1 : 0)
        case .alphanumeric: available / 11 * 2 + (available % 11 >= 6 ? 1 : 0)
        case .bytes: available / 8
        }
    }

    private var indicator: Int {
        switch mode {
        case .numeric: 0b0001
        case .alphanumeric: 0b0010
        case .bytes: 0b0100
        }
    }

    private func countBits(of version: Int) -> Int {
        let widths =
            switch mode {
            case .numeric: (10, 12, 14)
            case .alphanumeric: (9, 11, 13)
            case .bytes: (8, 16, 16)
            }
        return version < 10 ? widths.0 : version < 27 ? widths.1 : widths.2
    }

    private func bitCount(of count: Int) -> Int {
        switch mode {
        case .numeric: count / 3 * 10 + [0, 4, 7][count % 3]
        case .alphanumeric: count / 2 * 11 + count % 2 * 6
        case .bytes: count * 8
        }
    }

    private func appendCharacters(to bits: inout BitBuffer) {
        switch mode {
        case .numeric:
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let digits = bytes[start..<min(start + 3, bytes.count)]
                let value = digits.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
                bits.append(value, count: [0, 4, 7, 10][digits.count])
            }
        case .alphanumeric:
            for start in stride(from: 0, to: bytes.count, by: 2) {
                let pair = bytes[start..<min(start + 2, bytes.count)]
                let value = pair.reduce(0) { 45 * $0 + (Self.alphabet.firstIndex(of: $1) ?? 0) }
                bits.append(value, count: [0, 6, 11][pair.count])
            }
        case .bytes:
            for byte in bytes { bits.append(Int(byte), count: 8) }
        }
    }
}

/// Bits, the first one most significant.
struct BitBuffer {
    /// The bits in bytes, the last one filled up with zeros.
    private(set) var bytes: [UInt8] = []
    /// The number of bits.
    private(set) var count = 0

    /// Appends the lowest bits of a value.
    mutating func append(_ value: Int, count width: Int) {
        for position in (0..<width).reversed() {
            if count % 8 == 0 { bytes.append(0) }
            if value >> position & 1 == 1 { bytes[count / 8] |= 0x80 >> UInt8(count % 8) }
            count += 1
        }
    }
}
