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
