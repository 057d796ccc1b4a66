internal import Primitives

extension MemoryTransaction: StoreTransaction {
    func insert(_ record: PlatformStateRecord) -> Bool { insert(record, at: \.state) }

    func update(_ record: PlatformStateRecord) -> Bool { update(record, at: \.state, version: \.version) }

    func insert(_ record: AccountRecord) -> Bool { insert(record, at: \.accounts[record.name]) }

    func update(_ record: AccountRecord) -> Bool { update(record, at: \.accounts[record.name], version: \.version) }

    func removeAccount(_ name: String) {
        set(\.accounts[name], to: nil)
        set(\.codes[name], to: nil)
        set(\.throttles[name], to: nil)
    }

    func put(_ record: ActivationPasswordRecord) { set(\.codes[record.account], to: record) }

    func update(_ record: ActivationPasswordRecord) -> Bool {
        update(record, at: \.codes[record.account], version: \.version)
    }

    func spendTry(account: String, registrationID: String, limit: Int, now: Timestamp) -> Bool {
        guard var code = tables.codes[account], code.registrationID == registrationID, code.spentAt == nil,
            code.expiresAt > now, code.tries < limit
        else { return false }
        code.tries += 1
        return update(code)
    }

    func returnTry(account: String, registrationID: String) -> Bool {
        guard var code = tables.codes[account], code.registrationID == registrationID, code.tries > 0 else {
            return false
        }
        code.tries -= 1
        return update(code)
    }

    func insert(_ record: ActivationSessionRecord) -> Bool { insert(record, at: \.sessions[record.id]) }

    func update(_ record: ActivationSessionRecord) -> Bool {
        update(record, at: \.sessions[record.id], version: \.version)
    }

    func insert(_ record: DeviceRecord) -> Bool {
        guard insert(record, at: \.devices[record.id]) else { return false }
        set(\.[owner: record.account, device: record.id], to: true)
        return true
    }

    func update(_ record: DeviceRecord) -> Bool { update(record, at: \.devices[record.id], version: \.version) }

    func removeDevice(_ id: [UInt8]) {
        guard let device = tables.devices[id] else { return }
        set(\.devices[id], to: nil)
        set(\.[owner: device.account, device: id], to: false)
        set(\.counters[id], to: nil)
    }

    func markDevicesRestored(locking: Bool) -> Int {
        let marked = tables.devices.values.filter { $0.state != .revoked }
        for var device in marked {
            device.isRestored = true
            if locking, device.state != .locked {
                device.stateBeforeLock = device.state
                device.state = .locked
                device.lockReason = .restored
            }
            _ = update(device)
        }
        return marked.count
    }

    func move(_ record: CodeCounterRecord, from expected: CodeCounterRecord?) -> Bool {
        let key = MemoryTables.CounterKey(
            device: record.device, instance: record.instance, application: record.application)
        guard tables[counter: key] == expected else { return false }
        set(\.[counter: key], to: record)
        return true
    }

    func removeCodeCounters(of device: [UInt8]) { set(\.counters[device], to: nil) }

    func insert(_ record: ThrottleRecord) -> Bool {
        insert(record, at: \.[throttle: record.key])
    }

    func update(_ record: ThrottleRecord) -> Bool {
        update(record, at: \.[throttle: record.key], version: \.version)
    }

    func removeThrottle(_ key: ThrottleKey) { set(\.[throttle: key], to: nil) }

    func insert(_ record: ReplayRecord) -> Bool {
        insert(record, at: \.replays[.init(device: record.device, request: record.request)])
    }

    func insert(_ record: APIKeyRecord) -> Bool { insert(record, at: \.apiKeys[record.id]) }

    func revokeAPIKey(_ id: String, at time: Timestamp) -> Bool {
        guard var record = tables.apiKeys[id], record.revokedAt == nil else { return false }
        record.revokedAt = time
        set(\.apiKeys[id], to: record)
        return true
    }

    func insert(_ record: PlatformKeyRecord) -> Bool { insert(record, at: \.platformKeys[record.id]) }

    func append(_ entry: AuditEntry) { appendAudit(entry) }

    func tally(_ event: AuditEvent, reason: String, hour: Timestamp) {
        let key = MemoryTables.TallyKey(hour: hour, event: event, reason: reason)
        set(\.tallies[key], to: (tables.tallies[key] ?? 0) + 1)
    }

    private func insert<Row>(_ row: Row, at path: WritableKeyPath<MemoryTables, Row?>) -> Bool {
        guard tables[keyPath: path] == nil else { return false }
        set(path, to: row)
        return true
    }

    private func update<Row>(
        _ row: Row, at path: WritableKeyPath<MemoryTables, Row?>, version: WritableKeyPath<Row, Int64>
    ) -> Bool {
        guard let stored = tables[keyPath: path], stored[keyPath: version] == row[keyPath: version] else {
            return false
        }
        var row = row
        row[keyPath: version] += 1
        set(path, to: row)
        return true
    }
}
