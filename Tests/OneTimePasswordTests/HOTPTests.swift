import OneTimePassword
import Primitives
import TestSupport
import Testing

private struct RFC4226: Decodable, Sendable {
    struct Row: Decodable, Sendable {
        let counter: UInt64
        let truncated: UInt64
        let otp: String
    }
    let key_hex: String
    let vectors: [Row]
}

private let vectors = Vectors.load(RFC4226.self, "otp/hotp_rfc4226.json")

@Suite struct HOTPTests {
    private func hotp(_ digits: Int = 6) throws -> HOTP {
        try HOTP(key: key(vectors.key_hex, .sha1), digits: digits)
    }

    @Test func `the codes of RFC 4226 appendix D`() throws {
        #expect(vectors.vectors.count == 10)
        let hotp = try hotp()
        for row in vectors.vectors { #expect(hotp.code(counter: row.counter).digits == row.otp) }
    }

    @Test(arguments: 6...10)
    func `a code shows the last digits of the truncated number`(_ digits: Int) throws {
        let hotp = try hotp(digits)
        for row in vectors.vectors {
            let full = String(repeating: "0", count: 10) + String(row.truncated)
            #expect(hotp.code(counter: row.counter).digits == full.suffix(digits))
        }
    }

    @Test(arguments: [Int.min, -1, 0, 4, 5, 11, Int.max])
    func `a number of digits that HOTP does not have is refused`(_ digits: Int) {
        #expect(throws: OneTimePasswordError.self) { _ = try hotp(digits) }
    }

    @Test func `each code is found at its counter and nowhere else`() throws {
        let hotp = try hotp()
        for row in vectors.vectors {
            #expect(hotp.verify(row.otp, from: row.counter, lookAhead: 0) == row.counter)
            #expect(hotp.verify(row.otp, from: 0, lookAhead: 9) == row.counter)
            #expect(hotp.verify(row.otp, from: row.counter + 1) == nil)
            if row.counter > 0 { #expect(hotp.verify(row.otp, from: 0, lookAhead: Int(row.counter) - 1) == nil) }
        }
    }

    @Test func `anything but the code itself is not found`() throws {
        let hotp = try hotp()
        for text in neighbors(of: "755224") { #expect(hotp.verify(text, from: 0, lookAhead: 0) == nil, "\(text)") }
        #expect(hotp.verify("755224", from: 0, lookAhead: 0) == 0)
    }

    @Test func `a code with leading zeros needs them`() throws {
        let hotp = try hotp()
        let counter = try #require((0..<2000).first { hotp.code(counter: $0).digits.hasPrefix("00") })
        let code = hotp.code(counter: counter).digits
        #expect(hotp.verify(code, from: counter, lookAhead: 0) == counter)
        #expect(hotp.verify(code.dropFirst(), from: counter, lookAhead: 0) == nil)
        #expect(hotp.verify(code.dropFirst(2), from: counter, lookAhead: 0) == nil)
    }

    @Test(arguments: [6, 7, 8]) func `a byte beside the digits never stands for a digit and a carry`(
        _ digits: Int
    ) throws {
        // As a number, ten units after a digit equal no unit after the next digit, and so on for each place.
        let hotp = try hotp(digits)
        var count = 0
        for counter in 0..<400 as Range<UInt64> {
            let code = Array(hotp.code(counter: counter).digits.utf8)
            for place in 1..<code.count {
                for (digit, carry) in [(code[place] + 10, -1), (code[place] - 10, 1)] {
                    let before = Int(code[place - 1]) + carry
                    guard digit < 0x80, (0x30...0x39).contains(before) else { continue }
                    var typed = code
                    (typed[place], typed[place - 1]) = (digit, UInt8(before))
                    let text = String(decoding: typed, as: UTF8.self)
                    #expect(hotp.verify(text, from: counter, lookAhead: 0) == nil, "\(text)")
                    count += text.hasSuffix(":") ? 1 : 0
                }
            }
        }
        #expect(count > 10, "codes that end in 0, as a colon")
    }

    @Test func `of two counters with the same code the first is taken`() throws {
        // With six digits, two of a few thousand counters have the same code.
        let hotp = try hotp()
        var seen: [String: UInt64] = [:]
        var pair: (first: UInt64, second: UInt64)?
        for counter: UInt64 in 0..<20_000 where pair == nil {
            let code = hotp.code(counter: counter).digits
            if let first = seen[code], counter - first <= 900 { pair = (first, counter) }
            seen[code] = counter
        }
        let (first, second) = try #require(pair)
        let code = hotp.code(counter: first).digits
        #expect(hotp.verify(code, from: first, lookAhead: 1000) == first)
        #expect(hotp.verify(code, from: first + 1, lookAhead: 1000) == second)
    }

    @Test func `two successive codes find the counter of a device that advanced too far`() throws {
        let hotp = try hotp()
        let codes = (0...300).map { hotp.code(counter: $0).digits }
        #expect(hotp.resynchronize(codes[50], codes[51], from: 0) == 51)
        #expect(hotp.resynchronize(codes[0], codes[1], from: 0) == 1)
        #expect(hotp.resynchronize(codes[100], codes[101], from: 0) == 101)
        #expect(hotp.resynchronize(codes[101], codes[102], from: 0) == nil)
        #expect(hotp.resynchronize(codes[0], codes[1], from: 0, lookAhead: 0) == 1)
        #expect(hotp.resynchronize(codes[1], codes[2], from: 0, lookAhead: 0) == nil)
    }

    @Test func `codes that are not successive do not resynchronize`() throws {
        let hotp = try hotp()
        let codes = (0...60).map { hotp.code(counter: $0).digits }
        #expect(hotp.resynchronize(codes[50], codes[50], from: 0) == nil)
        #expect(hotp.resynchronize(codes[50], codes[52], from: 0) == nil)
        #expect(hotp.resynchronize(codes[51], codes[50], from: 0) == nil)
        #expect(hotp.resynchronize(codes[50], "", from: 0) == nil)
        #expect(hotp.resynchronize(codes[3], codes[4], from: 4) == nil)
    }

    @Test func `the largest counter does not trap`() throws {
        let hotp = try hotp()
        let last = hotp.code(counter: .max).digits
        let first = hotp.code(counter: 0).digits
        #expect(hotp.verify(last, from: .max - 3) == .max)
        #expect(hotp.verify(last, from: .max, lookAhead: .max) == .max)
        #expect(hotp.verify(first, from: .max) == nil)
        #expect(hotp.verify(first, from: 0, lookAhead: .min) == 0)
        #expect(hotp.resynchronize(last, first, from: .max) == nil)
    }
}
