internal import CHashBlocks
public import Primitives

/// A one-time password: the text that a user reads off and types.
///
/// It is made to be shown once, to one user, through ``digits``. Printing, logging or reflecting the value by mistake
/// does not reveal it. Codes that are to be checked are never compared with `==`: use the verification functions of
/// ``HOTP``, ``TOTP`` and ``OCRA``.
public struct OneTimeCode: Sendable {
    /// The number below 2³¹ whose last digits are the code.
    package let number: UInt32
    private let count: UInt8
    // Empty unless the code is a whole HMAC.
    private let whole: String

    /// The code as the user types it: decimal digits with leading zeros, or the whole HMAC in lower-case hexadecimal
    /// for an OCRA suite with 0 digits.
    public var digits: String {
        if count == 0 { return whole }
        // Short enough for a string that needs no memory of its own.
        return unsafe String(unsafeUninitializedCapacity: 15) { text in
            guard let start = text.baseAddress else { return 0 }
            unsafe hash_blocks_write_digits(number, Int32(count), start)
            return Int(count)
        }
    }

    /// The code that shows the last digits of a number below 2³¹.
    ///
    /// - Parameter count: 1 to 10.
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
    /// The kind of value and its length. Never the code.
    public var description: String { "one-time code of \(count == 0 ? whole.utf8.count : Int(count)) characters" }
}
