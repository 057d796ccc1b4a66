/// The first bytes of an item: its kind and its argument (RFC 8949 §3), canonical and within the subset.
struct CBORHead {
    let type: CBORMajorType

    /// A number, a length, a count, a tag or a simple value, depending on the kind.
    let argument: UInt64

    /// Where its first byte stands.
    let start: Int

    /// How many bytes the head takes, 1 to 9.
    let byteCount: Int

    /// Reads a head and refuses what the subset leaves out, so that nobody has to look for it again.
    init(_ bytes: [UInt8], at start: Int) throws(WireError) {
        guard start < bytes.count, let type = CBORMajorType(rawValue: bytes[start] >> 5) else {
            throw WireError(.truncated, offset: start)
        }
        let information = bytes[start] & 0x1F
        guard information != 31 else { throw WireError(Self.unending(type), offset: start) }
        guard information < 28 else { throw WireError(.reservedValue, offset: start) }
        guard !(type == .simple && (25...27).contains(information)) else {
            throw WireError(.floatingPoint, offset: start)
        }

        let length = information < 24 ? 0 : 1 << Int(information - 24)
        guard length < bytes.count - start else { throw WireError(.truncated, offset: start) }
        let argument =
            length == 0
            ? UInt64(information)
            : bytes[start + 1...start + length].reduce(0) { $0 << 8 | UInt64($1) }

        self.type = type
        self.argument = argument
        self.start = start
        self.byteCount = 1 + length
        if type == .simple { try checkSimpleValue() } else { try checkShortest() }
        if type == .tag { try checkTag() }
    }

    /// How many members a container has. A count that no array could hold is none that we could accept.
    func members() throws(WireError) -> Int {
        switch type {
        case .tag:
            return 1
        case .map:
            let (count, overflow) = argument.multipliedReportingOverflow(by: 2)
            guard !overflow, let members = Int(exactly: count) else { throw WireError(.tooManyItems, offset: start) }
            return members
        case .unsigned, .negative, .bytes, .text, .array, .simple:
            guard let members = Int(exactly: argument) else { throw WireError(.tooManyItems, offset: start) }
            return members
        }
    }

    /// Additional information 31 is an indefinite length or a break; with numbers and tags it is not well-formed.
    private static func unending(_ type: CBORMajorType) -> WireError.Code {
        switch type {
        case .bytes, .text, .array, .map, .simple: .indefiniteLength
        case .unsigned, .negative, .tag: .reservedValue
        }
    }

    private func checkShortest() throws(WireError) {
        let least: UInt64 =
            switch byteCount {
            case 1: 0
            case 2: 24
            case 3: 0x100
            case 5: 0x1_0000
            default: 0x1_0000_0000
            }
        guard argument >= least else { throw WireError(.nonShortestLength, offset: start) }
    }

    private func checkSimpleValue() throws(WireError) {
        // Values below 32 have no two-byte form (RFC 8949 §3.3).
        guard byteCount == 1 || argument >= 32 else { throw WireError(.reservedValue, offset: start) }
        guard (CBORSimpleValue.false...CBORSimpleValue.null).contains(argument) else {
            throw WireError(.unsupportedSimpleValue, offset: start)
        }
    }

    private func checkTag() throws(WireError) {
        switch argument {
        case 16, 18: return
        case 2, 3: throw WireError(.bignum, offset: start)
        default: throw WireError(.unsupportedTag, offset: start)
        }
    }
}
