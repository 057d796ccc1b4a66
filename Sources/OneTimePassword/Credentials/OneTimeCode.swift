internal import CHashBlocks
public import Primitives

/// A one-time password, which a user reads and types.
///
/// Show ``digits`` once, to the user only. Printing, logging and reflection do not reveal the code. Do not compare
/// codes with `==`; verify them with the functions of ``HOTP``, ``TOTP`` and ``OCRA``.
public struct OneTimeCode: Sendable {
    /// The number below 2³¹ with the code as its last digits.
    package let number: UInt32
    private let count: UInt8
    // Empty unless the code is a whole HMAC.
    private let whole: String

    /// The code, as the user types it: decimal digits with leading zeros, or the whole HMAC in lower-case hexadecimal
    /// for an OCRA suite with 0 digits.
    public var digits: String {
        if count == 0 { return whole }
        // A string of up to 15 bytes needs no separate memory.
        return unsafe String(unsafeUninitializedCapacity: 15) { text in
            guard let start = text.baseAddress else { return 0 }
            unsafe hash_blocks_write_digits(number, Int32(count), start)
            return Int(count)
        }
    }

    /// Creates the code with the last digits of a number below 2³¹.
    ///
    /// - Parameter count: The number of digits, 1 to 10.
    init(number: UInt32, digits count: Int) {
        self.number = number
        self.count = UInt8(truncatingIfNeeded: count)
        whole = ""
    }

    init(authenticationCode: [UInt8]) {
        number = 0
        count = 0
        whole = Hex.encode(authenticationCode)
    }
}

extension OneTimeCode: Redacted {
    /// The number of characters, without the code.
    public var description: String { "one-time code of \(count == 0 ? whole.utf8.count : Int(count)) characters" }
}
