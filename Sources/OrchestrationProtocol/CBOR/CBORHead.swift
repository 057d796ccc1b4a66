/// The first bytes of an item: its kind and its argument (RFC 8949, section 3), canonical and within the subset.
struct CBORHead {
    let type: CBORMajorType

    /// The number, length, count, tag or simple value, depending on the kind.
    let argument: UInt64

    /// The offset of the first byte.
    let start: Int

    /// The length of the head, 1 to 9 bytes.
    let byteCount: Int

    /// Reads a head, and refuses everything that is not in the subset.
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

    /// Reads a head of several bytes, or of a kind that does not allow all arguments.
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

    /// Returns the number after the first byte.
    @inline(__always)
    private static func argument<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number.Type, _ bytes: borrowing Span<UInt8>, at start: Int
    ) throws(WireError) -> UInt64 {
        guard MemoryLayout<Number>.size < bytes.count &- start else { throw WireError(.truncated, offset: start) }
        return unsafe UInt64(bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start + 1, as: Number.self).bigEndian)
    }

    /// Returns the number of members of a container, and refuses a count that no array can hold.
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

    /// Returns the code for additional information 31: an indefinite length or a break; for numbers and tags it is not
    /// well-formed.
    private static func unending(_ type: CBORMajorType) -> WireError.Code {
        switch type {
        case .bytes, .text, .array, .map, .simple: .indefiniteLength
        case .unsigned, .negative, .tag: .reservedValue
        }
    }

    private func checkSimpleValue() throws(WireError) {
        // Values below 32 have no two-byte form (RFC 8949, section 3.3).
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

/// The kind of an item: the upper three bits of its first byte (RFC 8949, section 3.1).
package enum CBORMajorType: UInt8 {
    case unsigned = 0
    case negative = 1
    case bytes = 2
    case text = 3
    case array = 4
    case map = 5
    case tag = 6
    case simple = 7

    /// Creates the kind of the item that starts with a byte.
    @inline(__always)
    init(first: UInt8) {
        self =
            switch first >> 5 {
            case 0: .unsigned
            case 1: .negative
            case 2: .bytes
            case 3: .text
            case 4: .array
            case 5: .map
            case 6: .tag
            default: .simple
            }
    }
}

/// The simple values of the subset, as the lower five bits of the first byte (RFC 8949, section 3.3).
enum CBORSimpleValue {
    static let `false`: UInt64 = 20
    static let `true`: UInt64 = 21
    static let null: UInt64 = 22
}
