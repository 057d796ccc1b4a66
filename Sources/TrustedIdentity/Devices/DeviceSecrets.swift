internal import Crypto
internal import Primitives
internal import SecureChannel

/// The keys of a device that do not move: as they lie, sealed, in its row.
struct DeviceSecrets: Sendable {
    /// K₁, the password instance's secret.
    let password: SymmetricKey
    /// K₂n, the secret of the possession instance.
    let possession: SymmetricKey
    /// The channel's pre-shared key.
    let channel: SymmetricKey

    init(password: SymmetricKey, possession: SymmetricKey, channel: SymmetricKey) {
        self.password = password
        self.possession = possession
        self.channel = channel
    }

    init(decoding bytes: borrowing SecretBytes) throws {
        let keys = try SymmetricKey.parts(of: bytes, count: 3)
        self.init(password: keys[0], possession: keys[1], channel: keys[2])
    }

    func encoded() -> SecretBytes { SymmetricKey.joined([password, possession, channel]) }
}

/// The keys of a device's key ratchet that the platform still needs.
struct DeviceRatchet: Sendable {
    /// D at the confirmed index.
    let confirmed: SymmetricKey
    /// D at the index before; the confirmed one again when there is none.
    let previous: SymmetricKey

    init(confirmed: SymmetricKey, previous: SymmetricKey) {
        self.confirmed = confirmed
        self.previous = previous
    }

    init(decoding bytes: borrowing SecretBytes) throws {
        let keys = try SymmetricKey.parts(of: bytes, count: 2)
        self.init(confirmed: keys[0], previous: keys[1])
    }

    func encoded() -> SecretBytes { SymmetricKey.joined([confirmed, previous]) }

    /// D at an index that ``RatchetState`` accepted: the one before, the confirmed one, or any later one.
    func key(at index: UInt64, confirmed state: UInt64) throws -> SymmetricKey {
        if index < state { return previous }
        return try KeyRatchet.advance(confirmed, from: state, to: index, limit: RatchetState.longestRoll)
    }

    /// The ratchet once an index is confirmed.
    func promoted(to index: UInt64, from state: UInt64) throws -> DeviceRatchet {
        let before = try key(at: index - 1, confirmed: state)
        return DeviceRatchet(confirmed: KeyRatchet.next(before, to: index), previous: before)
    }
}

extension SymmetricKey {
    /// 32-byte keys, one after the other.
    fileprivate static func joined(_ keys: [SymmetricKey]) -> SecretBytes {
        SecretBytes(count: keys.count * 32) { span in
            for (position, key) in keys.enumerated() {
                key.withSpan { bytes in
                    for index in bytes.indices { span[position * 32 + index] = bytes[index] }
                }
            }
        }
    }

    fileprivate static func parts(of bytes: borrowing SecretBytes, count: Int) throws -> [SymmetricKey] {
        guard bytes.count == count * 32 else { throw PlatformError(.wrongMasterKey) }
        return bytes.withBytes { span in
            (0..<count).map { SymmetricKey(copying: span.extracting($0 * 32..<($0 + 1) * 32)) }
        }
    }
}
