internal import Logging
internal import Primitives

// Renews the rows of the store after a replacement of the master key.
extension Platform {
    /// The number of rows that one transaction renews. Logins share it.
    static let renewalBatch = 100
    /// The number of batches with rows to renew in one run of the maintenance, which comes every second during a
    /// replacement.
    static let renewalBatches = 10
    /// The number of batches of one run.
    static let readBatches = 1_000

    /// Whether rows are to be renewed.
    var isReplacingMasterKey: Bool { ring.present.previous != nil }

    /// Renews rows under the present master key, and ends the replacement when none is left. ``Maintenance`` calls it.
    func renewRows() async throws {
        guard isReplacingMasterKey else { return }
        if renewal.progress.hasEnded {
            if renewal.isOver(uptime: time.uptime()) { ring.removePrevious() }
            return
        }
        var (reads, renewals) = (0, 0)
        while reads < Self.readBatches, renewals < Self.renewalBatches {
            try Task.checkCancellation()
            var walk = renewal.walk(uptime: time.uptime())
            let batch = try await renewBatch(of: walk)
            walk.checked += batch.checked
            walk.found += batch.found
            walk.last = batch.last
            if batch.last == nil, let next = MasterKeyRenewal.Part(rawValue: walk.part.rawValue + 1) {
                walk.part = next
            } else if batch.last == nil {
                renewal.note(walk, renewed: batch.found)
                if renewal.finish(walk) { try await endMasterKeyReplacement() }
                return
            }
            renewal.note(walk, renewed: batch.found)
            reads += 1
            if batch.found > 0 { renewals += 1 }
        }
    }

    private func endMasterKeyReplacement() async throws {
        let now = time.now()
        let earlier = try await writeAsPlatform { store -> String? in
            var state = try store.presentState()
            guard let earlier = state.previousMasterKeyID, let present = state.masterKeyID else { return nil }
            state.previousMasterKeyID = nil
            try requireWritten(store.update(state))
            try store.append(AuditEntry(time: now, event: .masterKeyReplaced, reason: "\(earlier)>\(present)"))
            return earlier
        }
        renewal.end(uptime: time.uptime())
        logger.notice(
            "the master key was replaced",
            metadata: ["key.previous": "\(earlier ?? "")", "rows.renewed": "\(renewal.progress.renewed)"])
    }

    /// The result of one batch.
    private struct Batch {
        let checked: Int
        /// The number of rows that needed a renewal.
        let found: Int
        /// The key of the last row; `nil` at the end of the part.
        let last: [UInt8]?
    }

    private func renewBatch(of walk: MasterKeyRenewal.Walk) async throws -> Batch {
        let (last, limit) = (walk.last, Self.renewalBatch)
        switch walk.part {
        case .state:
            let rows = try await read { [try $0.presentState()] }
            return try await renew(rows) {
                isCurrent($0) ? nil : $0
            } write: {
                try $0.update($1)
            }
        case .platformKeys:
            let rows = try await read { try $0.platformKeys() }
            return try await renew(rows) { key in
                var key = key
                let value = try sealer.renewed(key.privateKey, .platformKey, row: key.id)
                if value == nil, isCurrent(key) { return nil }
                key.privateKey = value ?? key.privateKey
                return key
            } write: {
                try $0.update($1)
            }
        case .apiKeys:
            let rows = try await read { try $0.apiKeys() }
            return try await renew(rows) {
                isCurrent($0) ? nil : $0
            } write: {
                try $0.update($1)
            }
        case .accounts:
            return try await renewAccounts(after: last)
        case .accountRisks:
            let rows = try await read {
                try $0.accountRisks(after: last.map { String(decoding: $0, as: UTF8.self) }, limit: limit)
            }
            return try await renew(rows, key: { Array($0.account.utf8) }) {
                isCurrent($0) ? nil : $0
            } write: {
                try $0.update($1)
            }
        case .devices:
            return try await renewDevices(after: last)
        case .challenges:
            let rows = try await read { try $0.challenges(after: last, limit: limit) }
            return try await renew(rows, key: { $0.id }) {
                isCurrent($0) ? nil : $0
            } write: {
                try $0.update($1)
            }
        case .approvals:
            let rows = try await read { try $0.approvals(after: last, limit: limit) }
            return try await renew(rows, key: { $0.id }) { approval in
                var approval = approval
                let number = try sealer.renewed(
                    approval.number, .approvalNumber, row: approval.id, owner: RowOwner(account: approval.account))
                if number == nil, isCurrent(approval) { return nil }
                approval.number = number ?? approval.number
                return approval
            } write: {
                try $0.update($1)
            }
        case .events:
            return try await renewEvents(after: last)
        case .activationSessions:
            let rows = try await read { try $0.activationSessions(after: last, limit: limit) }
            return try await renew(rows, key: { $0.id }) { session in
                var session = session
                let owner = RowOwner(exchangeOf: session.account, registrationID: session.registrationID)
                guard
                    let keys = try sealer.renewed(session.keys, .activationSession, row: session.id, owner: owner)
                else { return nil }
                session.keys = keys
                return session
            } write: {
                try $0.update($1)
            }
        }
    }

    private func renewEvents(after last: [UInt8]?) async throws -> Batch {
        let sequence = last.map { $0.reduce(Int64(0)) { $0 << 8 | Int64($1) } } ?? 0
        let rows = try await read { try $0.events(after: sequence, limit: Self.renewalBatch) }
        func key(of record: EventRecord) -> [UInt8] {
            (0..<8).map { UInt8(truncatingIfNeeded: record.sequence >> (56 - 8 * $0)) }
        }
        return try await renew(rows, key: key) {
            isCurrent($0) ? nil : $0
        } write: { store, record in
            // A mark about dropped events may have taken the place of the event, with the same version.
            let present = try ifUnaltered { try store.event(record.sequence) }
            guard present?.event.id == record.event.id else { return false }
            return try store.update(record)
        }
    }

    private func renewAccounts(after last: [UInt8]?) async throws -> Batch {
        let name = last.map { String(decoding: $0, as: UTF8.self) }
        let (accounts, passwords) = try await read { store in
            let accounts = try store.accounts(after: name, limit: Self.renewalBatch)
            return (accounts, try accounts.compactMap { try store.activationPassword(of: $0.name) })
        }
        let batch = try await renew(accounts, key: { Array($0.name.utf8) }) { account in
            var account = account
            let password = try sealer.renewed(
                account.staticPassword, .staticPassword, row: Array(account.name.utf8))
            if password == nil, isCurrent(account) { return nil }
            account.staticPassword = password ?? account.staticPassword
            return account
        } write: {
            try $0.update($1)
        }
        let others = try await renew(passwords) { password in
            var password = password
            guard
                let secret = try sealer.renewed(
                    password.secret, .activationPassword, row: Array(password.registrationID.utf8),
                    owner: RowOwner(account: password.account))
            else { return nil }
            password.secret = secret
            return password
        } write: {
            try $0.update($1)
        }
        return Batch(checked: batch.checked + others.checked, found: batch.found + others.found, last: batch.last)
    }

    private func renewDevices(after last: [UInt8]?) async throws -> Batch {
        let (devices, data) = try await read { store in
            let devices = try store.devices(after: last, limit: Self.renewalBatch)
            return (
                devices, try devices.compactMap { device in try store.deviceData(of: device.id).map { (device, $0) } }
            )
        }
        let batch = try await renew(devices, key: { $0.id }) { device in
            var device = device
            let owner = RowOwner(device)
            let secrets = try sealer.renewed(device.secrets, .deviceSecrets, row: device.id, owner: owner)
            let ratchet = try sealer.renewed(device.ratchet, .deviceRatchet, row: device.id, owner: owner)
            let channelKey = try sealer.renewed(device.channelKey, .revokedChannelKey, row: device.id, owner: owner)
            if secrets == nil, ratchet == nil, channelKey == nil, isCurrent(device) { return nil }
            device.secrets = secrets ?? device.secrets
            device.ratchet = ratchet ?? device.ratchet
            device.channelKey = channelKey ?? device.channelKey
            return device
        } write: {
            try $0.update($1)
        }
        // These rows have no version. The write compares the whole row.
        let others = try await renew(data) { device, row -> (old: DeviceDataRecord, new: DeviceDataRecord)? in
            guard
                let content = try sealer.renewed(row.content, .deviceData, row: device.id, owner: RowOwner(device))
            else { return nil }
            return (row, DeviceDataRecord(device: row.device, content: content, keptUntil: row.keptUntil))
        } write: { store, row in
            guard try store.deviceData(of: row.old.device) == row.old else { return false }
            try store.put(row.new)
            return true
        }
        return Batch(checked: batch.checked + others.checked, found: batch.found + others.found, last: batch.last)
    }

    /// Renews the rows of a batch. A row that another decision changes meanwhile is left to it, and to the next walk.
    ///
    /// - Parameters:
    ///   - key: Returns the key by which the next batch begins; nil for rows that are one batch.
    ///   - renewed: Returns the row to write; nil for a row that needs no renewal. A value that opens under no key
    ///     stays as it is.
    ///   - write: Writes a row, if it has not changed.
    private func renew<Row: Sendable, New: Sendable>(
        _ rows: [Row], key: ((Row) -> [UInt8])? = nil, _ renewed: (Row) throws -> New?,
        write: @escaping @Sendable (any StoreTransaction, New) throws -> Bool
    ) async throws -> Batch {
        let found = try rows.compactMap { row -> New? in
            do {
                return try renewed(row)
            } catch let error as PlatformError where error.code == .wrongMasterKey {
                return nil
            }
        }
        if !found.isEmpty {
            try await writeAsPlatform { store in
                for row in found { _ = try write(store, row) }
            }
        }
        return Batch(checked: rows.count, found: found.count, last: rows.last.flatMap { key?($0) })
    }

    private func isCurrent(_ row: some AuthenticatedRecord) -> Bool { store.authenticator.isCurrent(row) }
}
