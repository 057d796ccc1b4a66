internal import Primitives

/// The numbers of rows that the erasure of an account has removed.
public struct ErasureReport: Sendable, Hashable, Codable {
    /// Whether the account existed. It may have been unregistered before.
    public var wasRegistered = false
    /// The devices, revoked ones included, each with its device data and counters.
    public var devices = 0
    /// The approval requests, with what was shown, the answers and the receipts.
    public var approvals = 0
    /// The records of decisions of the policy.
    public var decisions = 0
}

extension Platform {
    /// The number of rows that one transaction of an erasure removes. Logins share it.
    private static let erasureBatch = 100

    /// Removes everything that names an account: its registration, devices, approval requests with their receipts,
    /// records of decisions, and events that were not delivered.
    ///
    /// The audit log stays as it is. It contains a random subject instead of the name. The erasure removes the last row
    /// that connects the two. Earlier backups and exports still connect them. A device does not learn that it is revoked:
    /// to the platform, it never existed. Activation answers are kept for ten minutes, as usual. Check which receipts
    /// you must keep before you call this method.
    ///
    /// The removal takes several transactions. The first one ends the registration. If the call fails or is canceled
    /// afterwards, call it again. It reads the ids of all approval requests, in short reads between other requests.
    ///
    /// - Returns: The numbers of removed rows.
    /// - Throws: ``PlatformError`` with `unknownUser` when no row names the account, `busy` when it was registered
    ///   again meanwhile, `storeFailed`; `CancellationError`.
    public func erase(_ account: AccountName) async throws -> ErasureReport {
        let (name, now) = (account.text, time.now())
        let subject = try await read { try $0.account(name)?.subject }
        var report = ErasureReport()
        do {
            try await unregister(account)
            report.wasRegistered = true
        } catch let error as PlatformError where error.code == .unknownUser {
            // A previous call or another caller has ended the registration.
        }
        report.approvals = try await eraseApprovals(of: name)
        var removed = 0
        repeat {
            removed = try await write { try $0.removePolicyDecisions(of: name, limit: Self.erasureBatch) }
            report.decisions += removed
        } while removed == Self.erasureBatch
        repeat {
            removed = try await write { try $0.removeEvents(of: name, limit: Self.erasureBatch) }
        } while removed == Self.erasureBatch
        let (decisions, approvals, wasRegistered) = (report.decisions, report.approvals, report.wasRegistered)
        // Rows that were changed outside of the platform also name the account.
        let devices = try await PlatformError.mapping { [store] in
            try await store.unchecked.read { try $0.devices(of: name) }
        }
        report.devices = try await write { store in
            guard try store.account(name) == nil else { throw PlatformError(.busy) }
            for device in devices { try store.removeDevice(device.id) }
            guard wasRegistered || !devices.isEmpty || approvals + decisions > 0 else {
                throw PlatformError(.unknownUser)
            }
            var entry = AuditEntry(time: now, event: .accountErased)
            entry.subject = subject
            try store.append(entry)
            return devices.count
        }
        return report
    }

    /// Removes the approval requests of an account. Returns their number.
    private func eraseApprovals(of name: String) async throws -> Int {
        var (count, last) = (0, [UInt8]?.none)
        repeat {
            try Task.checkCancellation()
            let page = try await PlatformError.mapping { [store, last] in
                try await store.unchecked.read { try $0.approvals(after: last, limit: Self.erasureBatch) }
            }
            last = page.last?.id
            let ids = page.filter { $0.account == name }.map(\.id)
            guard !ids.isEmpty else { continue }
            try await write { store in for id in ids { try store.removeApproval(id) } }
            count += ids.count
        } while last != nil
        return count
    }
}
