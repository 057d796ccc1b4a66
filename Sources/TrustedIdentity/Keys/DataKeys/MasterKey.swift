internal import Crypto
internal import OrchestrationProtocol
public import Primitives

/// The key outside the store that wraps the keys of its rows.
///
/// The store and the master key together reveal every secret of every user. Keep the key in a file of mode 0600 or in
/// the environment of the process, and back it up apart from the store. Without it, every device is lost.
public struct MasterKey: Sendable, Redacted {
    /// The id by which the store names the key: 1 to 32 ASCII letters, digits, `.`, `_` and `-`.
    public let id: String

    let key: SymmetricKey

    /// Creates a key from bytes.
    ///
    /// - Parameters:
    ///   - id: An id that no other master key of this store ever had.
    ///   - bytes: 32 random bytes.
    /// - Throws: ``PlatformError`` with `wrongMasterKey` for another form of id or another length.
    public init(id: String, bytes: borrowing SecretBytes) throws(PlatformError) {
        guard id.isPlainID(lengths: 1...32), bytes.count == 32 else { throw .init(.wrongMasterKey) }
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
        guard let bytes = text.withBytes({ KeyText.decode($0.extracting((colon + 1)...)) }) else {
            throw .init(.wrongMasterKey)
        }
        try self.init(id: id, bytes: bytes)
    }

    /// Returns the text for a file with the key: the id, a colon, 64 hexadecimal digits and a line feed.
    public func encoded() -> SecretBytes {
        KeyText.encode(key, after: Array(id.utf8) + [UInt8(ascii: ":")])
    }

    /// The words "master key" and the id.
    public var description: String { "master key \(id)" }
}
