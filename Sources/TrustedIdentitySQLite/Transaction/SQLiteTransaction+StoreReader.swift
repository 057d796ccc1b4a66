internal import GRDB
internal import TrustedIdentity

extension SQLiteTransaction: StoreReader {
    func platformState() throws -> PlatformStateRecord? { try record("") }

    func account(_ name: String) throws -> AccountRecord? { try record("WHERE name = ?", [.text(name)]) }

    func activationPassword(of account: String) throws -> ActivationPasswordRecord? {
        try record("WHERE account = ?", [.text(account)])
    }

    func activationSession(_ id: [UInt8]) throws -> ActivationSessionRecord? {
        try record("WHERE id = ?", [.bytes(id)])
    }

    func device(_ id: [UInt8]) throws -> DeviceRecord? { try record("WHERE id = ?", [.bytes(id)]) }

    func devices(of account: String) throws -> [DeviceRecord] {
        try records("WHERE account = ? ORDER BY created_at, id", [.text(account)])
    }

    func codeCounters(of device: [UInt8]) throws -> [CodeCounterRecord] {
        try records("WHERE device = ? ORDER BY instance, application", [.bytes(device)])
    }

    func codeCounters(ofAccount account: String) throws -> [CodeCounterRecord] {
        try records(
            "WHERE device IN (SELECT id FROM device WHERE account = ?) ORDER BY device, instance, application",
            [.text(account)])
    }

    func throttle(_ key: ThrottleKey) throws -> ThrottleRecord? {
        try record("WHERE account = ? AND kind = ? AND source = ?", key.values)
    }

    func throttles(of account: String) throws -> [ThrottleRecord] {
        try records("WHERE account = ? ORDER BY used_at, kind, source", [.text(account)])
    }

    func replay(device: [UInt8], request: [UInt8]) throws -> ReplayRecord? {
        try record("WHERE device = ? AND request = ?", [.bytes(device), .bytes(request)])
    }

    func apiKey(_ id: String) throws -> APIKeyRecord? { try record("WHERE id = ?", [.text(id)]) }

    func apiKeys() throws -> [APIKeyRecord] { try records("ORDER BY created_at, id") }

    func platformKeys() throws -> [PlatformKeyRecord] { try records("ORDER BY created_at, id") }

    func auditTallies(limit: Int) throws -> [AuditTally] {
        try rows("\(AuditTally.select) ORDER BY hour DESC, event, reason LIMIT ?", [.count(max(0, limit))]) {
            try AuditTally(&$0)
        }
    }

    func auditEntries(of account: String?, before: Int64?, limit: Int) throws -> [AuditEntry] {
        let condition = account == nil ? "WHERE sequence < ?" : "WHERE account = ? AND sequence < ?"
        let names: [Value?] = account.map { [.text($0)] } ?? []
        return try rows(
            "\(AuditEntry.select) \(condition) ORDER BY sequence DESC LIMIT ?",
            names + [.integer(before ?? .max), .count(max(0, limit))]
        ) { try AuditEntry(&$0) }
    }
}
