internal import Synchronization

/// The keys of a running platform, which rotation replaces as a whole.
final class PlatformKeyRing: Sendable {
    private let current: Mutex<PlatformKeys>

    init(_ keys: PlatformKeys) { current = Mutex(keys) }

    /// The keys at this moment. A decision reads them once.
    var keys: PlatformKeys { current.withLock { $0 } }

    /// Replaces the keys by a later state. An earlier one, of a transaction that another one overtook, is ignored: it
    /// could contain a key that was erased meanwhile.
    func replace(by keys: PlatformKeys) {
        current.withLock { current in
            if keys.stateNumber >= current.stateNumber { current = keys }
        }
    }
}

extension Platform {
    /// The keys at this moment.
    var keys: PlatformKeys { keyRing.keys }
}
