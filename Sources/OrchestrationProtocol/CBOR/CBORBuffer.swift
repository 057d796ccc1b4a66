internal import Primitives

/// A value that is written field by field to any output.
package protocol CBOREncodable {
    func write(to output: inout some CBOROutput)
}

// Both members are inlined: each message gets separate code without a call through a protocol.
extension CBOREncodable {
    /// The encoding, in an array of exactly its length.
    @inline(__always)
    var written: [UInt8] {
        let bytes = CBORBuffer.collect(holdsSecrets: true) { write(to: &$0) }
        assert(CBORWriter.isCanonical(bytes), "an incomplete item, or map keys out of order")
        return bytes
    }

    /// Appends the encoding to the caller's memory, without an allocation.
    ///
    /// - Throws: `tooLarge`, with nothing appended, if there is not enough space.
    @inline(__always)
    func append(to output: inout OutputSpan<UInt8>) throws(WireError) {
        let isComplete = unsafe output.withUnsafeMutableBufferPointer { memory, count in
            let free = unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(memory)[count...])
            var output = unsafe CBORBuffer(free)
            write(to: &output)
            if output.isComplete { count += output.byteCount }
            return output.isComplete
        }
        guard isComplete else { throw WireError(.tooLarge, blame: .caller) }
    }
}

/// An output into the caller's memory. Bytes beyond the capacity are counted but not written.
///
/// The value must not outlive the call that lends the memory.
@safe
struct CBORBuffer: CBOROutput {
    private let start: UnsafeMutableRawPointer?
    private let capacity: Int

    /// The length of the encoding so far. If it exceeds the capacity, the memory contains only the beginning.
    private(set) var byteCount = 0

    @unsafe
    init(_ memory: UnsafeMutableRawBufferPointer) {
        unsafe start = memory.baseAddress
        capacity = memory.count
    }

    /// Whether the memory contains the complete encoding.
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
        guard let target = unsafe reserve(bytes.count) else { return }
        unsafe bytes.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress else { return }
            unsafe target.copyMemory(from: source, byteCount: bytes.count)
        }
    }

    @inline(__always)
    private mutating func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
        guard let target = unsafe reserve(MemoryLayout<T>.size) else { return }
        unsafe target.storeBytes(of: value.bigEndian, as: T.self)
    }

    /// Returns the position of the next bytes, or `nil` after the first bytes that did not fit.
    @inline(__always)
    private mutating func reserve(_ count: Int) -> UnsafeMutableRawPointer? {
        let position = byteCount
        byteCount += count
        guard byteCount <= capacity, let start = unsafe start else { return nil }
        return unsafe start + position
    }
}

extension CBORBuffer {
    /// Collects an encoding in an array of exactly its length.
    ///
    /// Up to 1,024 bytes are written on the stack and copied from there. An array whose elements are written later
    /// takes longer than that copy, because the standard library looks up the type of its memory for each allocation.
    ///
    /// - Parameters:
    ///   - holdsSecrets: Whether the stack is wiped. The caller wipes the array.
    ///   - write: Writes the same encoding on each call.
    @inline(__always)
    static func collect(holdsSecrets: Bool, _ write: (inout CBORBuffer) -> Void) -> [UInt8] {
        var byteCount = 0
        let bytes = unsafe withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 1) { memory -> [UInt8]? in
            var output = unsafe CBORBuffer(memory)
            write(&output)
            byteCount = output.byteCount
            let written = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<min(byteCount, memory.count)])
            defer { if holdsSecrets { unsafe SecretBytes.wipe(written) } }
            return output.isComplete ? unsafe [UInt8](UnsafeRawBufferPointer(written)) : nil
        }
        return bytes ?? collect(byteCount: byteCount, write)
    }

    private static func collect(byteCount: Int, _ write: (inout CBORBuffer) -> Void) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        unsafe bytes.withUnsafeMutableBytes { memory in
            var output = unsafe CBORBuffer(memory)
            write(&output)
            precondition(output.byteCount == byteCount, "an encoding of another length than before")
        }
        return bytes
    }
}
