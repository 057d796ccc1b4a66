/// The blocks of a symbol, and the codewords of their error correction (ISO/IEC 18004, table 9).
struct SymbolPlan {
    let version: Int
    /// The number of blocks.
    private let blockCount: Int
    /// The number of codewords for error correction in each block.
    private let correctionCount: Int
    /// The number of all codewords.
    private let totalCount: Int

    /// The number of codewords for data.
    var dataCount: Int { totalCount - blockCount * correctionCount }

    init(version: Int, correction: QRCode.Correction) {
        self.version = version
        blockCount = Self.blockCounts[correction.rawValue][version - 1]
        correctionCount = Self.correctionCounts[correction.rawValue][version - 1]
        totalCount = Self.moduleCount(version) / 8
    }

    /// Returns the number of modules for codewords, including the remainder of fewer than eight.
    static func moduleCount(_ version: Int) -> Int {
        let side = 17 + 4 * version
        // The three corner patterns with their separators, the timing between them, and format and version.
        let patterns = 3 * 64 + 2 * (side - 16) + 31 + (version >= 7 ? 36 : 0)
        guard version > 1 else { return side * side - patterns }
        // An alignment pattern has 25 modules. The patterns in row and column 6 share five with the timing.
        let lines = version / 7 + 2
        return side * side - patterns - 25 * (lines * lines - 3) + 10 * (lines - 2)
    }

    /// Returns all codewords in the order of the symbol: interleaved by block, first data, then error correction.
    func interleaved(_ data: [UInt8]) -> [UInt8] {
        let code = ReedSolomon(degree: correctionCount)
        // The later blocks are one codeword longer if the data cannot be divided evenly.
        let (length, longer) = dataCount.quotientAndRemainder(dividingBy: blockCount)
        var blocks: [ArraySlice<UInt8>] = []
        var rest = data[...]
        for block in 0..<blockCount {
            let count = length + (block >= blockCount - longer ? 1 : 0)
            blocks.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        let corrections = blocks.map(code.remainder)
        var words: [UInt8] = []
        words.reserveCapacity(totalCount)
        for place in 0...length {
            for block in blocks where place < block.count { words.append(block[block.startIndex + place]) }
        }
        for place in 0..<correctionCount {
            for correction in corrections { words.append(correction[place]) }
        }
        return words
    }

    /// The number of error correction codewords in a block, by level and version.
    private static let correctionCounts: [[Int]] = [
        [
            7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30,
            30,
            30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
        [
            10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28,
            28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        ],
        [
            13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28, 30,
            30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
        [
            17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30, 30,
            30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
    ]

    /// The number of blocks, by level of error correction and version.
    private static let blockCounts: [[Int]] = [
        [
            1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18,
            19, 19, 20, 21, 22, 24, 25,
        ],
        [
            1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29,
            31,
            33, 35, 37, 38, 40, 43, 45, 47, 49,
        ],
        [
            1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38, 40,
            43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
        ],
        [
            1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42, 45,
            48,
            51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
        ],
    ]
}
