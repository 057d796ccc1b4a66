internal import Primitives

/// A challenge for one login with crypto application 3. It is not secret: the site shows it, and the user types it in
/// the app.
public struct LoginChallenge: Sendable, Hashable {
    /// The numbers of digits that a challenge may have, with its check digit.
    public static let lengths = 4...16
    /// The number of digits of a challenge whose caller specifies none. With fewer digits, a challenge and therefore
    /// its code repeat after some time, as long as the device's key ratchet has not moved.
    public static let defaultLength = 8
    /// The maximum number of challenges of an account that are kept. A new one replaces the oldest.
    static let maximumCount = 16

    /// The decimal digits.
    public let digits: String
    /// The id by which the login names the challenge, 32 hexadecimal digits.
    public let requestID: String
    /// The time until which a code for it is accepted.
    public let expiresAt: Timestamp

    /// Makes the digits of a challenge.
    ///
    /// - Parameters:
    ///   - length: The number of digits, with the check digit.
    ///   - checkDigit: Whether the last digit is the check digit of the others.
    ///   - random: The source of the other digits.
    static func digits(length: Int, checkDigit: Bool, random: any RandomSource) -> String {
        var digits: [UInt8] = []
        let count = length - (checkDigit ? 1 : 0)
        while digits.count < count {
            // Among the values below 250, each last digit is equally frequent.
            digits += random.bytes(count - digits.count).filter { $0 < 250 }.map { $0 % 10 }
        }
        if checkDigit { digits.append(Self.checkDigit(of: digits)) }
        return String(decoding: digits.map { UInt8(ascii: "0") + $0 }, as: UTF8.self)
    }

    /// Returns the check digit of the Luhn algorithm (ISO/IEC 7812-1, annex B): every second digit from the right is
    /// doubled. The sum of all resulting digits and the check digit is a multiple of ten.
    static func checkDigit(of digits: [UInt8]) -> UInt8 {
        let sum = digits.reversed().enumerated().reduce(0) { sum, place in
            let value = Int(place.element) * (place.offset.isMultiple(of: 2) ? 2 : 1)
            return sum + value / 10 + value % 10
        }
        return UInt8((10 - sum % 10) % 10)
    }
}
