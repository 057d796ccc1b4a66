extension OCRA.Suite {
    /// Creates a suite from its text.
    ///
    /// The parts are in the order of RFC 6287 and in upper case. Values with a default may be omitted (`Q` is `QN08`,
    /// `P` is `PSHA1`, `S` is `S064`, `T` is `T1M`). A time step of zero hours is refused (erratum 3729).
    ///
    /// - Parameters:
    ///   - text: For example `OCRA-1:HOTP-SHA512-8:C-QN08-PSHA1-S064-T30S`.
    ///   - allowsTenDigits: Whether codes of ten digits are accepted, for old tokens. RFC 6287 allows them; erratum
    ///     3730 removes them, because the first digit is 0, 1 or 2.
    /// - Throws: ``OneTimePasswordError/Code/invalidSuite`` with a message that names the part,
    ///   ``OneTimePasswordError/Code/invalidDigits``.
    public init(_ text: String, allowsTenDigits: Bool = false) throws(OneTimePasswordError) {
        guard text.utf8.count <= 64, text.utf8.allSatisfy({ $0 < 128 }) else {
            throw OneTimePasswordError(.invalidSuite, "a suite has at most 64 ASCII characters")
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "OCRA-1" else {
            throw OneTimePasswordError(.invalidSuite, "a suite has the form OCRA-1:function:input")
        }
        let function = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard function.count == 3, function[0] == "HOTP", let algorithm = HashAlgorithm(rawValue: String(function[1]))
        else {
            throw OneTimePasswordError(
                .invalidSuite, "the function of a suite is HOTP-SHA1, HOTP-SHA256 or HOTP-SHA512 and the digits")
        }
        guard let digits = Self.number(function[2]), digits == 0 || 4...10 ~= digits else {
            throw OneTimePasswordError(.invalidDigits, "a suite has 0 or 4 to 9 digits")
        }
        guard digits < 10 || allowsTenDigits else {
            throw OneTimePasswordError(.invalidDigits, "a suite with ten digits is not allowed (erratum 3730)")
        }

        var inputs = parts[2].split(separator: "-", omittingEmptySubsequences: false)[...]
        hasCounter = inputs.first == "C"
        if hasCounter { inputs.removeFirst() }
        (questionFormat, questionLength) = try Self.question(inputs.popFirst())
        pinAlgorithm = try Self.take("P", from: &inputs, Self.pin)
        sessionByteCount = try Self.take("S", from: &inputs, Self.session)
        timeStep = try Self.take("T", from: &inputs, Self.time)
        guard inputs.isEmpty else {
            throw OneTimePasswordError(.invalidSuite, "the input of a suite is C, Q, P, S and T, in this order")
        }
        self.text = text
        self.algorithm = algorithm
        self.digits = digits
    }

    private static func question(
        _ input: Substring?
    ) throws(OneTimePasswordError) -> (OCRA.QuestionFormat, Int) {
        if input == "Q" { return (.numeric, 8) }
        guard let input, input.count == 4, input.first == "Q",
            let format = OCRA.QuestionFormat(rawValue: input[input.index(after: input.startIndex)]),
            let length = paddedNumber(input.dropFirst(2)), 4...64 ~= length
        else {
            throw OneTimePasswordError(.invalidSuite, "the question of a suite is QA, QN or QH and 04 to 64")
        }
        return (format, length)
    }

    /// Reads the next input if it begins with a letter.
    private static func take<T>(
        _ letter: Character, from inputs: inout ArraySlice<Substring>,
        _ read: (Substring) throws(OneTimePasswordError) -> T
    ) throws(OneTimePasswordError) -> T? {
        guard let input = inputs.first, input.first == letter else { return nil }
        inputs.removeFirst()
        return try read(input.dropFirst())
    }

    private static func pin(_ text: Substring) throws(OneTimePasswordError) -> HashAlgorithm {
        if text.isEmpty { return .sha1 }
        guard let algorithm = HashAlgorithm(rawValue: String(text)) else {
            throw OneTimePasswordError(.invalidSuite, "the PIN of a suite is PSHA1, PSHA256 or PSHA512")
        }
        return algorithm
    }

    private static func session(_ text: Substring) throws(OneTimePasswordError) -> Int {
        if text.isEmpty { return 64 }
        guard text.count == 3, let count = paddedNumber(text), 1...512 ~= count else {
            throw OneTimePasswordError(.invalidSuite, "the session of a suite is S and 001 to 512")
        }
        return count
    }

    private static func time(_ text: Substring) throws(OneTimePasswordError) -> Int {
        if text.isEmpty { return 60 }
        if let count = number(text.dropLast()) {
            switch text.last {
            case "S" where 1...59 ~= count: return count
            case "M" where 1...59 ~= count: return count * 60
            case "H" where 1...48 ~= count: return count * 3600
            default: break
            }
        }
        throw OneTimePasswordError(.invalidSuite, "the time of a suite is T and 1S to 59S, 1M to 59M or 1H to 48H")
    }

    /// Returns a decimal number of up to three digits. `Int` alone would accept a sign.
    private static func paddedNumber(_ text: Substring) -> Int? {
        guard 1...3 ~= text.utf8.count, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return Int(text)
    }

    /// Returns a decimal number without leading zeros, because a suite has only one text.
    private static func number(_ text: Substring) -> Int? {
        guard text.count == 1 || text.first != "0" else { return nil }
        return paddedNumber(text)
    }
}
