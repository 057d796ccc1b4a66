import OneTimePassword
import OrchestrationProtocol
import Primitives

extension FuzzedDecoder {
    /// Text forms of bytes, names and codes.
    static let text: [FuzzedDecoder] = [
        text("hex") { text in
            guard let bytes = try? Hex.decode(text) else { return false }
            promise(Hex.encode(bytes) == text.lowercased(), "hexadecimal has one text, but for the case")
            return true
        },
        text("base32") { text in
            guard let bytes = try? Base32.decode(text) else { return false }
            promise(
                Base32.encode(bytes, padded: text.hasSuffix("=")) == text, "Base32 has one text, but for the padding")
            return true
        },
        text("base32-any-case") { text in
            guard let bytes = try? Base32.decode(text, anyCase: true) else { return false }
            promise(
                Base32.encode(bytes, padded: text.hasSuffix("=")) == text.uppercased(),
                "Base32 has one text, but for padding and case")
            return true
        },
        text("base45") { text in
            guard let bytes = try? Base45.decode(text) else { return false }
            promise(Base45.encode(bytes) == text, "Base45 has one text")
            return true
        },
        text("base64url") { text in
            guard let bytes = try? Base64URL.decode(text) else { return false }
            promise(Base64URL.encode(bytes) == text, "Base64URL has one text")
            return true
        },
        text("command-text") { text in
            guard let command = try? OrchestrationCommand(text: text) else { return false }
            promise((try? OrchestrationCommand(text: command.text)) == command, "a command is read as it is written")
            promise(command.text == text || Hex.encode(command.bytes) == text.lowercased(), "a command has one text")
            return true
        },
        text("command-qr") { text in
            guard let command = try? OrchestrationCommand(qrText: text) else { return false }
            promise(command.qrText == text, "a command has one text in a QR code")
            return true
        },
        FuzzedDecoder(name: "activation-password") { bytes in
            guard let code = try? ActivationPassword(parsing: SecretBytes(copying: bytes)) else { return false }
            let written = code.formatted()
            guard let again = try? ActivationPassword(parsing: written) else {
                fatalError("a code is read as it is written")
            }
            promise(again.handle == code.handle && again.formatted().array == written.array, "a code has one form")
            return true
        },
        text("account-name") { text in
            guard let name = try? AccountName(text: text, defaultDomain: "master") else { return false }
            promise((try? AccountName(text: name.text, defaultDomain: "other")) == name, "a name has one spelling")
            promise(name.text.utf8.count <= 193, "a name is bounded")
            return true
        },
        text("amount") { text in
            guard let amount = try? Amount(text) else { return false }
            promise(amount.text == text && text.utf8.count <= 19, "an amount is its text, and is bounded")
            guard let currency = try? Currency("EUR"), amount.decimalPlaces <= 2, text.utf8.count < 17 else {
                return true
            }
            promise(amount.minorUnits(of: currency) != nil, "an amount of euros has cents")
            return true
        },
        text("currency") { text in (try? Currency(text))?.code == text },
        text("iban") { text in
            guard let account = try? IBAN(text) else { return false }
            promise(account.text == text && (15...34).contains(text.utf8.count), "an IBAN is its text, and is bounded")
            return true
        },
        text("display-text") { text in
            guard let display = try? DisplayData([.text(text)]) else { return false }
            promise(display.fields == [.text(text)], "a text is shown as it is")
            return true
        },
    ]

    /// The formats that authenticator apps read.
    static let credentials: [FuzzedDecoder] = [
        FuzzedDecoder(name: "otpauth") { bytes in
            guard let credential = try? OneTimePasswordCredential(uri: SecretBytes(copying: bytes)) else {
                return false
            }
            let uri = credential.uri()
            guard let again = try? OneTimePasswordCredential(uri: uri) else {
                fatalError("a URI is read as it is written")
            }
            promise(again.uri() == uri, "a credential has one URI")
            promise(
                again.kind == credential.kind && again.digits == credential.digits
                    && again.algorithm == credential.algorithm && again.account == credential.account
                    && again.issuer == credential.issuer && again.secret.array == credential.secret.array,
                "nothing of a credential is lost in its URI")
            return true
        },
        text("ocra-suite") { text in
            guard let suite = try? OCRA.Suite(text) else { return false }
            promise((try? OCRA.Suite(suite.text)) == suite, "a suite is read as it is written")
            return true
        },
        FuzzedDecoder(name: "key-text") { bytes in
            var isAccepted = false
            for format in OneTimePasswordKey.TextFormat.allCases {
                if (try? OneTimePasswordKey(text: SecretBytes(copying: bytes), format: format, algorithm: .sha1)) != nil
                {
                    isAccepted = true
                }
            }
            return isAccepted
        },
    ]

    /// A decoder of text. Bytes that are not UTF-8 become the replacement character.
    private static func text(_ name: String, _ decode: @escaping @Sendable (String) -> Bool) -> FuzzedDecoder {
        FuzzedDecoder(name: name) { decode(String(decoding: $0, as: UTF8.self)) }
    }
}
