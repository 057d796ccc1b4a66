internal import Crypto
internal import Primitives
internal import SecureChannel
internal import Wire

/// What a platform keeps of its earlier master keys: keys that were derived from them and that cannot be replaced.
///
/// It is one sealed value in the row about the platform. A replacement of the master key seals it again.
struct RetainedKeys: Sendable {
    private static let version: UInt64 = 1
    private static let row = Array("retained-keys".utf8)

    /// The keys of the ``KeyedHashes``.
    var hashes: KeyedHashes
    /// The change key of a platform that was opened without one, which is derived from the first master key.
    var changeKey: ChangeKey?
    /// The ids of the earlier master keys, the earliest first. None of them is taken again.
    var earlierIDs: [String]

    /// Opens the value of a row.
    ///
    /// - Throws: ``PlatformError`` with `wrongMasterKey`.
    init(_ value: SealedValue, sealer: RowSealer) throws {
        let secret = try sealer.open(value, .retainedKeys, row: Self.row)
        do {
            var bytes = secret.withBytes { [UInt8]($0) }
            defer { bytes.wipe() }
            var reader = CBORReader(bytes)
            try reader.readArray(count: 4)
            guard try reader.readUnsigned() == Self.version else { throw WireError(.unsupportedVersion) }
            hashes = KeyedHashes(
                keys: try SymmetricKey.parts(
                    of: SecretBytes(copying: reader.readBytes(count: 32 * KeyedHashes.keyCount)),
                    count: KeyedHashes.keyCount))
            changeKey =
                try reader.readIfNull()
                ? nil : try ChangeKey(bytes: SecretBytes(copying: reader.readBytes(count: 32)))
            earlierIDs = []
            for _ in 0..<(try reader.readArray()) { earlierIDs.append(try reader.readText(maximumBytes: 32)) }
            try reader.finish()
        } catch {
            throw PlatformError(.wrongMasterKey, underlying: error)
        }
    }

    init(hashes: KeyedHashes, changeKey: ChangeKey?, earlierIDs: [String]) {
        self.hashes = hashes
        self.changeKey = changeKey
        self.earlierIDs = earlierIDs
    }

    /// Seals the keys under the present master key.
    func sealed(by sealer: RowSealer) throws -> SealedValue {
        var writer = CBORWriter(capacity: 256 + 40 * earlierIDs.count)
        writer.array(4)
        writer.unsigned(Self.version)
        SymmetricKey.joined(hashes.keys).withBytes { writer.bytes($0) }
        if let changeKey { changeKey.key.withSpan { writer.bytes($0) } } else { writer.null() }
        writer.array(earlierIDs.count)
        for id in earlierIDs { writer.text(id) }
        var bytes = writer.finish()
        return try sealer.seal(
            SecretBytes(wiping: &bytes), .retainedKeys, row: Self.row, revision: Int64(earlierIDs.count))
    }
}
