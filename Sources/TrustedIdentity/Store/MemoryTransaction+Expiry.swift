internal import Primitives

// What is forgotten, and what makes room.
extension MemoryTransaction {
    func removeExpired(now: Timestamp, limit: Int) -> Int {
        let sessions = Array(tables.sessions.values.lazy.filter { $0.keptUntil <= now }.prefix(limit).map(\.id))
        let replays = Array(tables.replays.lazy.filter { $0.value.keptUntil <= now }.prefix(limit).map(\.key))
        for id in sessions { set(\.sessions[id], to: nil) }
        for key in replays { set(\.replays[key], to: nil) }
        let closed = Array(
            tables.sessions.values.lazy.filter { $0.keys != nil && $0.expiresAt <= now }.prefix(limit))
        let codes = Array(tables.codes.values.lazy.filter { $0.secret != nil && $0.expiresAt <= now }.prefix(limit))
        for var session in closed {
            session.keys = nil
            _ = update(session)
        }
        for var code in codes {
            code.secret = nil
            _ = update(code)
        }
        return sessions.count + replays.count + closed.count + codes.count
    }

    func unfinishedDevices(until time: Timestamp, limit: Int) -> [DeviceRecord] {
        let late = tables.devices.values.filter { $0.isUnfinished && $0.pendingUntil <= time }
        return Array(late.sorted { $0.pendingUntil < $1.pendingUntil }.prefix(max(0, limit)))
    }

    func activationSessionCount() -> Int { tables.sessions.count }

    func activationSessionCount(of source: String) -> Int {
        tables.sessions.values.count { $0.source == source }
    }

    func busiestActivationSource() -> String? {
        let counts = tables.sessions.values.reduce(into: [:]) { $0[$1.source, default: 0] += 1 }
        return counts.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
    }

    func removeOldestActivationSessions(of source: String, limit: Int) {
        let oldest = tables.sessions.values.filter { $0.source == source }.sorted { a, b in
            (a.secondAnswer == nil) == (b.secondAnswer == nil)
                ? a.expiresAt < b.expiresAt : a.secondAnswer == nil
        }
        for session in oldest.prefix(max(0, limit)) { set(\.sessions[session.id], to: nil) }
    }
}
