public import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Timestamp: Codable {
    /// Decodes a time from RFC 3339.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = Timestamp(rfc3339: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time of RFC 3339")
        }
        self = time
    }

    /// Encodes the time as RFC 3339 in UTC, to the millisecond.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rfc3339)
    }
}

extension Timestamp {
    /// The time as the REST API writes it: RFC 3339 in UTC, to the millisecond.
    package var rfc3339: String {
        let second = Date(timeIntervalSince1970: Double(secondsSinceEpoch)).formatted(Date.ISO8601FormatStyle())
        // A fraction of a second is not exact in a `Date`, which would be formatted as the previous millisecond.
        let milliseconds = (millisecondsSinceEpoch % 1_000 + 1_000) % 1_000
        return "\(second.dropLast()).\(String(1_000 + milliseconds).dropFirst())Z"
    }

    /// Creates a point in time from a date and time of RFC 3339, section 5.6; `nil` for another text.
    ///
    /// No value is rounded or carried over. A day that does not exist in the month, an hour 24, a leap second, a
    /// fraction of a millisecond, and a year before 1970 are refused, because a device would sign another time than the
    /// text.
    package init?(rfc3339 text: String) {
        var reader = TimeReader(text: Array(text.utf8)[...])
        guard let year = reader.number(4), reader.takes("-"), let month = reader.number(2), reader.takes("-"),
            let day = reader.number(2), reader.takes("T") || reader.takes("t"), let hour = reader.number(2),
            reader.takes(":"), let minute = reader.number(2), reader.takes(":"), let second = reader.number(2),
            let milliseconds = reader.fraction(), let offset = reader.offset(), reader.text.isEmpty,
            year >= 1970, hour < 24, minute < 60, second < 60
        else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...12).contains(month), (1...lengths[month - 1]).contains(day) else { return nil }
        let leapDays = { (year: Int) in year / 4 - year / 100 + year / 400 }
        let days =
            365 * (year - 1970) + leapDays(year - 1) - leapDays(1969) + lengths[..<(month - 1)].reduce(day - 1, +)
        let minutes = (days * 24 + hour) * 60 + minute - offset
        guard (0..<TimeReader.end).contains(minutes) else { return nil }
        self.init(millisecondsSinceEpoch: Int64((minutes * 60 + second) * 1_000 + milliseconds))
    }
}

/// A reader of the parts of a date and time.
private struct TimeReader {
    /// The minutes from 1970 to the year 10000.
    static let end = 4_223_371_680

    var text: ArraySlice<UInt8>

    mutating func takes(_ character: Unicode.Scalar) -> Bool {
        guard text.first == UInt8(ascii: character) else { return false }
        text.removeFirst()
        return true
    }

    /// Reads a number with a fixed count of digits.
    mutating func number(_ count: Int) -> Int? {
        let digits = text.prefix(count)
        guard digits.count == count, let number = Self.number(digits) else { return nil }
        text.removeFirst(count)
        return number
    }

    /// Reads a fraction of a second, if there is one, in milliseconds.
    mutating func fraction() -> Int? {
        guard takes(".") else { return 0 }
        let digits = text.prefix { (48...57).contains($0) }
        guard (1...9).contains(digits.count), digits.dropFirst(3).allSatisfy({ $0 == UInt8(ascii: "0") }) else {
            return nil
        }
        text.removeFirst(digits.count)
        return Self.number((Array(digits) + [48, 48])[..<3])
    }

    /// Reads the offset from UTC in minutes.
    mutating func offset() -> Int? {
        if takes("Z") || takes("z") { return 0 }
        let isNegative = text.first == UInt8(ascii: "-")
        guard isNegative ? takes("-") : takes("+"), let hours = number(2), takes(":"), let minutes = number(2),
            hours < 24, minutes < 60
        else { return nil }
        return (isNegative ? -1 : 1) * (hours * 60 + minutes)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
    }
}
