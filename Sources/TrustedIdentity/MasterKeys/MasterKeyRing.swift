internal import Crypto
internal import Primitives
internal import SecureChannel
internal import Synchronization

/// The master keys of a running platform: the present one, and the earlier one while rows of the store may still need
/// it.
///
/// A ``RowSealer`` and a ``RowAuthenticator`` look the keys up at each use and keep none: a row that another task has
/// renewed meanwhile is read with the key that it has now.
final class MasterKeyRing: Sendable {
    /// A master key with the keys that are derived from it once.
    final class Entry: Sendable {
        let key: MasterKey
        /// The key after HKDF-Extract, from which the key of each sealed value is expanded.
        let sealing: SecretBox<PreparedMAC>
        /// The key of the HMACs of rows.
        let authentication: SecretBox<PreparedMAC>

        init(_ key: MasterKey) {
            self.key = key
            sealing = SecretBox(KeyDerivation<SHA256>.extracted(key.key))
            authentication = SecretBox(PreparedMAC(key.rowAuthenticationKey))
        }
    }

    /// The keys at one moment.
    struct Keys: Sendable {
        var current: Entry
        /// The earlier key: from the beginning of a replacement until no request can hold a row that needs it.
        var previous: Entry?
    }

    /// The keys that the platform was given when it was opened, some of which may be in no use.
    private let given: [MasterKey]
    private let keys: Mutex<Keys>

    /// Creates the ring of a store whose master key was never replaced.
    convenience init(_ key: MasterKey) { self.init(Keys(current: Entry(key)), known: [key]) }

    init(_ keys: Keys, known: [MasterKey]) {
        self.keys = Mutex(keys)
        given = known
    }

    /// All keys that the platform has, some of which may be in no use.
    var known: [MasterKey] { [current.key] + given.filter { $0.id != current.key.id } }

    /// The keys at this moment.
    var present: Keys { keys.withLock { $0 } }

    /// The key that seals and authenticates at this moment.
    var current: Entry { keys.withLock { $0.current } }

    /// Returns the key that a sealed value names; `nil` when it is no key of this store any more.
    func entry(_ id: String) -> Entry? {
        let keys = present
        if keys.current.key.id == id { return keys.current }
        return keys.previous.flatMap { $0.key.id == id ? $0 : nil }
    }

    /// Replaces the keys as a whole.
    func replace(by new: Keys) { keys.withLock { $0 = new } }

    /// Removes the earlier key.
    func removePrevious() { keys.withLock { $0.previous = nil } }
}

extension MasterKey {
    /// The key of the HMACs of rows.
    var rowAuthenticationKey: SymmetricKey { KeyDerivation<SHA256>.deriveKey(key, as: .rowAuthentication) }
}
