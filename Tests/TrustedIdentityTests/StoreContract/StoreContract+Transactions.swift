import OrchestrationTesting
import Primitives

@testable import TrustedIdentity

extension StoreContract {
    private struct Stop: Error {}

    static let throttles: [ConformanceCheck<any SQLDatabase>] = [
        .init("failures are counted by account, kind and source") { store in
            let keys = [
                ThrottleKey(account: Rows.alice, kind: .code),
                ThrottleKey(account: Rows.alice, kind: .code, source: "s1"),
                ThrottleKey(account: Rows.alice, kind: .staticPassword),
                ThrottleKey(account: "bob@master", kind: .code),
            ]
            try await store.write { store in
                for (index, key) in keys.enumerated() {
                    var record = ThrottleRecord(key: key, now: Rows.later(Int64(10 - index)))
                    record.consecutive = 1
                    record.total = 2
                    record.level = 3
                    record.unreported = 4
                    record.blockedUntil = index == 0 ? Rows.later(60_000) : nil
                    try expect(store.insert(record), "new")
                    try expect(!store.insert(record), "not twice")
                    try expect(store.throttle(key) == record, "as stored")
                    record.total = 50
                    try expect(store.update(record), "compare-and-set on its version")
                    try expect(!store.update(record), "once")
                }
                let listed = try store.throttles(of: Rows.alice).map(\.key)
                try expect(listed == [keys[2], keys[1], keys[0]], "the least recently used first")
                try store.removeThrottle(keys[1])
                try expect(store.throttle(keys[1]) == nil, "gone")
                try expect(store.throttle(keys[0])?.total == 50, "the others stay")
            }
        },
        .init("counts of sources are removed when they are idle, and not while they limit anything") { store in
            try await store.write { store in
                func insert(_ source: String, usedAt: Int64, _ change: (inout ThrottleRecord) -> Void = { _ in }) throws
                {
                    let key = ThrottleKey(account: Rows.alice, kind: .code, source: source)
                    var record = ThrottleRecord(key: key, now: Rows.later(usedAt))
                    change(&record)
                    try expect(store.insert(record), "new")
                }
                try insert("1", usedAt: 1)
                try insert("2", usedAt: 2)
                try insert("3", usedAt: 3)
                try insert("row", usedAt: 0) { $0.consecutive = 1 }
                try insert("sum", usedAt: 0) { $0.total = 1 }
                try insert("level", usedAt: 0) { $0.level = 1 }
                try insert("unreported", usedAt: 0) { $0.unreported = 1 }
                try insert("block", usedAt: 0) { $0.blockedUntil = Rows.later(0) }
                // The common count, and the one over all sources, stay with their account.
                try insert("", usedAt: 0)
                try insert("overall", usedAt: 0)
                let remove = { (limit: Int) in try store.removeIdleThrottles(until: Rows.later(2), limit: limit) }
                try expect(remove(0) == 0, "a limit of zero")
                try expect(
                    remove(1) == 1 && remove(9) == 1 && remove(9) == 0, "up to the time itself, within the limit")
                let left = try store.throttles(of: Rows.alice).map(\.key.source)
                let others = ["3", "row", "sum", "level", "unreported", "block", "", "overall"]
                try expect(Set(left) == Set(others), "the others stay")
            }
        },
    ]

    static let transactions: [ConformanceCheck<any SQLDatabase>] = [
        .init("a transaction that throws changes nothing") { store in
            try await store.write { store in
                _ = try store.insert(Rows.account())
                _ = try store.insert(Rows.device())
                try store.append(AuditEntry(time: Rows.now, event: .registered))
            }
            do {
                try await store.write { store in
                    var account = Rows.account()
                    account.registrationID = "lost"
                    _ = try store.update(account)
                    _ = try store.insert(Rows.account("bob@master"))
                    try store.put(Rows.activationPassword())
                    try store.removeDevice(Rows.id(1))
                    _ = try store.insert(Rows.session())
                    _ = try store.insert(Rows.replay())
                    _ = try store.move(
                        CodeCounterRecord(device: Rows.id(1), instance: .password, application: 1), from: nil)
                    _ = try store.insert(
                        ThrottleRecord(key: ThrottleKey(account: Rows.alice, kind: .code), now: Rows.now))
                    _ = try store.insert(Rows.apiKey())
                    try store.append(AuditEntry(time: Rows.now, event: .unregistered))
                    try store.tally(.activationTried, reason: "x", hour: Rows.now)
                    throw Stop()
                }
                try expect(false, "the closure's error reaches the caller")
            } catch is Stop {}
            try await store.read { reader in
                try expect(reader.account(Rows.alice) == Rows.account(), "the account as before")
                try expect(reader.account("bob@master") == nil, "no new account")
                try expect(reader.activationPassword(of: Rows.alice) == nil, "no activation password")
                try expect(reader.devices(of: Rows.alice) == [Rows.device()], "the device is back")
                try expect(reader.activationSession(Rows.id(1)) == nil, "no exchange")
                try expect(reader.replay(device: Rows.id(1), request: Rows.id(1)) == nil, "no replay")
                try expect(reader.codeCounters(of: Rows.id(1)).isEmpty, "no counter")
                try expect(reader.throttles(of: Rows.alice).isEmpty, "no failures")
                try expect(reader.apiKeys().isEmpty, "no API key")
                try expect(reader.auditTallies(limit: 9).isEmpty, "no tally")
                try expect(reader.auditEntries(of: nil, before: nil, limit: 9).count == 1, "no audit entry")
            }
        },
        .init("an error of the kind that stores throw passes from a closure unchanged, and nothing is written") {
            store in
            let error = StoreError(.full, resultCode: "13")
            do {
                try await store.write { store in
                    _ = try store.insert(Rows.account())
                    throw error
                }
                try expect(false, "the closure's error reaches the caller")
            } catch let thrown as StoreError {
                try expect(thrown.code == .full && thrown.resultCode == "13", "with its code and number")
            }
            let account = try await store.read { try $0.account(Rows.alice) }
            try expect(account == nil, "no account")
        },
        .init("the error of a reading closure reaches the caller") { store in
            do {
                try await store.read { _ in throw Stop() }
                try expect(false, "the closure's error reaches the caller")
            } catch is Stop {}
        },
        .init("a transaction sees its own writes, and a later reader sees them too") { store in
            let seen = try await store.write { store in
                _ = try store.insert(Rows.account())
                return try store.account(Rows.alice)
            }
            try expect(seen == Rows.account(), "its own write")
            let later = try await store.read { try $0.account(Rows.alice) }
            try expect(later == Rows.account(), "a later reader")
        },
        .init("of 64 concurrent updates of one row from one version, one succeeds") { store in
            _ = try await store.write { try $0.insert(Rows.account()) }
            let successes = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<64 { group.addTask { try await store.write { try $0.update(Rows.account()) } } }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try expect(successes == 1, "one success, not \(successes)")
        },
        .init("a failing transaction among others does not affect them") { store in
            let stored = try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<64 {
                    group.addTask {
                        do {
                            return try await store.write { store in
                                _ = try store.insert(Rows.account("user\(index)@master"))
                                if index % 4 == 0 { throw Stop() }
                                return true
                            }
                        } catch is Stop {
                            return false
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try expect(stored == 48, "48 commits, not \(stored)")
            for index in 0..<64 {
                let account = try await store.read { try $0.account("user\(index)@master") }
                try expect((account == nil) == (index % 4 == 0), "user\(index) as its own transaction left it")
            }
        },
    ]
}
