internal import Primitives

/// What is written field by field, into whatever output there is.
package protocol CBOREncodable {
    func write(to output: inout some CBOROutput)
}

// These are inlined so that a message of a hot path gets code of its own, in which no call goes through a protocol.
extension CBOREncodable {
    /// How long the encoding is. Nothing is written for it.
    @inline(__always)
    var measured: Int {
        var size = CBORSize()
        write(to: &size)
        return size.byteCount
    }

    /// The encoding in an array of exactly its length.
    @inline(__always)
    var written: [UInt8] {
        let bytes = CBORBuffer.collect(holdsSecrets: true) { write(to: &$0) }
        assert(CBORWriter.isCanonical(bytes), "an incomplete item, or map keys out of order")
        return bytes
    }

    /// Appends the encoding to memory that is there, without allocating any.
    ///
    /// - Throws: `tooLarge`, with nothing appended, when there is not enough room.
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
