import OrchestrationTesting
import Primitives

@testable import TrustedIdentity

extension StoreContract {
    static let expiry: [ConformanceCheck<any SQLDatabase>] = [
        .init("expired secrets are erased once, up to the limit, and the versions of their rows are counted up") {
            store in
            try await store.write { store in
                for byte in 1...3 { _ = try store.insert(Rows.session(UInt8(byte), expiresAt: Rows.now)) }
                _ = try store.insert(Rows.session(9, expiresAt: Rows.later(1)))
                for user in ["a@b", "c@d", "e@f"] { try store.put(Rows.activationPassword(user, expiresAt: Rows.now)) }
                try store.put(Rows.activationPassword(expiresAt: Rows.later(1)))
                try expect(store.removeExpired(now: Rows.now, limit: 2) == 4, "two of each kind")
                try expect(store.removeExpired(now: Rows.now, limit: 2) == 2, "the rest")
                try expect(store.removeExpired(now: Rows.now, limit: 2) == 0, "nothing more")
                let (gone, kept) = try (store.activationSession(Rows.id(1)), store.activationSession(Rows.id(9)))
                try expect(gone?.keys == nil && gone?.version == 1, "keys erased")
                try expect(gone?.firstAnswer.isEmpty == false, "the answer stays")
                try expect(kept == Rows.session(9, expiresAt: Rows.later(1)), "the exchange that has not expired")
                try expect(store.activationPassword(of: "a@b")?.secret == nil, "secret erased")
                try expect(store.activationPassword(of: "a@b")?.version == 1, "a decision on the earlier version fails")
                try expect(
                    store.activationPassword(of: Rows.alice)?.secret != nil,
                    "the activation password that has not expired")
            }
        },
        .init("devices that did not complete their activation are found by their time") { store in
            try await store.write { store in
                func insert(_ byte: UInt8, _ state: DeviceState, before: DeviceState? = nil, until: Int64) throws {
                    var device = Rows.device(byte, state: state)
                    device.stateBeforeLock = before
                    device.lockReason = before == nil ? nil : .wrongPassword
                    device.pendingUntil = Rows.later(until)
                    _ = try store.insert(device)
                }
                try insert(1, .pending, until: 2)
                try insert(2, .locked, before: .pending, until: 1)
                try insert(3, .locked, before: .active, until: 1)
                try insert(4, .active, until: 1)
                try insert(5, .revoked, until: 1)
                try insert(6, .pending, until: 3)
                let found = { (limit: Int) in
                    try store.unfinishedDevices(until: Rows.later(2), limit: limit).map(\.id)
                }
                try expect(found(9) == [Rows.id(2), Rows.id(1)], "the earliest first, without the later ones")
                try expect(found(1) == [Rows.id(2)], "the limit")
            }
        },
        .init("revoked devices are found by the time of their revocation, with the key of their channel") { store in
            try await store.write { store in
                func insert(_ byte: UInt8, _ state: DeviceState, at time: Int64?) throws {
                    var device = Rows.device(byte, state: state)
                    device.revokedAt = time.map(Rows.later)
                    _ = try store.insert(device)
                }
                try insert(1, .revoked, at: 2)
                try insert(2, .revoked, at: 1)
                try insert(3, .active, at: 1)
                try insert(4, .revoked, at: 3)
                try insert(5, .revoked, at: nil)
                let found = { (limit: Int) in try store.revokedDevices(until: Rows.later(2), limit: limit) }
                try expect(found(9) == [Rows.id(2), Rows.id(1)], "the earliest first, without later ones")
                try expect(found(1) == [Rows.id(2)], "the limit")
                try expect(store.device(Rows.id(2))?.channelKey == Rows.sealed(7), "the key of the channel")
                var device = Rows.device(6)
                _ = try store.insert(device)
                device.state = .revoked
                device.secrets = nil
                device.ratchet = nil
                device.channelKey = Rows.sealed(8)
                device.revokedAt = Rows.later(2)
                try expect(store.update(device), "the revocation")
                try expect(store.device(Rows.id(6))?.channelKey == Rows.sealed(8), "the key of the update")
                try expect(found(9).contains(Rows.id(6)), "the device that was revoked")
            }
        },
        .init("refusals are replays that are counted and removed by device, and expire like answers") { store in
            try await store.write { store in
                _ = try store.insert(Rows.replay(1))
                for byte in [2, 3, 4] as [UInt8] {
                    let record = Rows.refusal(byte, keptUntil: Rows.later(Int64(byte)))
                    try expect(store.insert(record), "a new refusal")
                    try expect(store.replay(device: record.device, request: record.request) == record, "as stored")
                    try expect(!store.insert(Rows.replay(byte)), "no answer in its place")
                }
                try expect(!store.insert(Rows.refusal(1)), "no refusal instead of an answer")
                _ = try store.insert(Rows.refusal(2, of: 2))
                let count = { (time: Int64) in try store.refusalCount(of: Rows.id(1), after: Rows.later(time)) }
                try expect(count(0) == 3 && count(1) == 3, "without the answer and those of other devices")
                try expect(count(2) == 2 && count(4) == 0, "without what has expired")
                try expect(store.removeExpired(now: Rows.later(3), limit: 9) == 2, "two have expired")
                try expect(count(0) == 1, "one is left")
                try store.removeRefusals(of: Rows.id(1))
                try store.removeRefusals(of: Rows.id(9))
                try expect(count(0) == 0, "none is left")
                try expect(store.replay(device: Rows.id(1), request: Rows.id(4)) == nil, "the refusal is gone")
                try expect(store.replay(device: Rows.id(1), request: Rows.id(1)) != nil, "the answer stays")
                try expect(store.refusalCount(of: Rows.id(2), after: Rows.now) == 1, "that of the other device stays")
                try expect(store.insert(Rows.refusal(4)), "the request id is free again")
                try expect(count(0) == 1, "and counted")
            }
        },
        .init("exchanges are counted by address, and the oldest are removed first") { store in
            try await store.write { store in
                for byte in 1...4 {
                    let source = byte == 3 ? "z" : "a"
                    _ = try store.insert(
                        Rows.session(UInt8(byte), expiresAt: Rows.later(Int64(byte)), source: source))
                }
                try expect(store.activationSessionCount(of: "a") == 3, "three of an address")
                try expect(store.activationSessionCount(of: "b") == 0, "none of another one")
                try store.removeOldestActivationSessions(of: "a", limit: 2)
                try expect(store.activationSession(Rows.id(2)) == nil, "the oldest two of the address")
                try expect(store.activationSession(Rows.id(4)) != nil, "a later one stays")
                try store.removeOldestActivationSessions(of: nil, limit: 1)
                try expect(store.activationSession(Rows.id(3)) == nil, "the oldest of all")
                try store.removeOldestActivationSessions(of: "a", limit: 5)
                try expect(store.activationSessionCount(of: nil) == 0, "none is left")
            }
        },
        .init("tallies count by hour, event and reason") { store in
            try await store.write { store in
                let tally = { (hour: Int64, reason: String) in
                    try store.tally(.activationTried, reason: reason, hour: Rows.later(hour * 3_600_000))
                }
                for _ in 0..<3 { try tally(0, "b") }
                try tally(0, "a")
                try tally(1, "b")
                let all = try store.auditTallies(limit: 9)
                try expect(all.map(\.count) == [1, 1, 3], "the latest hour first, then by reason")
                try expect(all.map(\.reason) == ["b", "a", "b"], "reasons apart")
                try expect(
                    all.first?.hour == Rows.later(3_600_000) && all.first?.event == .activationTried,
                    "hour and event as stored")
                try expect(store.auditTallies(limit: 1).count == 1, "the limit")
            }
        },
    ]
}
