/// The rules about passwords that are easy to guess. They run on the device, because the platform never receives a
/// password.
///
/// Each rule is a pure function of the bytes. The tests contain the figures of how many real choices each rule catches.
package enum PasswordWeakness {
    /// Returns the first broken rule, or `nil` when the password breaks none.
    package static func fault(of bytes: Span<UInt8>) -> PasswordFault? {
        if hasConstantStep(bytes) { return .constantStep }
        if isRepetition(bytes) || isPalindrome(bytes) || isSteppedPairs(bytes) { return .repetition }
        if isNumber(bytes) {
            if isDate(bytes) { return .date }
            if isKeypadFigure(bytes) { return .keypadLine }
        }
        return CommonPasswords.contains(bytes) ? .common : nil
    }

    /// Returns whether all bytes are the same, or form a run up or down; after the digit 9 comes 0.
    static func hasConstantStep(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 2 else { return true }
        let areDigits = isNumber(bytes)
        let step = Self.step(bytes, at: 1, areDigits)
        // A run of letters in steps of more than 3 may be a word.
        guard areDigits || [0, 1, 2, 3, 253, 254, 255].contains(step) else { return false }
        return (2..<bytes.count).allSatisfy { Self.step(bytes, at: $0, areDigits) == step }
    }

    /// Returns whether a shorter pattern repeats, the last time perhaps in part: 121212, 123123, 12312.
    static func isRepetition(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 4 else { return false }
        return (1...bytes.count / 2).contains { length in
            (length..<bytes.count).allSatisfy { bytes[$0] == bytes[$0 - length] }
        }
    }

    /// Returns whether the text reads the same backward: 1221, 123321.
    static func isPalindrome(_ bytes: Span<UInt8>) -> Bool {
        (0..<bytes.count / 2).allSatisfy { bytes[$0] == bytes[bytes.count - 1 - $0] }
    }

    /// Returns whether groups of equal characters form a run: 112233, 111222, 9988.
    static func isSteppedPairs(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 4 else { return false }
        return (2...max(2, bytes.count / 2)).contains { width in
            guard bytes.count.isMultiple(of: width) else { return false }
            guard bytes.indices.allSatisfy({ bytes[$0] == bytes[$0 - $0 % width] }) else { return false }
            let step = bytes[width] &- bytes[0]
            return stride(from: width, to: bytes.count, by: width).allSatisfy {
                bytes[$0] &- bytes[$0 - width] == step
            }
        }
    }

    static func isNumber(_ bytes: Span<UInt8>) -> Bool {
        bytes.indices.allSatisfy { (0x30...0x39).contains(bytes[$0]) }
    }

    private static func step(_ bytes: Span<UInt8>, at index: Int, _ areDigits: Bool) -> UInt8 {
        let step = bytes[index] &- bytes[index - 1]
        guard areDigits else { return step }
        return (bytes[index] + 10 - bytes[index - 1]) % 10
    }
}

extension PasswordWeakness {
    /// Returns whether digits form a date in one of the usual orders: DDMM, MMDD or a year; with two digits of the year
    /// before or after, or a month and a year; or with four digits of the year.
    static func isDate(_ digits: Span<UInt8>) -> Bool {
        func number(_ start: Int, _ count: Int) -> Int {
            (start..<start + count).reduce(0) { $0 * 10 + Int(digits[$1] - 0x30) }
        }
        func isDay(monthAt month: Int, dayAt day: Int) -> Bool {
            isDayOfYear(month: number(month, 2), day: number(day, 2))
        }
        func isYear(_ start: Int) -> Bool { (1900...2099).contains(number(start, 4)) }
        func isMonth(_ start: Int) -> Bool { (1...12).contains(number(start, 2)) }

        switch digits.count {
        case 4:
            return isDay(monthAt: 0, dayAt: 2) || isDay(monthAt: 2, dayAt: 0) || isYear(0)
        case 6:
            if isDay(monthAt: 0, dayAt: 2) || isDay(monthAt: 2, dayAt: 0) || isDay(monthAt: 2, dayAt: 4) { return true }
            return isMonth(0) && isYear(2) || isYear(0) && isMonth(4)
        case 8:
            if isYear(4) { return isDay(monthAt: 0, dayAt: 2) || isDay(monthAt: 2, dayAt: 0) }
            return isYear(0) && isDay(monthAt: 4, dayAt: 6)
        default:
            return false
        }
    }

    private static func isDayOfYear(month: Int, day: Int) -> Bool {
        switch month {
        case 1, 3, 5, 7, 8, 10, 12: (1...31).contains(day)
        case 4, 6, 9, 11: (1...30).contains(day)
        case 2: (1...29).contains(day)
        default: false
        }
    }
}

extension PasswordWeakness {
    /// Returns whether digits form a figure on the keypad of telephones (1 to 3 on top, 0 below 8): a walk over
    /// neighboring keys, or straight lines of three keys only.
    static func isKeypadFigure(_ digits: Span<UInt8>) -> Bool {
        isWalk(digits) || isLines(digits)
    }

    private static func isWalk(_ digits: Span<UInt8>) -> Bool {
        (1..<digits.count).allSatisfy { index in
            let move = move(digits[index - 1], digits[index])
            return abs(move.down) + abs(move.right) == 1
        }
    }

    private static func isLines(_ digits: Span<UInt8>) -> Bool {
        guard digits.count.isMultiple(of: 3) else { return false }
        return stride(from: 0, to: digits.count, by: 3).allSatisfy { start in
            let first = move(digits[start], digits[start + 1])
            let second = move(digits[start + 1], digits[start + 2])
            return first == second && max(abs(first.down), abs(first.right)) == 1
        }
    }

    private static func move(_ from: UInt8, _ to: UInt8) -> (down: Int, right: Int) {
        let (a, b) = (place(from), place(to))
        return (b.row - a.row, b.column - a.column)
    }

    private static func place(_ digit: UInt8) -> (row: Int, column: Int) {
        guard digit != 0x30 else { return (3, 1) }
        let index = Int(digit) - 0x31
        return (index / 3, index % 3)
    }
}
