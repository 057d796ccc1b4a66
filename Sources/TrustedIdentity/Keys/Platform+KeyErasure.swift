internal import Logging
internal import Primitives

// The end of replaced keys.
extension Platform {
    /// The time between two searches for private halves to erase, in milliseconds: a day.
    static let keyErasureInterval: Int64 = 86_400_000

    /// Erases the private halves of replaced keys whose time is over, once a day: of signing keys after 24 hours, of sealing
    /// keys after 400 days, or after 30 days when every device has confirmed a statement with the successor.
    func eraseEndedKeys(now: Timestamp) async throws {
        guard keyErasureSchedule.isDue(now: now) else { return }
        var ended: Set<[UInt8]> = []
        for record in keys.records where record.privateKey != nil {
            guard let replacedIn = record.replacedIn, record.mayEnd(at: now) else { continue }
            var isOver = !record.isKept(at: now) || record.purpose == .signing
            if !isOver { isOver = try await everyDeviceHasConfirmed(replacedIn) }
            if isOver { ended.insert(record.id) }
        }
        guard !ended.isEmpty else { return }
        let fresh = try await write { [sealer, ended] store in
            for var record in try store.platformKeys() where ended.contains(record.id) && record.privateKey != nil {
                record.privateKey = nil
                try requireWritten(store.update(record))
                try store.append(
                    AuditEntry(time: now, event: .platformKeyErased, reason: Hex.encode(record.id)))
            }
            return try PlatformKeys(store.platformKeys(), store.keyStatements(after: 0), sealer: sealer)
        }
        keyRing.replace(by: fresh)
        logger.notice("private halves of replaced keys were erased", metadata: ["key.count": "\(ended.count)"])
    }

    /// Returns whether every device that is not revoked has confirmed a statement or a later one.
    ///
    /// The devices are read in parts. A device that is activated meanwhile has the latest statement.
    private func everyDeviceHasConfirmed(_ sequence: UInt64) async throws -> Bool {
        var last: [UInt8]?
        while true {
            let devices = try await read { [last] in try $0.devices(after: last, limit: Self.sweepBatch) }
            guard devices.allSatisfy({ $0.state == .revoked || $0.keyStatement >= sequence }) else { return false }
            guard let id = devices.last?.id else { return true }
            last = id
        }
    }
}

extension PlatformKeyRecord {
    /// Whether the private half of the key is not needed any more, as far as its times say.
    fileprivate func mayEnd(at time: Timestamp) -> Bool {
        guard let retiredAt, let notAfter else { return false }
        switch purpose {
        case .signing: return time > retiredAt.advanced(milliseconds: PlatformKeyLifetime.signingRetention)
        case .sealing: return time > notAfter
        }
    }
}
