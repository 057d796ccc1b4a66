import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The digits of a challenge.
struct LoginChallengeTests {
    @Test(
        arguments: [
            ("7992739871", 3), ("0", 0), ("1", 8), ("5", 9), ("1789372997", 4), ("37828224631000", 5),
            ("411111111111111", 1),
        ] as [(String, UInt8)])
    func `the check digit is that of the Luhn algorithm`(digits: String, check: UInt8) {
        let values = digits.utf8.map { $0 - 48 }
        #expect(LoginChallenge.checkDigit(of: values) == check)
        // Each single wrong digit has another check digit.
        for place in values.indices {
            for digit in 0...9 as ClosedRange<UInt8> where digit != values[place] {
                var wrong = values
                wrong[place] = digit
                #expect(LoginChallenge.checkDigit(of: wrong) != check)
            }
        }
    }

    @Test(arguments: LoginChallenge.lengths, [false, true])
    func `a challenge has as many digits as asked for`(length: Int, checkDigit: Bool) {
        let random = SeededRandomSource(seed: UInt64(length))
        let made = (0..<50).map { _ in
            LoginChallenge.digits(length: length, checkDigit: checkDigit, random: random)
        }
        for text in made {
            let digits = text.utf8.map { $0 &- 48 }
            #expect(digits.count == length && digits.allSatisfy { $0 < 10 })
            guard checkDigit else { continue }
            #expect(LoginChallenge.checkDigit(of: digits.dropLast()) == digits.last)
        }
        #expect(Set(made).count > 40)
    }

    @Test func `each digit is equally frequent`() {
        let random = SeededRandomSource(seed: 7)
        var counts = [Int](repeating: 0, count: 10)
        for _ in 0..<2_000 {
            for byte in LoginChallenge.digits(length: 16, checkDigit: false, random: random).utf8 {
                counts[Int(byte) - 48] += 1
            }
        }
        // 32,000 digits: 3,200 of each, with a standard deviation of 54.
        #expect(counts.allSatisfy { (2_900...3_500).contains($0) }, "\(counts)")
    }
}
