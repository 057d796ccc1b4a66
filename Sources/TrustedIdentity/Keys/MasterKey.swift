internal import Crypto
public import Primitives
internal import SecureChannel

/// The key outside the store that seals every secret column in it.
///
/// The store and the master key together reveal every secret of every user. Keep the key in a file of mode 0600 or in
/// the environment of the process, and back it up apart from the store. Without it, every device is lost.
public struct MasterKey: Sendable, Redacted {
    /// The id by which sealed rows name the key: 1 to 32 ASCII letters, digits, `.`, `_` and `-`.
    public let id: String

    let key: SymmetricKey

    /// Creates a key from bytes.
    ///
    /// - Parameters:
    ///   - id: An id that no other master key of this store ever had.
    ///   - bytes: 32 random bytes.
    /// - Throws: ``PlatformError`` with `wrongMasterKey` for another form of id or another length.
    public init(id: String, bytes: borrowing SecretBytes) throws(PlatformError) {
        let isAllowed = id.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isAllowed, (1...32).contains(id.utf8.count), bytes.count == 32 else { throw .init(.wrongMasterKey) }
        self.id = id
        key = SymmetricKey(bytes)
    }

    /// Creates a random key.
    ///
    /// - Parameters:
    ///   - id: An id that no other master key of this store ever had.
    ///   - random: The source of the 32 bytes.
    /// - Throws: ``PlatformError`` with `wrongMasterKey` for another form of id.
    public static func make(
        id: String, random: any RandomSource = SystemRandomSource()
    ) throws(PlatformError) -> MasterKey {
        try MasterKey(id: id, bytes: random.secret(32))
    }

    /// Creates a key from the text that ``encoded()`` returns, with or without the line feed at its end.
    ///
    /// - Parameter text: The id, a colon and 64 hexadecimal digits.
    /// - Throws: ``PlatformError`` with `wrongMasterKey` for anything else.
    public init(encoded text: borrowing SecretBytes) throws(PlatformError) {
        let colon = text.withBytes { span in span.indices.first { span[$0] == UInt8(ascii: ":") } }
        guard let colon else { throw .init(.wrongMasterKey) }
        let id = text.withBytes { String(decoding: [UInt8]($0.extracting(..<colon)), as: UTF8.self) }
        let bytes = try text.withBytes { span throws(PlatformError) in
            try Self.bytes(of: span.extracting((colon + 1)...))
        }
        try self.init(id: id, bytes: bytes)
    }

    /// Returns the text for a file with the key: the id, a colon, 64 hexadecimal digits and a line feed.
    public func encoded() -> SecretBytes {
        let digits = Array("0123456789abcdef".utf8)
        let id = Array(id.utf8) + [UInt8(ascii: ":")]
        return key.withSpan { key in
            SecretBytes(count: id.count + 2 * key.count + 1) { text in
                for index in id.indices { text[index] = id[index] }
                for index in key.indices {
                    text[id.count + 2 * index] = digits[Int(key[index] >> 4)]
                    text[id.count + 2 * index + 1] = digits[Int(key[index] & 15)]
                }
                text[id.count + 2 * key.count] = UInt8(ascii: "\n")
            }
        }
    }

    /// The words "master key" and the id.
    public var description: String { "master key \(id)" }

    /// Reads 64 digits, with or without a line feed after them.
    private static func bytes(of text: Span<UInt8>) throws(PlatformError) -> SecretBytes {
        guard text.count == 64 || text.count == 65 && text[64] == UInt8(ascii: "\n") else {
            throw .init(.wrongMasterKey)
        }
        return try SecretBytes(count: 32) { bytes throws(PlatformError) in
            for index in bytes.indices {
                guard let high = digit(text[2 * index]), let low = digit(text[2 * index + 1]) else {
                    throw .init(.wrongMasterKey)
                }
                bytes[index] = high << 4 | low
            }
        }
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
