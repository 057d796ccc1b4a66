import ArgumentParser
import Primitives

/// A moment on the command line: seconds since the Unix epoch (also with `@` in front), or `2009-02-13T23:31:30Z`.
struct MomentArgument: ExpressibleByArgument {
    let time: Timestamp

    init?(argument: String) {
        if let seconds = Int64(argument.hasPrefix("@") ? String(argument.dropFirst()) : argument) {
            time = Timestamp(secondsSinceEpoch: seconds)
        } else if let seconds = Self.seconds(argument) {
            time = Timestamp(secondsSinceEpoch: seconds)
        } else {
            return nil
        }
    }

    /// Seconds since the epoch of a date in the one form that needs no guess (RFC 3339, UTC).
    private static func seconds(_ text: String) -> Int64? {
        let form = "0000-00-00T00:00:00Z"
        let characters = Array(text.utf8)
        guard characters.count == form.utf8.count,
            zip(characters, form.utf8).allSatisfy({ $1 == 48 ? 48...57 ~= $0 : $0 == $1 })
        else { return nil }
        func number(_ range: Range<Int>) -> Int64 { range.reduce(0) { $0 * 10 + Int64(characters[$1] - 48) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard 1...12 ~= month, 1...lengths[Int(month) - 1] ~= day, hour < 24, minute < 60, second < 60, year > 0
        else { return nil }
        let past = year - 1
        let leapDays = past / 4 - past / 100 + past / 400
        let days = past * 365 + leapDays + lengths.prefix(Int(month) - 1).reduce(0, +) + day - 1
        return (days - 719_162) * 86_400 + hour * 3600 + minute * 60 + second  // 719,162 days before 1970-01-01
    }
}
