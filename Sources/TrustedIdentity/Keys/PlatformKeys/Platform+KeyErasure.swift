internal import Logging
internal import Primitives

// Erases the private halves of replaced keys.
extension Platform {
    /// Erases the private halves of keys that have ended: of signing keys after 24 hours, of sealing keys after 400
    /// days, or after 30 days when every device has confirmed a statement with the successor.
    ///
    /// ``Maintenance`` calls it at each run. An error is logged and not thrown.
    ///
    /// - Returns: Whether no error occurred.
    @discardableResult
    func eraseEndedKeys(now: Timestamp) async -> Bool {
        do {
            let ended = try await endedKeys(now: now)
            guard !ended.isEmpty else { return true }
            let fresh = try await writeAsPlatform { [sealer] store in
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
            return true
        } catch is CancellationError {
            return false
        } catch {
            // The next run tries again, or a run at most a day later if all devices have to be read.
            logger.error("the private halves of replaced keys could not be erased")
            return false
        }
    }

    /// Returns the ids of the keys to erase.
    private func endedKeys(now: Timestamp) async throws -> Set<[UInt8]> {
        let records = keys.records.filter { $0.privateKey != nil && $0.hasEnded(at: now) }
        let ended = keyErasure.ended(Set(records.map(\.id)), uptime: time.uptime())
        let (waiting, over) = records.filter { ended.contains($0.id) }.partitioned {
            $0.purpose == .sealing && $0.isKept(at: now)
        }
        var ids = Set(over.map(\.id))
        guard !waiting.isEmpty, let confirmed = try await lowestConfirmedStatement() else { return ids }
        for record in waiting where (record.replacedIn ?? .max) <= confirmed { ids.insert(record.id) }
        return ids
    }

    /// Continues to read which key statements the devices have confirmed.
    ///
    /// One call reads one part of the devices, which keeps each run short. A number only ever rises, and a device that
    /// is activated meanwhile has the latest statement.
    ///
    /// - Returns: The lowest number, once all devices that are not revoked have been read; otherwise `nil`.
    private func lowestConfirmedStatement() async throws -> UInt64? {
        let uptime = time.uptime()
        guard var walk = keyErasure.beginWalk(uptime: uptime) else { return nil }
        var isComplete = false
        defer { keyErasure.endWalk(walk, isComplete: isComplete, uptime: uptime) }
        var devices: [DeviceRecord]
        repeat {
            devices = try await read { [last = walk.last] in try $0.devices(after: last, limit: KeyErasure.batch) }
            for device in devices where device.state != .revoked { walk.lowest = min(walk.lowest, device.keyStatement) }
            walk.last = devices.last?.id ?? walk.last
            // A part that is not full is the last one, or an altered row is missing from it.
        } while !devices.isEmpty && devices.count < KeyErasure.batch
        isComplete = devices.isEmpty
        return isComplete ? walk.lowest : nil
    }
}

extension Sequence {
    /// Returns the elements that meet a condition, and the others.
    fileprivate func partitioned(by condition: (Element) -> Bool) -> (met: [Element], others: [Element]) {
        (filter(condition), filter { !condition($0) })
    }
}
