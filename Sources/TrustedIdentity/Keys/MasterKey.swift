internal import Crypto
public import Primitives

/// The key outside the store under which everything secret in it is sealed.
///
/// Whoever has the store and the master key has every secret of every user. Keep it in a file of mode 0600 or in the
/// environment of the process, back it up apart from the store, and never lose it.
public struct MasterKey: Sendable, Redacted {
    /// What sealed rows name the key by: 1…32 of ASCII letters, digits, `.`, `_` and `-`.
    public let id: String

    let key: SymmetricKey

    /// Takes a key.
    ///
    /// - Parameters:
    ///   - id: a name that no other master key of this store ever had.
    ///   - bytes: 32 random bytes.
    /// - Throws: ``PlatformError`` with `wrongMasterKey` when the name or the length is not as described.
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
        // swift-crypto wipes its own copy; the array in between is short-lived and unreachable when this returns.
        key = bytes.withBytes { span in SymmetricKey(data: span.indices.map { span[$0] }) }
    }

    /// Makes a new key.
    ///
    /// - Parameters:
    ///   - id: a name that no other master key of this store ever had.
    ///   - random: where the 32 bytes come from.
    /// - Throws: ``PlatformError`` with `wrongMasterKey` when the name is not as described.
    public static func make(
        id: String, random: any RandomSource = SystemRandomSource()
    ) throws(PlatformError) -> MasterKey {
        try MasterKey(id: id, bytes: SecretBytes(copying: random.bytes(32)))
    }

    /// Reads the text that ``encoded()`` wrote, a line feed at its end allowed.
    ///
    /// - Parameter text: `id:` and 64 hexadecimal digits.
    /// - Throws: ``PlatformError`` with `wrongMasterKey` for anything else.
    public init(encoded text: borrowing SecretBytes) throws(PlatformError) {
        let parsed: (id: String, bytes: [UInt8])? = text.withBytes { span in
            guard let colon = span.indices.first(where: { span[$0] == UInt8(ascii: ":") }) else { return nil }
            var end = span.count
            if end > 0, span[end - 1] == UInt8(ascii: "\n") { end -= 1 }
            guard end - colon - 1 == 64 else { return nil }
            var bytes: [UInt8] = []
            for index in stride(from: colon + 1, to: end, by: 2) {
                guard let high = Self.digit(span[index]), let low = Self.digit(span[index + 1]) else { return nil }
                bytes.append(high << 4 | low)
            }
            let id = String(decoding: (0..<colon).map { span[$0] }, as: UTF8.self)
            return (id, bytes)
        }
        guard let parsed else { throw .init(.wrongMasterKey) }
        try self.init(id: parsed.id, bytes: SecretBytes(copying: parsed.bytes))
    }

    /// The key as text, for the file that keeps it: the id, a colon, 64 hexadecimal digits, a line feed.
    public func encoded() -> SecretBytes {
        let digits = Array("0123456789abcdef".utf8)
        let hex: [UInt8] = unsafe key.withUnsafeBytes { bytes in
            unsafe bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        }
        return SecretBytes(copying: Array(id.utf8) + [UInt8(ascii: ":")] + hex + [UInt8(ascii: "\n")])
    }

    /// The id alone.
    public var description: String { "master key \(id)" }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
