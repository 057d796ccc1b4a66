import OrchestrationTesting
import Primitives

@testable import TrustedIdentity

extension StoreContract {
    static let logs: [ConformanceCheck<any SQLDatabase>] = [
        .init("the audit log counts from 1 and is read from its end") { store in
            try await store.write { store in
                try expect(store.insert(Rows.account()), "the account is new")
                for index in 1...5 {
                    try store.append(
                        AuditEntry(
                            sequence: 99, id: Rows.id(UInt8(index)), time: Rows.later(Int64(index)),
                            event: AuditEvent(rawValue: "event.\(index)"),
                            account: index.isMultiple(of: 2) ? Rows.alice : nil,
                            device: index == 4 ? Rows.id(4) : nil, reason: "because",
                            actor: index == 4 ? .apiKey("k1") : nil, correlationID: index == 4 ? "c-1" : nil,
                            address: index == 4 ? "2001:db8::1" : nil, decision: index == 4 ? Rows.id(5) : nil))
                }
            }
            try await store.read { reader in
                let all = try reader.auditEntries(of: nil, before: nil, limit: 10)
                try expect(all.map(\.sequence) == [5, 4, 3, 2, 1], "the latest first, without a gap")
                try expect(
                    all[1]
                        == AuditEntry(
                            sequence: 4, id: Rows.id(4), time: Rows.later(4), event: AuditEvent(rawValue: "event.4"),
                            account: Rows.alice, subject: Rows.account().subject, device: Rows.id(4),
                            reason: "because", actor: .apiKey("k1"), correlationID: "c-1", address: "2001:db8::1",
                            decision: Rows.id(5)),
                    "every field as stored, and the subject of the account")
                let sequences = { (account: String?, before: Int64?, limit: Int) in
                    try reader.auditEntries(of: account, before: before, limit: limit).map(\.sequence)
                }
                try expect(sequences(nil, nil, 2) == [5, 4], "the limit")
                try expect(sequences(nil, 4, 2) == [3, 2], "the page before")
                try expect(sequences(nil, 1, 2).isEmpty, "nothing before the first")
                try expect(sequences(Rows.alice, nil, 10) == [4, 2], "of one account")
                try expect(sequences("bob@master", nil, 10).isEmpty, "of another")
                let upward = { (first: Int64, limit: Int) in
                    try reader.auditEntries(from: first, limit: limit).map(\.sequence)
                }
                try expect(upward(1, 10) == [1, 2, 3, 4, 5], "the earliest first")
                try expect(upward(2, 2) == [2, 3], "from an entry, up to the limit")
                try expect(upward(6, 10).isEmpty, "nothing after the last")
                try expect(upward(-5, 1) == [1], "from before the first")
                try expect(reader.auditEntries(from: 4, limit: 1) == [all[1]], "every field as stored")
                var unnamed = all[1]
                unnamed.account = nil
                try expect(reader.auditRows(from: 4, limit: 1) == [unnamed], "every field but the name")
                try expect(reader.auditRows(from: .min, limit: 9).map(\.sequence) == [1, 2, 3, 4, 5], "all rows")
            }
        },
        .init("an entry keeps the subject of an account that is removed, and not its name") { store in
            let (subject, later) = (Rows.account().subject, Rows.id(0xA2))
            try await store.write { store in
                try store.append(AuditEntry(time: Rows.now, event: .registered, account: Rows.alice))
                try expect(store.insert(Rows.account()), "the account is new")
                try store.append(AuditEntry(time: Rows.now, event: .loginAccepted, subject: subject))
                try store.append(AuditEntry(time: Rows.now, event: .unregistered, account: Rows.alice))
                _ = try store.numberArrivals(limit: 9)
                try expect(store.auditEntries(of: Rows.alice, before: nil, limit: 9).count == 2, "entries of alice")
                try expect(store.account(ofSubject: subject ?? []) == Rows.account(), "the account of the subject")
                try store.removeAccount(Rows.alice)
                try expect(store.account(ofSubject: subject ?? []) == nil, "no account of the subject")
            }
            try await store.write { store in
                var again = Rows.account()
                again.subject = later
                try expect(store.insert(again), "the account is new again")
                try store.append(AuditEntry(time: Rows.now, event: .registered, account: Rows.alice))
                again.subject = Rows.id(0xA3)
                try expect(store.update(again), "the account is as it was inserted")
                try expect(store.account(ofSubject: later) == nil, "no account of the earlier subject")
                try expect(store.account(ofSubject: Rows.id(0xA3))?.name == Rows.alice, "the account of the new one")
            }
            try await store.read { reader in
                let entries = try reader.auditEntries(from: 1, limit: 9)
                try expect(entries.map(\.subject) == [nil, subject, subject, later], "the subjects as they were")
                try expect(entries.allSatisfy { $0.account == nil }, "no entry has the subject of the account")
                try expect(reader.auditEntries(of: Rows.alice, before: nil, limit: 9).isEmpty, "no entries of alice")
            }
        },
        .init("the row about the tree of the audit log is stored and replaced") { store in
            try await store.read { try expect($0.auditTree() == nil, "no tree") }
            for size in [3, 4] as [Int64] {
                let peaks = (0..<size.nonzeroBitCount).map { [UInt8](repeating: UInt8($0), count: 32) }
                let tree = AuditTreeRecord(size: size, peaks: peaks, note: "log\n\(size)\nroot\n")
                try await store.write { try $0.put(tree) }
                try await store.read { try expect($0.auditTree() == tree, "the tree of \(size) entries") }
            }
        },
        .init("checkpoints of the audit log are kept, one of each size, the latest first") { store in
            @Sendable func checkpoint(_ size: Int64) -> AuditCheckpointRecord {
                AuditCheckpointRecord(size: size, createdAt: Rows.later(size), note: "log\n\(size)\nroot\n")
            }
            try await store.write { store in
                try expect(store.auditCheckpoints(before: nil, limit: 9).isEmpty, "no checkpoint")
                for size in [5, 3, 8] as [Int64] {
                    try expect(store.insert(checkpoint(size)), "the checkpoint of \(size) is new")
                }
                var other = checkpoint(5)
                other.note = "another"
                try expect(!store.insert(other), "a second one of 5")
            }
            try await store.read { reader in
                let all = [8, 5, 3].map(checkpoint)
                try expect(reader.auditCheckpoints(before: nil, limit: 9) == all, "all as stored")
                try expect(reader.auditCheckpoints(before: 8, limit: 1) == [checkpoint(5)], "before 8, up to the limit")
                try expect(reader.auditCheckpoints(before: 3, limit: 9).isEmpty, "none before the first")
            }
        },
        .init("pruned entries are removed, and no others") { store in
            @Sendable func numbers(_ store: any StoreReader) throws -> [Int64] {
                try store.auditRows(from: .min, limit: 99).map(\.sequence)
            }
            try await store.write { store in
                try expect(
                    store.insert(Rows.state("default")), "the state is new")
                for number in 1...20 as ClosedRange<Int64> {
                    try store.append(AuditEntry(time: Rows.later(number), event: .registered))
                }
            }
            for size in [1, 15] as [Int64] {
                do {
                    try await store.write { _ = try $0.removePrunedAudit(through: size, limit: 9) }
                    try expect(false, "an entry that is not pruned stays")
                } catch is StoreError {}
            }
            try await store.write { store in
                guard var state = try store.platformState() else { return try expect(false, "a state") }
                state.prunedAudit = PrunedAudit(
                    size: 14, peaks: (0..<3).map { [UInt8](repeating: $0, count: 32) }, hasRows: true)
                try expect(store.update(state), "the state is as it was inserted")
                try expect(store.platformState()?.prunedAudit == state.prunedAudit, "the pruned part as stored")
                try expect(store.removePrunedAudit(through: 14, limit: 5) == 5, "up to the limit")
                try expect(numbers(store) == Array(6...20), "the earliest first")
                try expect(store.removePrunedAudit(through: 14, limit: 0) == 0, "none")
            }
            do {
                try await store.write { _ = try $0.removePrunedAudit(through: 15, limit: 20) }
                try expect(false, "an entry that is not pruned stays")
            } catch is StoreError {}
            do {
                try await store.write { store in
                    _ = try store.removePrunedAudit(through: 14, limit: 5)
                    throw CancellationError()
                }
            } catch is CancellationError {}
            try await store.write { store in
                try expect(numbers(store) == Array(6...20), "a removal is undone with its transaction")
                try expect(store.removePrunedAudit(through: 14, limit: 99) == 9, "the rest of the part")
                try expect(store.removePrunedAudit(through: 14, limit: 99) == 0, "nothing is left")
                try expect(numbers(store) == Array(15...20), "what remains")
                try expect(store.auditEntries(of: nil, before: 16, limit: 9).map(\.sequence) == [15], "before 16")
                try expect(store.auditEntries(from: 1, limit: 1).map(\.sequence) == [15], "from the first")
                try store.append(AuditEntry(time: Rows.later(21), event: .registered))
                _ = try store.numberArrivals(limit: 9)
                try expect(numbers(store) == Array(15...21), "the next number")
            }
        },
        .init("the refusals of a name are counted by the hour") { store in
            let (first, second) = (Timestamp(secondsSinceEpoch: 3_600), Timestamp(secondsSinceEpoch: 7_200))
            try await store.write { store in
                let counts = try [first, first, second, first].map { hour in
                    try store.countRefusal(of: Rows.alice, hour: hour)
                }
                try expect(counts == [1, 2, 1, 1], "another hour begins at 1")
                try expect(store.countRefusal(of: "another name", hour: first) == 1, "another name")
                try expect(store.countRefusal(of: Rows.alice, hour: first) == 2, "the first name again")
                try store.removeAccount(Rows.alice)
                try expect(store.countRefusal(of: Rows.alice, hour: first) == 1, "removed with the account")
                try expect(store.countRefusal(of: "another name", hour: first) == 2, "the other name stays")
                _ = try store.removeExpired(now: second, limit: 9)
                try expect(store.countRefusal(of: "another name", hour: first) == 3, "kept after its hour")
            }
        },
        .init("an API key is revoked once and stays listed") { store in
            try await store.write { store in
                _ = try store.insert(Rows.apiKey("k2", createdAt: Rows.later(1)))
                _ = try store.insert(Rows.apiKey("k1"))
                var key = Rows.apiKey("k1")
                key.revokedAt = Rows.later(5)
                try expect(store.update(key), "revoked")
                key.revokedAt = Rows.later(6)
                try expect(!store.update(key), "not twice")
                try expect(!store.update(Rows.apiKey("k3")), "no such key")
                try expect(store.apiKey("k1")?.revokedAt == Rows.later(5), "the first time counts")
                try expect(store.apiKeys().map(\.id) == ["k1", "k2"], "the oldest first")
            }
        },
        .init("platform keys are listed, the oldest first") { store in
            try await store.write { store in
                _ = try store.insert(Rows.platformKey(1, createdAt: Rows.later(1)))
                _ = try store.insert(Rows.platformKey(2))
            }
            let keys = try await store.read { try $0.platformKeys().map(\.id[0]) }
            try expect(keys == [2, 1], "the oldest first")
        },
        .init("a platform key keeps its times, and its private half can be erased") { store in
            let erased = Rows.erasedKey(3)
            try await store.write { try expect($0.insert(erased), "the erased key is new") }
            try await store.read { try expect($0.platformKeys() == [erased], "the erased key as stored") }
        },
        .init("key statements are listed in their order, from any number on, and each is stored once") { store in
            try await store.write { store in
                try expect(store.keyStatements(after: 0).isEmpty, "no statement")
                for sequence: UInt64 in [2, 1, 3] {
                    try expect(store.insert(Rows.statement(sequence)), "statement \(sequence) is new")
                }
                var other = Rows.statement(2)
                other.statement = []
                try expect(!store.insert(other), "a second statement 2")
            }
            try await store.read { reader in
                try expect(reader.keyStatements(after: 0) == (1...3).map { Rows.statement($0) }, "all in order")
                try expect(reader.keyStatements(after: 2) == [Rows.statement(3)], "those after the second")
                try expect(reader.keyStatements(after: 3).isEmpty, "none after the last")
            }
        },
    ]
}
