internal import Primitives

/// How often a code was tried in vain on this device.
///
/// Whoever answers in the platform's place gets one guess of the code a run, so a code is good for three runs that end
/// with a wrong tag, whichever processes they run in. Runs that end otherwise give away nothing and are not counted
/// (PROTOCOL §2). Runs of one code that several processes start at the same moment may all begin before the first of
/// them is counted. The count stands in the store under a name of its own, because there is no record of the user yet, and
/// not sealed, because there is no device key yet: it holds nothing that did not go over the network in the clear.
struct ActivationAttempts: Sendable {
    static let limit: UInt64 = 3

    let vault: Vault
    let time: any TimeSource

    /// Whether the code may be tried.
    ///
    /// - Throws: what the store throws.
    func permits(handle: UInt16, of account: AccountName) async throws -> Bool {
        let tries = try await vault.store.read(name(for: account)).flatMap(ActivationTries.init)
        guard let tries, tries.count(of: handle, at: time.now()) else { return true }
        return tries.number < Self.limit
    }

    /// Counts a run that ended with a wrong tag, durably.
    ///
    /// - Throws: what the store throws; then the run is not counted, and must not end as if it were.
    func count(handle: UInt16, of account: AccountName) async throws {
        let now = time.now()
        try await vault.store.update(name(for: account)) { current in
            let before = current.flatMap(ActivationTries.init)
            let number = before.map { $0.count(of: handle, at: now) ? $0.number : 0 } ?? 0
            return (.replace(ActivationTries(handle: handle, number: number + 1, last: now).encoded), ())
        }
        try? await removeOutdated(at: now)
    }

    /// Removes what stands about an account whose activation is finished.
    func forget(_ account: AccountName) async throws {
        guard try await vault.store.read(name(for: account)) != nil else { return }
        try await vault.store.update(name(for: account)) { _ in (.delete, ()) }
    }

    /// Removes what nobody needs any more, of other accounts, too.
    private func removeOutdated(at now: Timestamp) async throws {
        for name in try await vault.store.names() where name.text.hasPrefix(Self.prefix) {
            let isOutdated: @Sendable ([UInt8]?) -> Bool = { bytes in
                bytes.flatMap(ActivationTries.init).map { !$0.areRecent(at: now) } ?? false
            }
            guard isOutdated(try await vault.store.read(name)) else { continue }
            try await vault.store.update(name) { (isOutdated($0) ? .delete : .keep, ()) }
        }
    }

    /// The name of the account's record, with another beginning.
    private func name(for account: AccountName) -> StoreName {
        let record = vault.name(for: account)
        return StoreName(Self.prefix + record.text.dropFirst(Vault.prefix.count)) ?? record
    }

    private static let prefix = "tries-"
}
