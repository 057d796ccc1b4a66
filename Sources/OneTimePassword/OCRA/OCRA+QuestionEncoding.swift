internal import CHashBlocks

extension OCRA.Question {
    /// The number of bytes that a question takes in a message. Two questions of 64 characters fill them.
    static let byteCount = 128

    /// Writes the question in its form in a message.
    ///
    /// - Parameter output: ``byteCount`` bytes, all zero. The bytes after the question remain zero.
    func write(into output: UnsafeMutableRawBufferPointer, _ suite: OCRA.Suite) throws(OneTimePasswordError) {
        let length = suite.questionLength * (isConcatenated ? 2 : 1)
        guard 1...length ~= first.utf8.count, 1...length ~= second?.utf8.count ?? 1 else {
            throw OneTimePasswordError(.invalidQuestion, "the question does not have the length of the suite")
        }
        switch suite.questionFormat {
        case .alphanumeric:
            guard unsafe withText({ unsafe Self.write(alphanumeric: $0, into: output) }) else {
                throw OneTimePasswordError(.invalidQuestion, "the question must be printable ASCII")
            }
        case .numeric:
            guard unsafe withText({ unsafe Self.write(decimal: $0, into: output) }) else {
                throw OneTimePasswordError(.invalidQuestion, "the question must be decimal digits")
            }
        case .hexadecimal:
            // Two digits per byte, from the left. RFC 6287 pads the text with zeros at the end.
            guard
                unsafe withText({ unsafe hash_blocks_read_hexadecimal($0.baseAddress, $0.count, output.baseAddress) })
            else {
                throw OneTimePasswordError(.invalidQuestion, "the question must be hexadecimal digits")
            }
        }
    }

    /// Calls a closure with the joined questions, at most ``byteCount`` bytes.
    private func withText(_ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        if second == nil, let result = unsafe first.utf8.withContiguousStorageIfAvailable(body) { return result }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.byteCount) { both in
            var end = 0
            for text in [first, second ?? ""] {
                for byte in text.utf8 {
                    unsafe both[end] = byte
                    end += 1
                }
            }
            return unsafe body(UnsafeBufferPointer(rebasing: both[..<end]))
        }
    }

    private static func write(
        alphanumeric text: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        unsafe output.copyMemory(from: UnsafeRawBufferPointer(text))
        // There is no early exit, because the compiler can then check many characters at once.
        var outside: UInt8 = 0
        for index in text.indices { outside |= unsafe text[index] &- 0x20 < 0x5F ? 0 : 1 }
        return outside == 0
    }

    /// Writes a decimal number as hexadecimal digits from the left. Only the number zero has a leading zero.
    private static func write(
        decimal text: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        var number: UInt64 = 0
        for index in text.indices {
            let digit = unsafe text[index] &- 48
            if digit > 9 { return false }
            number = number &* 10 &+ UInt64(digit)
        }
        guard text.count < 20 else {
            unsafe write(longDecimal: text, into: output)
            return true
        }
        let unused = min(number.leadingZeroBitCount, 63) & ~3
        unsafe output.storeBytes(of: (number << UInt64(unused)).bigEndian, as: UInt64.self)
        return true
    }

    /// Writes a decimal number that may be larger than a word.
    private static func write(
        longDecimal text: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableRawBufferPointer
    ) {
        // 128 decimal digits are 426 bits. The least significant word comes first.
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 14) { words in
            unsafe words.initialize(repeating: 0)
            for start in stride(from: 0, to: text.count, by: 9) {
                var carry: UInt64 = 0
                var scale: UInt64 = 1
                for index in start..<min(start + 9, text.count) {
                    carry = unsafe carry * 10 + UInt64(text[index] - 48)
                    scale *= 10
                }
                for index in words.indices {
                    carry += unsafe UInt64(words[index]) * scale
                    unsafe words[index] = UInt32(truncatingIfNeeded: carry)
                    carry >>= 32
                }
            }
            let used = unsafe (words.lastIndex { $0 != 0 } ?? 0) + 1
            let digits = unsafe max(used * 8 - words[used - 1].leadingZeroBitCount / 4, 1)
            for place in 0..<digits {
                let fromRight = digits - 1 - place
                let digit = unsafe UInt8(truncatingIfNeeded: words[fromRight / 8] >> UInt32(fromRight % 8 * 4)) & 15
                unsafe output[place / 2] |= place % 2 == 0 ? digit << 4 : digit
            }
        }
    }
}
