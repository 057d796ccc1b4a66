internal import Primitives

extension CBORBuffer {
    /// Collects an encoding in an array of exactly its length.
    ///
    /// Most are written on the stack and copied from there: to allocate an array whose elements come later, the standard
    /// library looks up the type of its memory each time, which takes longer than to copy a message.
    ///
    /// - Parameters:
    ///   - holdsSecrets: whether the stack is wiped. The array is the caller's to wipe.
    ///   - write: writes the same each time that it is called.
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
