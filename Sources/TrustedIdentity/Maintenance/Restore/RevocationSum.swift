internal import Primitives
internal import Synchronization

/// The count of the revoked devices and API keys whose rows the store contains, and the sum of their HMACs modulo 2²⁵⁶.
///
/// The row about the platform contains it. The transaction that revokes, or that removes a revoked row later, changes
/// it. A row from before the revocation has a valid HMAC. If another program puts it back, the sum over the rows
/// differs from the one in the row about the platform.
package struct RevocationSum: Sendable, Hashable {
    /// The number of rows.
    package var count: Int64 = 0
    /// 32 bytes, the most significant first.
    package var sum = [UInt8](repeating: 0, count: 32)

    /// Adds one.
    mutating func add(_ code: [UInt8]) {
        count += 1
        add(code, carry: 0)
    }

    /// Takes one away.
    mutating func subtract(_ code: [UInt8]) {
        count -= 1
        // The two's complement: the complement and one.
        add(code.map { ~$0 }, carry: 1)
    }

    private mutating func add(_ number: [UInt8], carry: Int) {
        var carry = carry
        for index in sum.indices.reversed() {
            let digit = Int(sum[index]) + Int(number[index]) + carry
            sum[index] = UInt8(truncatingIfNeeded: digit)
            carry = digit >> 8
        }
    }
}

extension RowAuthenticator {
    /// Returns the value that a revoked row adds to ``RevocationSum``.
    ///
    /// - Parameters:
    ///   - id: The key of the row.
    ///   - table: The name of its table.
    func code(ofRevoked id: some ColumnValue, in table: String) -> [UInt8] {
        code(ofRow: [id.stored, .text("revoked")], in: table)
    }
}

extension StoreReader {
    /// Returns the sum over the rows of the store.
    func revocations(_ authenticator: RowAuthenticator) throws -> RevocationSum {
        var sum = RevocationSum()
        try session.run("SELECT id FROM device WHERE \(Schema.isRevoked)", []) { row in
            let id: [UInt8] = try PositionedRow(row)[0]
            sum.add(authenticator.code(ofRevoked: id, in: DeviceRecord.table.name))
        }
        try session.run("SELECT id FROM api_key WHERE revoked_at IS NOT NULL", []) { row in
            let id: String = try PositionedRow(row)[0]
            sum.add(authenticator.code(ofRevoked: id, in: APIKeyRecord.table.name))
        }
        return sum
    }
}

extension StoreTransaction {
    /// Counts a row that is revoked from now on.
    func noteRevoked(_ id: some ColumnValue, in table: String) throws {
        try changeRevocations { $0.add($1.code(ofRevoked: id, in: table)) }
    }

    /// Counts a revoked row that is removed.
    func noteRemoved(_ id: some ColumnValue, in table: String) throws {
        try changeRevocations { $0.subtract($1.code(ofRevoked: id, in: table)) }
    }

    private func changeRevocations(_ change: (inout RevocationSum, RowAuthenticator) -> Void) throws {
        // A store without the row keys counts nothing: see `Store`.
        guard let authenticator = check.authenticator else { return }
        var state = try currentState()
        change(&state.revocations, authenticator)
        try requireWritten(update(state))
    }
}

/// The result of the latest comparison of ``RevocationSum`` with the rows.
final class RevocationCheck: Sendable {
    private let result = Mutex(false)

    /// Whether the latest comparison found the same sum.
    var isPassed: Bool { result.withLock { $0 } }

    /// Compares one state of the store. ``Maintenance`` calls it each minute, and a platform calls it when it is
    /// opened.
    ///
    /// - Throws: ``PlatformError``; the comparison has then failed. `CancellationError`.
    func run(on store: Store) async throws {
        guard let authenticator = store.authenticator else { return }
        do {
            let isPassed = try await store.read { try $0.currentState().revocations == $0.revocations(authenticator) }
            result.withLock { $0 = isPassed }
        } catch let error as CancellationError {
            throw error
        } catch let error as PlatformError
            where store.database.peers != nil && error.code == .storeFailed
            && (error.underlying as? StoreError)?.code != .corrupt
        {
            // The database server is unavailable, which readiness reports separately. The last result stays: otherwise
            // the platform would not be ready for a minute after the server is back.
            throw error
        } catch {
            // Rows that cannot be read are not the rows that the platform revoked.
            result.withLock { $0 = false }
            throw error
        }
    }
}
