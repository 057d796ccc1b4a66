/// Writes an encoding into memory that is there. What has no room is counted and left out.
///
/// It must not outlive the call that lends it the memory.
@safe
struct CBORBuffer: CBOROutput {
    private let start: UnsafeMutableRawPointer?
    private let capacity: Int

    /// How many bytes the encoding takes so far. Beyond the capacity, the memory holds the beginning of it only.
    private(set) var byteCount = 0

    @unsafe
    init(_ memory: UnsafeMutableRawBufferPointer) {
        unsafe start = memory.baseAddress
        capacity = memory.count
    }

    /// Whether all of the encoding had room.
    var isComplete: Bool { byteCount <= capacity }

    @inline(__always)
    mutating func head(_ type: CBORMajorType, _ argument: UInt64) {
        let upper = type.rawValue << 5
        switch argument {
        case 0..<24:
            store(upper | UInt8(truncatingIfNeeded: argument))
        case 24...0xFF:
            store(UInt16(upper | 24) << 8 | UInt16(truncatingIfNeeded: argument))
        case 0x100...0xFFFF:
            store(upper | 25)
            store(UInt16(truncatingIfNeeded: argument))
        case 0x1_0000...0xFFFF_FFFF:
            store(upper | 26)
            store(UInt32(truncatingIfNeeded: argument))
        default:
            store(upper | 27)
            store(argument)
        }
    }

    @inline(__always)
    mutating func append(_ bytes: borrowing Span<UInt8>) {
        guard let target = unsafe room(bytes.count) else { return }
        unsafe bytes.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress else { return }
            unsafe target.copyMemory(from: source, byteCount: bytes.count)
        }
    }

    @inline(__always)
    private mutating func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
        guard let target = unsafe room(MemoryLayout<T>.size) else { return }
        unsafe target.storeBytes(of: value.bigEndian, as: T.self)
    }

    /// Where the next bytes go. After the first that have no room, none have.
    @inline(__always)
    private mutating func room(_ count: Int) -> UnsafeMutableRawPointer? {
        let position = byteCount
        byteCount += count
        guard byteCount <= capacity, let start = unsafe start else { return nil }
        return unsafe start + position
    }
}
