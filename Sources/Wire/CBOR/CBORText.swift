/// UTF-8 as CBOR wants it: well-formed, nothing repaired.
enum CBORText {
    @inline(__always)
    static func isValid(_ bytes: borrowing Span<UInt8>) -> Bool {
        isASCII(bytes) || isWellFormed(bytes)
    }

    /// Whether all bytes are below 128: eight at a time, the last ones twice where they are no eight.
    @inline(__always)
    private static func isASCII(_ bytes: borrowing Span<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            var union: UInt64 = 0
            guard let start = bytes.baseAddress, bytes.count >= 8 else {
                for index in bytes.indices { union |= unsafe UInt64(bytes[index]) }
                return union < 0x80
            }
            var offset = 0
            while offset < bytes.count &- 8 {
                union |= unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset &+= 8
            }
            union |= unsafe start.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
            return union & 0x8080_8080_8080_8080 == 0
        }
    }

    private static func isWellFormed(_ bytes: borrowing Span<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var iterator = unsafe bytes.makeIterator()
            var parser = Unicode.UTF8.ForwardParser()
            while true {
                switch unsafe parser.parseScalar(from: &iterator) {
                case .valid: continue
                case .error: return false
                case .emptyInput: return true
                }
            }
        }
    }

    /// Whether bytes are those of a text.
    @inline(__always)
    static func isEqual(_ bytes: borrowing Span<UInt8>, _ text: String) -> Bool {
        let utf8 = text.utf8
        guard bytes.count == utf8.count else { return false }
        return unsafe bytes.withUnsafeBytes { bytes in
            let isSame = unsafe utf8.withContiguousStorageIfAvailable { text in
                unsafe isEqual(bytes, UnsafeRawBufferPointer(text))
            }
            return unsafe isSame ?? bytes.elementsEqual(utf8)
        }
    }

    /// Compares bytes of one length, eight at a time as above.
    private static func isEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        guard a.count >= 8 else { return unsafe a.elementsEqual(b) }
        func difference(at start: Int) -> UInt64 {
            unsafe a.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                ^ b.loadUnaligned(fromByteOffset: start, as: UInt64.self)
        }
        var union = difference(at: a.count - 8)
        for start in stride(from: 0, to: a.count - 8, by: 8) { union |= difference(at: start) }
        return union == 0
    }
}
