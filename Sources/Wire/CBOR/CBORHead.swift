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
    @inline(__always)
    init(_ bytes: borrowing Span<UInt8>, at start: Int) throws(WireError) {
        guard start < bytes.count else { throw WireError(.truncated, offset: start) }
        let first = bytes[start]
        let type = CBORMajorType(first: first)
        let information = first & 0x1F
        guard information >= 24 || type == .tag || type == .simple else {
            self.init(type: type, argument: UInt64(information), start: start, byteCount: 1)
            return
        }
        if information == 24, type != .tag, type != .simple, start &+ 1 < bytes.count, bytes[start &+ 1] >= 24 {
            self.init(type: type, argument: UInt64(bytes[start &+ 1]), start: start, byteCount: 2)
            return
        }
        try self.init(type, information, bytes, at: start)
    }

    @inline(__always)
    private init(type: CBORMajorType, argument: UInt64, start: Int, byteCount: Int) {
        self.type = type
        self.argument = argument
        self.start = start
        self.byteCount = byteCount
    }

    /// Reads a head of more than one byte, and one of a kind that has not all arguments.
    private init(
        _ type: CBORMajorType, _ information: UInt8, _ bytes: borrowing Span<UInt8>, at start: Int
    ) throws(WireError) {
        let (argument, least, byteCount): (UInt64, UInt64, Int) =
            switch information {
            case 0..<24: (UInt64(information), 0, 1)
            case 24: (try Self.argument(UInt8.self, bytes, at: start), 24, 2)
            case 25...27 where type == .simple: throw WireError(.floatingPoint, offset: start)
            case 25: (try Self.argument(UInt16.self, bytes, at: start), 0x100, 3)
            case 26: (try Self.argument(UInt32.self, bytes, at: start), 0x1_0000, 5)
            case 27: (try Self.argument(UInt64.self, bytes, at: start), 0x1_0000_0000, 9)
            case 31: throw WireError(Self.unending(type), offset: start)
            default: throw WireError(.reservedValue, offset: start)
            }
        self.init(type: type, argument: argument, start: start, byteCount: byteCount)
        if type == .simple {
            try checkSimpleValue()
        } else {
            guard argument >= least else { throw WireError(.nonShortestLength, offset: start) }
            if type == .tag { try checkTag() }
        }
    }

    /// The number behind the first byte.
    @inline(__always)
    private static func argument<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number.Type, _ bytes: borrowing Span<UInt8>, at start: Int
    ) throws(WireError) -> UInt64 {
        guard MemoryLayout<Number>.size < bytes.count &- start else { throw WireError(.truncated, offset: start) }
        return unsafe UInt64(bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start + 1, as: Number.self).bigEndian)
    }

    /// How many members a container has. A count that no array could hold is none that we could accept.
    @inline(__always)
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
