/// The most common passwords.
enum CommonPasswords {
    /// Returns whether the password is one of them. Letters are compared without their case.
    static func contains(_ bytes: Span<UInt8>) -> Bool {
        if let number = number(bytes) { return numbers.contains(number) }
        return words.contains { word in
            guard word.count == bytes.count else { return false }
            return bytes.indices.allSatisfy { lowerCase(bytes[$0]) == word[$0] }
        }
    }

    /// The numbers with a leading 1, which keeps their leading zeros.
    private static let numbers: Set<UInt64> = {
        let lists = [
            CommonPasswordList.fourDigits, CommonPasswordList.fiveDigits, CommonPasswordList.sixDigits,
            CommonPasswordList.numbers,
        ]
        return Set(lists.flatMap { list in list.split(separator: " ").compactMap { number(Array($0.utf8).span) } })
    }()

    private static let words: [[UInt8]] = CommonPasswordList.words.split(separator: " ").map { Array($0.utf8) }

    /// The number of passwords in the list.
    static var count: Int { numbers.count + words.count }

    private static func number(_ bytes: Span<UInt8>) -> UInt64? {
        guard (1...18).contains(bytes.count), PasswordWeakness.isNumber(bytes) else { return nil }
        return bytes.indices.reduce(1) { $0 * 10 + UInt64(bytes[$1] - 0x30) }
    }

    private static func lowerCase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
