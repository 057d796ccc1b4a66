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
        // A fraction of a second is not exact in a `Date`, which would be formatted as the millisecond before.
        let milliseconds = (millisecondsSinceEpoch % 1_000 + 1_000) % 1_000
        return "\(second.dropLast()).\(String(1_000 + milliseconds).dropFirst())Z"
    }

    /// Creates a point in time from RFC 3339, with or without fractions of a second; `nil` for another text.
    package init?(rfc3339 text: String) {
        guard text.utf8.count <= 40 else { return nil }
        let styles = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
        guard let date = styles.lazy.compactMap({ try? Date(text, strategy: $0) }).first else { return nil }
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        guard (0...253_402_300_799_999).contains(milliseconds) else { return nil }
        self.init(millisecondsSinceEpoch: Int64(milliseconds))
    }
}
