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
            let count = unsafe copyText(to: output)
            guard unsafe output[..<count].reduce(true, { $0 && 0x20...0x7E ~= $1 }) else {
                throw OneTimePasswordError(.invalidQuestion, "the question has to be printable ASCII")
            }
        case .numeric:
            guard unsafe withText({ unsafe Self.write(decimal: $0, into: output) }) else {
                throw OneTimePasswordError(.invalidQuestion, "the question has to be decimal digits")
            }
        case .hexadecimal:
            guard unsafe withText({ unsafe Self.write(hexadecimal: $0, into: output) }) else {
                throw OneTimePasswordError(.invalidQuestion, "the question has to be hexadecimal digits")
            }
        }
    }

    /// Copies the questions one after the other, and returns their length.
    private func copyText(to output: UnsafeMutableRawBufferPointer) -> Int {
        let count = unsafe Self.copy(first, to: output)
        guard let second else { return count }
        return unsafe count + Self.copy(second, to: UnsafeMutableRawBufferPointer(rebasing: output[count...]))
    }

    private static func copy(_ text: String, to output: UnsafeMutableRawBufferPointer) -> Int {
        var text = text
        return text.withUTF8 { text in
            unsafe output.copyMemory(from: UnsafeRawBufferPointer(text))
            return text.count
        }
    }

    /// Hands out the text, and readable memory after it that fills the last 16 bytes up with the digit 0.
    private func withText(_ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        unsafe withUnsafeTemporaryAllocation(byteCount: Self.byteCount, alignment: 16) { text in
            unsafe text.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "0"))
            let count = unsafe copyText(to: text)
            return unsafe body(UnsafeRawBufferPointer(rebasing: text[..<count]))
        }
    }

    /// Two digits a byte from the left, sixteen digits at a time; what is missing at the end are zeros, with which the
    /// RFC fills the text before it makes bytes of it.
    private static func write(hexadecimal text: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer)
        -> Bool
    {
        guard let start = text.baseAddress else { return false }
        var isDigits = true
        for position in stride(from: 0, to: text.count, by: 16) {
            let characters = unsafe start.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
            let digits = characters &- 48
            let letters = (characters | 0x20) &- 97
            let values = digits.replacing(with: letters &+ 10, where: letters .< 6)
            isDigits = isDigits && all((digits .< 10) .| (letters .< 6))
            unsafe output.storeBytes(
                of: values.evenHalf &<< 4 | values.oddHalf, toByteOffset: position / 2, as: SIMD8<UInt8>.self)
        }
        return isDigits
    }

    /// The number in hexadecimal, without leading zeros except for the number zero, from the left.
    private static func write(decimal text: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer)
        -> Bool
    {
        guard unsafe text.allSatisfy({ 48...57 ~= $0 }) else { return false }
        // 128 decimal digits are 426 bits. The least significant word comes first.
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 14) { words in
            unsafe words.initialize(repeating: 0)
            var used = 1
            for start in stride(from: 0, to: text.count, by: 9) {
                var carry: UInt64 = 0
                var scale: UInt64 = 1
                for index in start..<min(start + 9, text.count) {
                    carry = unsafe carry * 10 + UInt64(text[index] - 48)
                    scale *= 10
                }
                for index in 0..<used {
                    carry += unsafe UInt64(words[index]) * scale
                    unsafe words[index] = UInt32(truncatingIfNeeded: carry)
                    carry >>= 32
                }
                if carry > 0 {
                    unsafe words[used] = UInt32(truncatingIfNeeded: carry)
                    used += 1
                }
            }
            let bits = unsafe used * 32 - words[used - 1].leadingZeroBitCount
            let digits = max((bits + 3) / 4, 1)
            for place in 0..<digits {
                let fromRight = digits - 1 - place
                let digit = unsafe UInt8(truncatingIfNeeded: words[fromRight / 8] >> UInt32(fromRight % 8 * 4)) & 15
                unsafe output[place / 2] |= place % 2 == 0 ? digit << 4 : digit
            }
            return true
        }
    }
}
