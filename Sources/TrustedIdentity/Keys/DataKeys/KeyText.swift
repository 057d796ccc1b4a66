internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The text form of a key in a file: 64 hexadecimal digits, in lower case, and a line feed.
enum KeyText {
    /// Returns the text of a key of 32 bytes.
    ///
    /// - Parameter prefix: The bytes before the digits.
    static func encode(_ key: SymmetricKey, after prefix: [UInt8] = []) -> SecretBytes {
        let digits = Array("0123456789abcdef".utf8)
        return key.withSpan { key in
            SecretBytes(count: prefix.count + 2 * key.count + 1) { text in
                for index in prefix.indices { text[index] = prefix[index] }
                for index in key.indices {
                    text[prefix.count + 2 * index] = digits[Int(key[index] >> 4)]
                    text[prefix.count + 2 * index + 1] = digits[Int(key[index] & 15)]
                }
                text[prefix.count + 2 * key.count] = UInt8(ascii: "\n")
            }
        }
    }

    /// Reads 64 digits, with or without a line feed after them; `nil` for anything else.
    static func decode(_ text: Span<UInt8>) -> SecretBytes? {
        guard text.count == 64 || text.count == 65 && text[64] == UInt8(ascii: "\n") else { return nil }
        var isText = true
        let bytes = SecretBytes(count: 32) { bytes in
            for index in bytes.indices {
                guard let high = digit(text[2 * index]), let low = digit(text[2 * index + 1]) else {
                    isText = false
                    return
                }
                bytes[index] = high << 4 | low
            }
        }
        guard isText else { return nil }
        return .some(consume bytes)
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
