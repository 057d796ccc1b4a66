internal import Logging
internal import Synchronization

/// The keys of a running platform, which rotation replaces as a whole.
final class PlatformKeyRing: Sendable {
    private let current: Mutex<PlatformKeys>

    init(_ keys: PlatformKeys) { current = Mutex(keys) }

    /// The keys at this moment. A decision reads them once.
    var keys: PlatformKeys { current.withLock { $0 } }

    /// Replaces the keys by a later state. An earlier state, from a transaction that another one overtook, is ignored:
    /// it could contain a key that was erased meanwhile.
    func replace(by keys: PlatformKeys) {
        current.withLock { current in
            if keys.stateNumber >= current.stateNumber { current = keys }
        }
    }
}

extension Platform {
    /// The keys at this moment.
    var keys: PlatformKeys { keyRing.keys }

    /// Loads the keys again when another process has changed them. ``Maintenance`` calls it every 2 seconds. A request
    /// that is sealed to an unknown key also causes a call.
    ///
    /// - Throws: ``PlatformError`` as the opening of a platform does; `CancellationError`.
    func reloadKeys() async throws {
        let known = keys.stateNumber
        let rows = try await read { store -> ([PlatformKeyRecord], [KeyStatementRecord])? in
            guard try store.platformKeysNumber() > known else { return nil }
            return (try store.platformKeys(), try store.keyStatements(after: 0))
        }
        guard let rows else { return }
        keyRing.replace(by: try await PlatformError.mapping { try PlatformKeys(rows.0, rows.1, sealer: sealer) })
        logger.notice("keys of the platform were loaded again: another process has changed them")
    }
}
