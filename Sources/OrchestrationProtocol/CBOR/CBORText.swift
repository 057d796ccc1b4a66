/// Checks and comparisons of UTF-8. Nothing is repaired.
enum CBORText {
    @inline(__always)
    static func isValid(_ bytes: borrowing Span<UInt8>) -> Bool {
        isASCII(bytes) || isWellFormed(bytes)
    }

    /// Sixteen bytes.
    private typealias Words = SIMD2<UInt64>

    /// Whether all bytes are below 128.
    @inline(__always)
    private static func isASCII(_ bytes: borrowing Span<UInt8>) -> Bool {
        highBits(of: bytes, filler: 0) { $0 } == 0
    }

    /// Whether bytes are printable ASCII characters without the space.
    @inline(__always)
    static func isPrintable(_ bytes: borrowing Span<UInt8>) -> Bool {
        highBits(of: bytes, filler: 0x21) { words in
            // Each sum of seven bits stays within its byte. The first sum has the high bit from 0x21 on, the second
            // only at 0x7F.
            let low = words & each(0x7F)
            return words | ~(low &+ each(0x80 - 0x21)) | (low &+ each(1))
        } == 0
    }

    /// Returns the union of the high bits of a computation on sixteen bytes at a time. Bytes that do not fill all
    /// places are used twice; fewer than four bytes are padded with the filler.
    @inline(__always)
    private static func highBits(
        of bytes: borrowing Span<UInt8>, filler: UInt64, _ compute: (Words) -> Words
    ) -> UInt64 {
        unsafe bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return 0 }
            let count = bytes.count
            func words(_ offset: Int) -> Words {
                compute(unsafe start.loadUnaligned(fromByteOffset: offset, as: Words.self))
            }
            func word(_ offset: Int) -> UInt64 { unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
            func half(_ offset: Int) -> UInt64 {
                UInt64(unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            }
            var union: Words
            if count >= 16 {
                union = words(count &- 16)
                var offset = 0
                while offset &+ 16 < count {
                    union |= words(offset)
                    offset &+= 16
                }
            } else if count >= 8 {
                union = compute(Words(word(0), word(count &- 8)))
            } else if count >= 4 {
                union = compute(Words(repeating: half(0) | half(count &- 4) &<< 32))
            } else {
                var few = each(filler)[0]
                for index in 0..<count { few = few &<< 8 | UInt64(unsafe bytes[index]) }
                union = compute(Words(repeating: few))
            }
            return (union[0] | union[1]) & each(0x80)[0]
        }
    }

    /// Returns a byte sixteen times.
    @inline(__always)
    private static func each(_ byte: UInt64) -> Words { Words(repeating: byte &* 0x0101_0101_0101_0101) }

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

    /// Whether bytes are the UTF-8 of a text.
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

    /// Compares bytes of equal length, eight at a time.
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
