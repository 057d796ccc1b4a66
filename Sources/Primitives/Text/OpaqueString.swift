/// The form in which passwords are compared: the profile OpaqueString (RFC 8265, section 4.2.2). Keyboards and systems
/// encode the same text in different ways.
package enum OpaqueString {
    /// Returns a text in normalization form C, with U+0020 for each other space. Case and width do not change.
    package static func of(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        var scalars = String.UnicodeScalarView()
        scalars.append(
            contentsOf: text.unicodeScalars.lazy.map { $0.properties.generalCategory == .spaceSeparator ? " " : $0 })
        return NormalizationFormC.of(String(scalars))
    }

    /// Returns a secret in the form. A secret that is not UTF-8 is returned unchanged.
    ///
    /// ASCII is already in the form. Another text is copied into a `String`, which cannot be wiped.
    package static func of(_ secret: consuming SecretBytes) -> SecretBytes {
        let isASCII = secret.withBytes { span in span.indices.allSatisfy { span[$0] < 0x80 } }
        guard !isASCII else { return secret }
        var bytes = secret.withBytes { span in span.indices.map { span[$0] } }
        defer { bytes.wipe() }
        guard let text = String(validating: bytes, as: UTF8.self) else { return secret }
        return SecretBytes(copying: of(text).utf8)
    }
}

/// A code, a number or a challenge, as typed or pasted.
package enum TypedDigits {
    /// Returns a text without white space and invisible characters, and with the digits of other scripts, such as
    /// full-width ones, replaced by ASCII digits. Other characters do not change.
    package static func of(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x21..<0x80).contains($0) }) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let properties = scalar.properties
            guard !properties.isWhitespace, !properties.isDefaultIgnorableCodePoint else { continue }
            let isDigit = properties.numericType == .decimal
            let value = isDigit ? properties.numericValue.flatMap { Unicode.Scalar(0x30 + UInt32($0)) } : nil
            scalars.append(value ?? scalar)
        }
        return String(scalars)
    }
}
