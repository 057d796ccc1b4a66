import Foundation
import Primitives
import Testing
import TrustedIdentity

/// Times in the JSON of reports.
struct TimestampCodingTests {
    @Test func `a time is RFC 3339 in JSON, to the millisecond`() throws {
        let time = Timestamp(millisecondsSinceEpoch: 1_800_000_000_007)
        let json = try JSONEncoder().encode([time])
        #expect(String(decoding: json, as: UTF8.self) == #"["2027-01-15T08:00:00.007Z"]"#)
        #expect(try JSONDecoder().decode([Timestamp].self, from: json) == [time])
        let whole = try JSONDecoder().decode([Timestamp].self, from: Data(#"["2027-01-15T08:00:00Z"]"#.utf8))
        #expect(whole == [Timestamp(secondsSinceEpoch: 1_800_000_000)])
    }

    @Test(arguments: ["", "2027-01-15", "2027-13-15T08:00:00Z", "1800000000", String(repeating: "2", count: 41)])
    func `another text is refused`(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Timestamp].self, from: Data(#"["\#(text)"]"#.utf8))
        }
    }
}
