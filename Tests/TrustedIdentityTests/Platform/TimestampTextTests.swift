import Foundation
import Primitives
import Testing

@testable import TrustedIdentity

/// Times of RFC 3339, which devices sign.
@Suite struct TimestampTextTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-01-31T12:00:00Z", 1_769_860_800_000),
        ("2024-02-29T23:59:59.5Z", 1_709_251_199_500), ("2000-02-29T00:00:00.123Z", 951_782_400_123),
        ("2026-01-31t13:00:00+01:00", 1_769_860_800_000), ("2026-01-31T06:30:00.120000-05:30", 1_769_860_800_120),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999), ("2100-03-01T00:00:00z", 4_107_542_400_000),
    ])
    func `a time is read`(text: String, milliseconds: Int64) throws {
        let time = try #require(Timestamp(rfc3339: text))
        #expect(time.millisecondsSinceEpoch == milliseconds)
        #expect(Timestamp(rfc3339: time.rfc3339) == time)
    }

    @Test(arguments: [
        "2026-02-30T00:00:00Z", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
        "2026-01-01T25:00:00Z", "2026-01-01T23:60:00Z", "2026-12-31T23:59:60Z", "2026-01-01T00:00:00.0001Z",
        "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00+24:00",
        "2026-01-01 00:00:00Z", "2026-1-1T00:00:00Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01", "2026-01-01T00:00:00Z ", " 2026-01-01T00:00:00Z", "２026-01-01T00:00:00Z",
        "2026-01-01",
        "2026-W01-1T00:00:00Z", "+2026-01-01T00:00:00Z", "",
    ])
    func `another text is refused, and no value is carried over`(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func `each day of two centuries is the one that Foundation says`() throws {
        for day in stride(from: 0, to: 84_000, by: 13) {
            let text = Date(timeIntervalSince1970: Double(day) * 86_400).formatted(Date.ISO8601FormatStyle())
            #expect(Timestamp(rfc3339: text)?.millisecondsSinceEpoch == Int64(day) * 86_400_000)
        }
    }
}
