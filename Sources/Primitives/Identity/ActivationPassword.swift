/// The activation password: twelve characters of Crockford's base32, written `XXXX-XXXX-XXXX`.
///
/// Characters 1 to 3 are the handle, which names the code among those of its user and is no secret; 4 to 11 are the
/// secret, 40 bits; 12 is a check character over the others, so that a typing error is caught on the device and costs
/// no try. See ``ActivationPassword/checkSymbol(over:)`` for what it catches.
package struct ActivationPassword: ~Copyable, Sendable {
    /// The number of the code, 15 bits.
    package let handle: UInt16

    /// The eight secret characters in canonical form, ASCII, upper case: the password of the key exchange.
    package let secret: SecretBytes

    /// Reads what a person typed.
    ///
    /// - Parameter typed: ASCII. Case, spaces and hyphens do not matter; I and L are read as 1, O as 0.
    package init(parsing typed: borrowing SecretBytes) throws(ActivationPasswordError) {
        let symbols = try SecretBytes(count: Self.length) { symbols throws(ActivationPasswordError) in
            try typed.withBytes { span throws(ActivationPasswordError) in try Self.read(span, into: &symbols) }
        }
        let (handle, isRight) = symbols.withBytes { span in
            (Self.handle(in: span), Self.checkSymbol(over: span) == span[Self.length - 1])
        }
        guard isRight else { throw .wrongCheckCharacter }
        self.handle = handle
        self.secret = Self.secret(in: symbols)
    }

    /// Reads what a person typed.
    package init(parsing typed: some StringProtocol) throws(ActivationPasswordError) {
        try self.init(parsing: SecretBytes(copying: typed.utf8))
    }

    /// Makes a code for a handle that the caller has chosen.
    ///
    /// - Parameters:
    ///   - handle: below 2^15.
    ///   - random: gives the 40 bits of the secret.
    package static func make(handle: UInt16, random: any RandomSource) -> ActivationPassword {
        precondition(handle < 1 << 15, "a handle has 15 bits")
        // 256 is a multiple of 32: five bits of a uniform byte are uniform.
        let bytes = random.secret(secretLength)
        let secret = bytes.withBytes { span in
            SecretBytes(count: secretLength) { characters in
                for index in span.indices { characters[index] = alphabet[Int(span[index] & 31)] }
            }
        }
        return ActivationPassword(checked: handle, secret)
    }

    /// Makes a code with a random handle.
    package static func make(random: any RandomSource) -> ActivationPassword {
        let bytes = random.bytes(2)
        return make(handle: (UInt16(bytes[0]) << 8 | UInt16(bytes[1])) & 0x7FFF, random: random)
    }

    /// A code from its parts, as the platform keeps them.
    ///
    /// - Returns: nil when the parts are not those of a code.
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

    /// The code as it is handed to the user, `XXXX-XXXX-XXXX` in ASCII.
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

    /// All twelve symbols as numbers below 32.
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
