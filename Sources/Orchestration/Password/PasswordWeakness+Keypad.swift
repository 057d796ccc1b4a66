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
