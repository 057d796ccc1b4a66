internal import OrchestrationProtocol
internal import Primitives

/// The failed attempts with the latest activation password, in the store.
///
/// An attacker that acts as the platform gets one guess of the activation password in each run. An activation password
/// is therefore limited to three runs that end with a wrong tag of the platform, regardless of the processes that they
/// run in. Other runs reveal nothing and are not counted. Runs that several processes start at the same moment may all
/// begin before the first of them is counted.
///
/// The record has a separate store name, because there is no record of the user yet. It is not sealed, because there is
/// no device key yet. Its content was sent over the network in the clear anyway.
struct FailedAttempts: Sendable {
    static let limit: UInt64 = 3

    let environment: FlowEnvironment

    private var store: any SecureStore { environment.vault.store }

    /// Returns whether the activation password with a handle may be tried.
    ///
    /// - Throws: The errors of the store.
    func permit(handle: UInt16, of account: AccountName) async throws -> Bool {
        let record = try await store.read(name(for: account)).flatMap(FailedAttemptRecord.init)
        guard let record, record.counts(handle, at: environment.time.now()) else { return true }
        return record.number < Self.limit
    }

    /// Counts a run that ended with a wrong tag, durably.
    ///
    /// - Throws: The errors of the store. The run is then not counted, and must not end as if it were counted.
    func count(handle: UInt16, of account: AccountName) async throws {
        let now = environment.time.now()
        try await store.update(name(for: account)) { current in
            let before = current.flatMap(FailedAttemptRecord.init)
            let number = before.map { $0.counts(handle, at: now) ? $0.number : 0 } ?? 0
            return (.replace(FailedAttemptRecord(handle: handle, number: number + 1, last: now).encoded), ())
        }
        // The count is stored. An outdated record that remains is harmless, and the next count removes it.
        try? await removeOutdated(at: now)
    }

    /// Removes the record of an account whose activation is complete.
    func remove(of account: AccountName) async throws {
        guard try await store.read(name(for: account)) != nil else { return }
        try await store.update(name(for: account)) { _ in (.delete, ()) }
    }

    /// Removes the outdated records of all accounts.
    private func removeOutdated(at now: Timestamp) async throws {
        for name in try await store.names() where name.text.hasPrefix(Self.prefix) {
            let isOutdated: @Sendable ([UInt8]?) -> Bool = { bytes in
                bytes.flatMap(FailedAttemptRecord.init).map { !$0.isRecent(at: now) } ?? false
            }
            guard isOutdated(try await store.read(name)) else { continue }
            try await store.update(name) { (isOutdated($0) ? .delete : .keep, ()) }
        }
    }

    /// Returns the name of the account's user record with another prefix.
    private func name(for account: AccountName) -> StoreName {
        let record = environment.vault.name(for: account)
        guard let name = StoreName(Self.prefix + record.text.dropFirst(Vault.prefix.count)) else {
            preconditionFailure("name(for:): hex digits make a name")
        }
        return name
    }

    private static let prefix = "tries-"
}

/// The stored count of failed attempts: CBOR `[1, handle, number, time of the last]`.
package struct FailedAttemptRecord: Sendable, Hashable {
    private static let version: UInt64 = 1

    /// The handle of the activation password, 15 bits.
    let handle: UInt16
    /// The number of runs that ended with a wrong tag.
    let number: UInt64
    /// The time of the last such run, by the device's clock.
    let last: Timestamp

    /// Returns whether the record is about an activation password with a handle that may still be valid.
    func counts(_ handle: UInt16, at now: Timestamp) -> Bool {
        self.handle == handle && isRecent(at: now)
    }

    /// Returns whether the last attempt was less than an hour ago. An activation password is valid for ten minutes at
    /// the platform. After an hour a guess of it is worthless, and another activation password may have the same
    /// handle.
    func isRecent(at now: Timestamp) -> Bool {
        now.milliseconds(since: last).magnitude < 3_600_000
    }
}

extension FailedAttemptRecord {
    /// Decodes a record.
    ///
    /// - Returns: `nil` for damaged bytes and for bytes of a newer version. They do not count, because the limit
    ///   protects against a false platform, which cannot change them.
    package init?(_ bytes: [UInt8]) {
        do throws(WireError) {
            var reader = CBORReader(bytes)
            try reader.readArray(count: 4)
            guard try reader.readUnsigned() == Self.version else { return nil }
            handle = UInt16(try reader.readUnsigned(maximum: 0x7FFF))
            number = try reader.readUnsigned(maximum: 255)
            last = Timestamp(millisecondsSinceEpoch: try reader.readInteger())
            try reader.finish()
        } catch {
            return nil
        }
    }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 24)
        writer.array(4)
        writer.unsigned(Self.version)
        writer.unsigned(UInt64(handle))
        writer.unsigned(min(number, 255))
        writer.integer(last.millisecondsSinceEpoch)
        return writer.finish()
    }
}
