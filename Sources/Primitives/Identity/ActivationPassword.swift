/// The activation password: twelve characters of Crockford's base32, written `XXXX-XXXX-XXXX`.
///
/// Characters 1 to 3 are the handle: a number, not secret, that distinguishes the activation passwords of a user.
/// Characters 4 to 11 are the secret of 40 bits. Character 12 is a check character over the others: the device finds
/// typing errors without the platform, and they cost no try. See ``checkSymbol(over:)`` for the errors it finds.
package struct ActivationPassword: ~Copyable, Sendable {
    /// The number of the activation password, 15 bits.
    package let handle: UInt16

    /// The eight secret characters in ASCII, upper case. They are the password of the key exchange.
    package let secret: SecretBytes

    /// Creates an activation password from the text that a user typed.
    ///
    /// - Parameter typed: ASCII. Case, spaces and hyphens do not matter. I and L are read as 1, O as 0.
    /// - Throws: ``ActivationPasswordError`` with `wrongLength`, `invalidCharacter` or `wrongCheckCharacter`.
    package init(parsing typed: borrowing SecretBytes) throws(ActivationPasswordError) {
        let symbols = try SecretBytes(count: Self.length) { symbols throws(ActivationPasswordError) in
            try typed.withBytes { span throws(ActivationPasswordError) in try Self.read(span, into: &symbols) }
        }
        let (handle, isRight) = symbols.withBytes { span in
            (Self.handle(in: span), Self.checkSymbol(over: span) == span[Self.length - 1])
        }
        guard isRight else { throw ActivationPasswordError(.wrongCheckCharacter) }
        self.handle = handle
        self.secret = Self.secret(in: symbols)
    }

    /// Creates an activation password from the text that a user typed, if it is already a string. The string cannot be
    /// wiped.
    package init(parsing typed: some StringProtocol) throws(ActivationPasswordError) {
        try self.init(parsing: SecretBytes(copying: typed.utf8))
    }

    /// Makes an activation password with a given handle.
    ///
    /// - Parameters:
    ///   - handle: A number below 2^15.
    ///   - random: The source of the 40 bits of the secret.
    package static func make(handle: UInt16, random: any RandomSource) -> ActivationPassword {
        precondition(handle < 1 << 15, "a handle has 15 bits")
        // Five bits of a uniform byte are uniform, because 256 is a multiple of 32.
        let bytes = random.secret(secretLength)
        let secret = bytes.withBytes { span in
            SecretBytes(count: secretLength) { characters in
                for index in span.indices { characters[index] = alphabet[Int(span[index] & 31)] }
            }
        }
        return ActivationPassword(checked: handle, secret)
    }

    /// Makes an activation password with a random handle.
    package static func make(random: any RandomSource) -> ActivationPassword {
        let bytes = random.bytes(2)
        return make(handle: (UInt16(bytes[0]) << 8 | UInt16(bytes[1])) & 0x7FFF, random: random)
    }

    /// Creates an activation password from the parts that the platform stores.
    ///
    /// - Returns: `nil` when the handle has more than 15 bits or the secret is not eight characters of the alphabet.
    package init?(handle: UInt16, secret: borrowing SecretBytes) {
        guard handle < 1 << 15, secret.count == Self.secretLength else { return nil }
        let isCanonical = secret.withBytes { span in span.indices.allSatisfy { Self.alphabet.contains(span[$0]) } }
        guard isCanonical else { return nil }
        self.init(checked: handle, secret.copy())
    }

    private init(checked handle: UInt16, _ secret: consuming SecretBytes) {
        self.handle = handle
        self.secret = secret
    }

    /// Returns the text for the user, `XXXX-XXXX-XXXX` in ASCII.
    package borrowing func formatted() -> SecretBytes {
        let symbols = symbols()
        return symbols.withBytes { span in
            SecretBytes(count: Self.length + 2) { text in
                for index in 0..<Self.length { text[index + index / 4] = Self.alphabet[Int(span[index])] }
                text[4] = UInt8(ascii: "-")
                text[9] = UInt8(ascii: "-")
            }
        }
    }

    /// Returns the twelve symbols as numbers below 32.
    private borrowing func symbols() -> SecretBytes {
        SecretBytes(count: Self.length) { symbols in
            for index in 0..<3 { symbols[index] = UInt8(truncatingIfNeeded: handle >> UInt16(10 - 5 * index)) & 31 }
            secret.withBytes { span in
                for index in span.indices { symbols[index + 3] = Self.symbol(span[index]) ?? 0 }
            }
            symbols[Self.length - 1] = Self.checkSymbol(over: symbols.span)
        }
    }
}

/// The error for a text that is not an ``ActivationPassword``. It contains no character of the text.
package struct ActivationPasswordError: CodedError, Sendable {
    /// The fault of a text that is not an activation password.
    package enum Code: String, Sendable, Hashable, CustomStringConvertible {
        /// The text, without its spaces and hyphens, does not have twelve characters.
        case wrongLength
        /// A character is not part of the alphabet; see ``ActivationPasswordError/position``.
        case invalidCharacter
        /// The last character does not fit the others. The text has a typing error.
        case wrongCheckCharacter

        /// The name of the code.
        package var description: String { rawValue }
    }

    /// The fault of the text.
    package let code: Code

    /// The place of the invalid character in the text, counted from 1; `nil` for the other codes.
    package let position: Int?

    /// The place in the source where the text was refused.
    package let location: SourceLocation

    /// The code in words.
    package var message: String {
        switch code {
        case .wrongLength: "an activation password has twelve characters"
        case .invalidCharacter: "a character is not part of an activation password"
        case .wrongCheckCharacter: "the activation password has a typing error"
        }
    }

    init(_ code: Code, position: Int? = nil, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        self.position = position
        location = SourceLocation(fileID: fileID, line: line)
    }
}
