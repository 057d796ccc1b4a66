/// The rules about passwords that are easy to guess. They run on the device, because the platform never has a password.
///
/// Each rule is a pure function of the bytes. The figures of how many real choices each one catches are in the tests.
package enum PasswordWeakness {
    /// The first rule that says "weak", `nil` when none does.
    package static func fault(of bytes: Span<UInt8>) -> PasswordFault? {
        if hasConstantStep(bytes) { return .constantStep }
        if isRepetition(bytes) || isPalindrome(bytes) || isSteppedPairs(bytes) { return .repetition }
        if isNumber(bytes) {
            if isDate(bytes) { return .date }
            if isKeypadFigure(bytes) { return .keypadLine }
        }
        return CommonPasswords.contains(bytes) ? .common : nil
    }

    /// The same byte all along, or a run up or down; digits go round from 9 to 0.
    static func hasConstantStep(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 2 else { return true }
        let areDigits = isNumber(bytes)
        let step = Self.step(bytes, at: 1, areDigits)
        // A run of letters in steps of more than 3 may well be a word.
        guard areDigits || [0, 1, 2, 3, 253, 254, 255].contains(step) else { return false }
        return (2..<bytes.count).allSatisfy { Self.step(bytes, at: $0, areDigits) == step }
    }

    /// Returns whether a shorter pattern repeats, the last time perhaps in part: 121212, 123123, 12312.
    static func isRepetition(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 4 else { return false }
        return (1...bytes.count / 2).contains { length in
            (length..<bytes.count).allSatisfy { bytes[$0] == bytes[$0 - length] }
        }
    }

    /// Returns whether the text reads the same backward: 1221, 123321.
    static func isPalindrome(_ bytes: Span<UInt8>) -> Bool {
        (0..<bytes.count / 2).allSatisfy { bytes[$0] == bytes[bytes.count - 1 - $0] }
    }

    /// Groups of equal characters in a run: 112233, 111222, 9988.
    static func isSteppedPairs(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 4 else { return false }
        return (2...max(2, bytes.count / 2)).contains { width in
            guard bytes.count.isMultiple(of: width) else { return false }
            guard bytes.indices.allSatisfy({ bytes[$0] == bytes[$0 - $0 % width] }) else { return false }
            let step = bytes[width] &- bytes[0]
            return stride(from: width, to: bytes.count, by: width).allSatisfy {
                bytes[$0] &- bytes[$0 - width] == step
            }
        }
    }

    static func isNumber(_ bytes: Span<UInt8>) -> Bool {
        bytes.indices.allSatisfy { (0x30...0x39).contains(bytes[$0]) }
    }

    private static func step(_ bytes: Span<UInt8>, at index: Int, _ areDigits: Bool) -> UInt8 {
        let step = bytes[index] &- bytes[index - 1]
        guard areDigits else { return step }
        return (bytes[index] + 10 - bytes[index - 1]) % 10
    }
}
