import OneTimePassword
import Primitives
import TestSupport
import Testing

private struct RFC6238: Decodable, Sendable {
    struct Row: Decodable, Sendable {
        let time: Int64
        let T_hex: String
        let SHA1, SHA256, SHA512: String
    }
    let keys_hex: [String: String]
    let vectors: [Row]
}

private let vectors = Vectors.load(RFC6238.self, "otp/totp_rfc6238.json")

@Suite struct TOTPTests {
    private let now = Timestamp(secondsSinceEpoch: 1_700_000_010)

    private func totp(
        _ algorithm: HashAlgorithm = .sha256, step: Int = 30, start: Int64 = 0
    ) throws -> TOTP {
        let hex = try #require(vectors.keys_hex[algorithm.rawValue])
        return try TOTP(key: key(hex, algorithm), digits: 8, timeStep: step, start: start)
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `the codes of RFC 6238 appendix B`(_ algorithm: HashAlgorithm) throws {
        #expect(vectors.vectors.count == 6)
        let totp = try totp(algorithm)
        for row in vectors.vectors {
            let time = Timestamp(secondsSinceEpoch: row.time)
            let expected = [HashAlgorithm.sha1: row.SHA1, .sha256: row.SHA256, .sha512: row.SHA512][algorithm]
            #expect(totp.code(at: time).digits == expected)
            #expect(totp.step(at: time) == UInt64(row.T_hex, radix: 16))
            #expect(totp.verify(totp.code(at: time).digits, at: time)?.drift == 0)
        }
    }

    @Test(arguments: [Int.min, -30, 0, 86_401, Int.max])
    func `a step that TOTP does not have is refused`(_ step: Int) {
        let error = #expect(throws: OneTimePasswordError.self) { _ = try totp(step: step) }
        #expect(error?.code == .invalidStep)
    }

    @Test func `a code holds from the first to the last millisecond of its step`() throws {
        let totp = try totp()
        let begin = Timestamp(secondsSinceEpoch: 1_700_000_010)  // a multiple of 30
        #expect(totp.step(at: begin.advanced(milliseconds: -1)) + 1 == totp.step(at: begin))
        #expect(totp.step(at: begin.advanced(milliseconds: 29_999)) == totp.step(at: begin))
        #expect(totp.remainingTime(at: begin) == .seconds(30))
        #expect(totp.remainingTime(at: begin.advanced(milliseconds: 29_999)) == .milliseconds(1))
        #expect(totp.remainingTime(at: begin.advanced(milliseconds: -1)) == .milliseconds(1))
    }

    @Test func `the first step begins at the agreed time`() throws {
        let totp = try totp(start: 1_000_000_007)
        #expect(totp.step(at: Timestamp(secondsSinceEpoch: 1_000_000_006)) == 0)
        #expect(totp.step(at: Timestamp(secondsSinceEpoch: 1_000_000_036)) == 0)
        #expect(totp.step(at: Timestamp(secondsSinceEpoch: 1_000_000_037)) == 1)
        #expect(totp.remainingTime(at: Timestamp(secondsSinceEpoch: 1_000_000_036)) == .seconds(1))
    }

    @Test(arguments: [Int64.min, -1, 0, 1, .max])
    func `the first and the last time do not trap`(_ start: Int64) throws {
        let totp = try totp(start: start)
        for time in [Timestamp(millisecondsSinceEpoch: .min), Timestamp(millisecondsSinceEpoch: .max)] {
            #expect(totp.code(at: time).digits.count == 8)
            #expect(.milliseconds(1)...(.seconds(30)) ~= totp.remainingTime(at: time))
            #expect(totp.verify(totp.code(at: time).digits, at: time, window: .init(tolerance: 10)) != nil)
            #expect(totp.resynchronize("00000000", "11111111", at: time) == nil)
        }
    }

    @Test(arguments: -6...6)
    func `the window is one step each way around the drift`(_ offset: Int) throws {
        let totp = try totp()
        let code = totp.code(at: now.advanced(seconds: Int64(offset) * 30)).digits
        for drift in -2...2 {
            let match = totp.verify(code, at: now, window: .init(drift: drift))
            if abs(offset - drift) <= 1 {
                #expect(match?.step == totp.step(at: now.advanced(seconds: Int64(offset) * 30)))
                #expect(match?.drift == min(max(offset, -2), 2))
            } else {
                #expect(match == nil)
            }
        }
    }

    @Test func `a clock that is off by 30 s is accepted, by 90 s refused`() throws {
        let totp = try totp()
        for seconds: Int64 in [-30, 30] {
            #expect(totp.verify(totp.code(at: now.advanced(seconds: seconds)).digits, at: now) != nil)
        }
        for seconds: Int64 in [-90, 90] {
            #expect(totp.verify(totp.code(at: now.advanced(seconds: seconds)).digits, at: now) == nil)
        }
    }

    @Test(arguments: [-3, -2, -1, 0, 1, 2, 3])
    func `two successive codes give the drift, and the next code is accepted`(_ offset: Int) throws {
        let totp = try totp()
        let device = now.advanced(seconds: Int64(offset) * 30)
        let first = totp.code(at: device.advanced(seconds: -30)).digits
        let second = totp.code(at: device).digits
        let found = totp.resynchronize(first, second, at: now)
        let match = try #require(found)
        #expect(match.step == totp.step(at: device))
        #expect(match.drift == min(max(offset, -2), 2))
        let next = totp.code(at: device.advanced(seconds: 30)).digits
        let later = now.advanced(seconds: 30)
        let window = TOTP.Window(drift: match.drift, after: match.step)
        #expect(totp.verify(next, at: later, window: window)?.step == match.step + 1)
        #expect(totp.verify(second, at: later, window: window) == nil)
    }

    @Test func `a clock that is off too far cannot be resynchronized`() throws {
        let totp = try totp()
        for offset: Int64 in [-4, 4] {
            let device = now.advanced(seconds: offset * 30)
            let first = totp.code(at: device.advanced(seconds: -30)).digits
            #expect(totp.resynchronize(first, totp.code(at: device).digits, at: now) == nil)
        }
    }

    @Test func `codes that are not successive do not resynchronize`() throws {
        let totp = try totp()
        let codes = (-2...2).map { totp.code(at: now.advanced(seconds: $0 * 30)).digits }
        #expect(totp.resynchronize(codes[1], codes[2], at: now) != nil)
        #expect(totp.resynchronize(codes[2], codes[1], at: now) == nil)
        #expect(totp.resynchronize(codes[1], codes[1], at: now) == nil)
        #expect(totp.resynchronize(codes[1], codes[3], at: now) == nil)
        let used = TOTP.Window(after: totp.step(at: now) - 1)
        #expect(totp.resynchronize(codes[1], codes[2], at: now, window: used) == nil)
        #expect(totp.resynchronize(codes[2], codes[3], at: now, window: used) != nil)
    }

    @Test func `a code is accepted once`() throws {
        let totp = try totp()
        let code = totp.code(at: now).digits
        let found = totp.verify(code, at: now)
        let match = try #require(found)
        #expect(totp.verify(code, at: now, window: .init(after: match.step)) == nil)
        let earlier = totp.code(at: now.advanced(seconds: -30)).digits
        #expect(totp.verify(earlier, at: now, window: .init(after: match.step)) == nil)
        let later = totp.code(at: now.advanced(seconds: 30)).digits
        #expect(totp.verify(later, at: now, window: .init(after: match.step))?.step == match.step + 1)
    }

    @Test func `a window is never larger than allowed`() {
        let wide = TOTP.Window(tolerance: .max, drift: .max)
        #expect(wide.tolerance == 10)
        #expect(wide.drift == 2)
        let narrow = TOTP.Window(tolerance: .min, drift: .min)
        #expect(narrow.tolerance == 0)
        #expect(narrow.drift == -2)
    }

    @Test func `anything but the code itself is not found`() throws {
        let totp = try totp()
        let code = totp.code(at: now).digits
        let window = TOTP.Window(tolerance: 0)
        for text in neighbors(of: code) { #expect(totp.verify(text, at: now, window: window) == nil, "\(text)") }
        #expect(totp.verify(code, at: now, window: window) != nil)
    }
}
