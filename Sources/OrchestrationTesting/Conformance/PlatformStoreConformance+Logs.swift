internal import Primitives
internal import TrustedIdentity

extension PlatformStoreConformance {
    static let logs: [ConformanceCheck<any PlatformStore>] = [
        .init("the audit log counts from 1 and is read from its end") { store in
            try await store.write { store in
                for index in 1...5 {
                    try store.append(
                        AuditEntry(
                            sequence: 99, time: Rows.later(Int64(index)), event: AuditEvent(rawValue: "event.\(index)"),
                            account: index.isMultiple(of: 2) ? Rows.alice : nil,
                            device: index == 4 ? Rows.id(4) : nil, reason: "because"))
                }
            }
            try await store.read { reader in
                let all = try reader.auditEntries(of: nil, before: nil, limit: 10)
                try expect(all.map(\.sequence) == [5, 4, 3, 2, 1], "the latest first, without a gap")
                try expect(
                    all[1]
                        == AuditEntry(
                            sequence: 4, time: Rows.later(4), event: AuditEvent(rawValue: "event.4"),
                            account: Rows.alice, device: Rows.id(4), reason: "because"),
                    "every field as stored")
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
