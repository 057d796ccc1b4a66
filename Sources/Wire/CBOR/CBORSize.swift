/// Measures an encoding, so that the memory for it can be had at once.
struct CBORSize: CBOROutput {
    private(set) var byteCount = 0

    @inline(__always)
    mutating func head(_ type: CBORMajorType, _ argument: UInt64) {
        byteCount += Self.ofHead(argument)
    }

    @inline(__always)
    mutating func append(_ bytes: borrowing Span<UInt8>) {
        byteCount += bytes.count
    }

    /// How many bytes the shortest head with this argument takes, 1 to 9 (RFC 8949 §3).
    @inline(__always)
    static func ofHead(_ argument: UInt64) -> Int {
        switch argument {
        case 0..<24: 1
        case 24...0xFF: 2
        case 0x100...0xFFFF: 3
        case 0x1_0000...0xFFFF_FFFF: 5
        default: 9
        }
    }
}
