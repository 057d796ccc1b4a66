internal import Primitives

extension MasterKeyRing {
    /// Finds the keys that a store needs.
    ///
    /// The row about the platform names them. It is not verified here: a platform verifies it with these keys.
    ///
    /// - Parameters:
    ///   - masterKey: The master key of the caller, which a new store takes.
    ///   - others: Further keys of the caller.
    /// - Returns: The keys and what the store has kept of earlier ones; nil where it has kept nothing.
    /// - Throws: ``PlatformError`` with `wrongTenant`; `wrongMasterKey`, above a ``MissingMasterKey``, when the caller
    ///   lacks a key.
    static func open(
        _ store: some PlatformStore, tenant: String, masterKey: MasterKey, others: [MasterKey],
        random: any RandomSource
    ) async throws -> (ring: MasterKeyRing, retained: RetainedKeys?) {
        let (state, sealedUnder) = try await PlatformError.mapping {
            try await store.read { store in
                (try store.platformState(), try store.platformKeys().lazy.compactMap(\.privateKey?.keyID).first)
            }
        }
        guard state.map({ $0.tenant == tenant }) ?? true else { throw PlatformError(.wrongTenant) }
        let known = [masterKey] + others
        func entry(_ id: String) throws -> Entry {
            guard let key = known.first(where: { $0.id == id }) else {
                throw PlatformError(.wrongMasterKey, underlying: MissingMasterKey(id: id))
            }
            return Entry(key)
        }
        var keys = Keys(current: try entry(state?.masterKeyID ?? sealedUnder ?? masterKey.id))
        keys.previous = try state?.previousMasterKeyID.map(entry)
        let ring = MasterKeyRing(keys, known: known)
        let sealer = RowSealer(tenant: tenant, ring: ring, random: random)
        guard let retained = try state?.retainedKeys.map({ try RetainedKeys($0, sealer: sealer) }) else {
            return (ring, nil)
        }
        return (ring, retained)
    }
}
