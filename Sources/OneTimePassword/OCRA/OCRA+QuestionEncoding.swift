internal import CHashBlocks

extension OCRA.Question {
    /// The number of bytes that a question has in a message. Two questions of 64 characters fill them.
    static let byteCount = 128

    /// Writes the question as it enters a message.
    ///
    /// - Parameter output: ``byteCount`` bytes, all zero. What the question leaves free stays so.
    func write(into output: UnsafeMutableRawBufferPointer, _ suite: OCRA.Suite) throws(OneTimePasswordError) {
        let length = suite.questionLength * (isConcatenated ? 2 : 1)
        guard 1...length ~= first.utf8.count, 1...length ~= second?.utf8.count ?? 1 else {
            throw OneTimePasswordError(.invalidQuestion, "the question has not the length that the suite says")
        }
        switch suite.questionFormat {
        case .alphanumeric:
            guard unsafe withText({ unsafe Self.write(alphanumeric: $0, into: output) }) else {
                throw OneTimePasswordError(.invalidQuestion, "the question has to be printable ASCII")
            }
        case .numeric:
            guard unsafe withText({ unsafe Self.write(decimal: $0, into: output) }) else {
                throw OneTimePasswordError(.invalidQuestion, "the question has to be decimal digits")
            }
        case .hexadecimal:
            // Two digits a byte from the left. What is missing at the end are zeros, with which the RFC fills the text
            // before it makes bytes of it.
            guard
                unsafe withText({ unsafe hash_blocks_read_hexadecimal($0.baseAddress, $0.count, output.baseAddress) })
            else {
                throw OneTimePasswordError(.invalidQuestion, "the question has to be hexadecimal digits")
            }
        }
    }

    /// Hands out the questions one after the other, at most ``byteCount`` bytes.
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
        // Without a way out, so that many characters are looked at in a step.
        var outside: UInt8 = 0
        for index in text.indices { outside |= unsafe text[index] &- 0x20 < 0x5F ? 0 : 1 }
        return outside == 0
    }

    /// The number in hexadecimal, without leading zeros except for the number zero, from the left.
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

    /// The same for digits of a number that may need more than a word.
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
