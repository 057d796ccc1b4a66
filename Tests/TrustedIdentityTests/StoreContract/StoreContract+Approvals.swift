import OrchestrationTesting
import Primitives

@testable import TrustedIdentity

extension StoreContract {
    static let approvals: [ConformanceCheck<any SQLDatabase>] = [
        .init("every field of an approval request comes back as it was stored") { store in
            let rows = [Rows.approval(1), Rows.rejectedApproval(2)]
            try await store.write { store in
                for row in rows {
                    try expect(store.approval(row.id) == nil, "no row yet")
                    try expect(store.insert(row), "a new row")
                    try expect(!store.insert(row), "the id is taken")
                }
            }
            try await store.read { (reader: any StoreReader) in
                for row in rows {
                    try expect(reader.approval(row.id) == row, "as stored")
                    try expect(reader.approval(requestHash: row.requestHash) == row, "found by its hash")
                }
                try expect(reader.approval(requestHash: Rows.code(9)) == nil, "no row with another hash")
            }
        },
        .init("each state, kind and reason of an approval request is stored") { store in
            try await store.write { store in
                var byte: UInt8 = 0
                for state in ApprovalState.allCases {
                    for kind in ApprovalKind.allCases {
                        for reason in RejectionReason.allCases.map(Optional.some) + [nil] {
                            byte += 1
                            var row = Rows.approval(byte)
                            row.state = state
                            row.kind = kind
                            row.reason = reason
                            row.acceptedMethods = Set(AuthenticationMethod.allCases)
                            if state != .pending {
                                row.number = nil
                                row.endedAt = Rows.later(1)
                            }
                            if state == .canceled {
                                row.notice = try RefusalNotice(
                                    text: reason == .notMe ? nil : "Sold out – désolé",
                                    payload: reason == .wrongData ? nil : [0, 0xFF, byte])
                            }
                            if state == .pending || state == .methodRefused {
                                row.refusalNotice = try RefusalNotice(
                                    text: reason == .notMe ? nil : "Call us",
                                    payload: reason == .wrongData ? nil : [0xFF, byte])
                            }
                            try expect(store.insert(row), "a new row")
                            try expect(store.approval(row.id) == row, "as stored")
                        }
                    }
                }
            }
        },
        .init(
            "pending approval requests are found by the text of their request id or session id, in the order of their ids"
        ) {
            store in
            try await store.write { store in
                var rows = [
                    Rows.approval(3, requestID: "a"), Rows.approval(1, requestID: "b", principal: "k2"),
                    Rows.approval(2, requestID: "a", principal: "k2"), Rows.approval(4, requestID: "c"),
                ]
                rows[1].sessionID = "a"
                rows[3].sessionID = "c"
                for row in rows { try expect(store.insert(row), "a new row") }
                try expect(store.insert(Rows.rejectedApproval(5)), "a row that has ended")
            }
            try await store.read { (reader: any StoreReader) in
                func ids(_ name: String, _ limit: Int = 10) throws -> [[UInt8]] {
                    try reader.pendingApprovals(named: name, limit: limit).map(\.id)
                }
                try expect(ids("a") == [Rows.id(1), Rows.id(2), Rows.id(3)], "by either text")
                try expect(ids("a", 2) == [Rows.id(1), Rows.id(2)], "as many as the limit allows")
                try expect(ids("c") == [Rows.id(4)], "once by both texts")
                try expect(
                    ids("A").isEmpty && ids("").isEmpty && ids("session 5").isEmpty, "none of another text or state")
            }
        },
        .init("of two updates of one approval request from the same version, the second changes nothing") { store in
            try await store.write { _ = try $0.insert(Rows.approval()) }
            try await store.write { store in
                var approved = Rows.approval()
                approved.state = .approved
                approved.number = nil
                approved.endedAt = Rows.later(1)
                var rejected = approved
                rejected.state = .rejected
                try expect(store.update(approved), "the first")
                try expect(!store.update(rejected), "the second")
                try expect(store.approval(Rows.id(1))?.state == .approved, "the first stays")
            }
        },
        .init("pending approval requests are listed by account, the oldest first, expired ones included") { store in
            try await store.write { store in
                _ = try store.insert(Rows.approval(3, createdAt: Rows.later(1)))
                _ = try store.insert(Rows.approval(2, createdAt: Rows.later(1)))
                _ = try store.insert(Rows.approval(4, expiresAt: Rows.later(1)))
                _ = try store.insert(Rows.approval(5, account: "bob@master"))
                _ = try store.insert(Rows.rejectedApproval(6))
                try expect(
                    store.pendingApprovals(of: Rows.alice).map(\.id) == [Rows.id(4), Rows.id(2), Rows.id(3)],
                    "by time, then by id")
                try expect(store.pendingApprovals(of: "carol@master").isEmpty, "none of another account")
                let expired = { (limit: Int) in
                    try store.expiredApprovals(until: Rows.later(120_000), limit: limit).map(\.id)
                }
                try expect(expired(9).first == Rows.id(4) && expired(9).count == 4, "the earliest expiry first")
                try expect(expired(1) == [Rows.id(4)], "the limit")
                try expect(store.expiredApprovals(until: Rows.now, limit: 9).isEmpty, "none has expired yet")
            }
        },
        .init("an approval request is found by its request id and who asked, the latest first") { store in
            try await store.write { store in
                _ = try store.insert(Rows.approval(2, createdAt: Rows.later(2)))
                _ = try store.insert(Rows.approval(3, createdAt: Rows.later(2)))
                _ = try store.insert(Rows.approval(4, createdAt: Rows.later(1)))
                _ = try store.insert(Rows.approval(5, principal: "k2", createdAt: Rows.later(9)))
                _ = try store.insert(Rows.approval(6, requestID: "R", createdAt: Rows.later(9)))
                try expect(store.approval(requestID: "r", of: "k1")?.id == Rows.id(3), "the latest, ties by id")
                try expect(store.approval(requestID: "r", of: "k2")?.id == Rows.id(5), "that of another key")
                try expect(store.approval(requestID: "R", of: "k1")?.id == Rows.id(6), "case counts")
                try expect(store.approval(requestID: "r", of: "") == nil, "none of an embedding program")
                try expect(store.approval(requestID: "x", of: "k1") == nil, "no such id")
            }
        },
        .init("what the policy remembers of an account is one row") { store in
            try await store.write { store in
                var risk = AccountRiskRecord(
                    account: Rows.alice, state: [UInt8](repeating: 5, count: 65_536))
                try expect(store.accountRisk(Rows.alice) == nil, "nothing yet")
                try expect(store.insert(risk) && !store.insert(risk), "one row")
                try expect(store.accountRisk(Rows.alice) == risk, "as stored")
                risk.state = []
                try expect(store.update(risk), "from its version")
                risk.version = 1
                try expect(store.accountRisk(Rows.alice) == risk, "as stored")
                try expect(store.accountRisk("bob@master") == nil, "none of another account")
            }
        },
        .init("records of decisions are found by id, and by account, the latest first, and deleted by account") {
            store in
            try await store.write { store in
                try expect(store.policyDecision(Rows.id(1)) == nil, "none yet")
                for byte in [1, 3, 2] as [UInt8] {
                    let row = Rows.decision(byte, createdAt: Rows.later(byte == 1 ? 1 : 2))
                    try expect(store.insert(row) && !store.insert(row), "one row")
                    try expect(store.policyDecision(row.id) == row, "as stored")
                }
                let found = { (limit: Int) in try store.policyDecisions(of: Rows.alice, limit: limit).map(\.id) }
                try expect(found(9) == [Rows.id(3), Rows.id(2), Rows.id(1)], "the latest first")
                try expect(found(2) == [Rows.id(3), Rows.id(2)], "the limit")
                try expect(store.policyDecisions(of: "bob@master", limit: 9).isEmpty, "none of another account")
                try expect(store.removePolicyDecisions(of: "bob@master", limit: 9) == 0, "nothing to delete")
                let count = try found(9).count
                try expect(store.removePolicyDecisions(of: Rows.alice, limit: 1) == 1, "up to the limit")
                try expect(store.removePolicyDecisions(of: Rows.alice, limit: 9) == count - 1, "the rest")
                try expect(found(9).isEmpty, "all are deleted")
                let approvals = [Rows.approval(1), Rows.approval(2, requestID: "s")]
                for approval in approvals { _ = try store.insert(approval) }
                try store.removeApproval(approvals[0].id)
                try store.removeApproval(approvals[0].id)
                try expect(store.approval(approvals[0].id) == nil, "the approval request is deleted")
                try expect(store.approval(approvals[1].id) != nil, "another one stays")
            }
        },
        .init("a stream token is removed once, and with its device") { store in
            try await store.write { (store: StoreTransaction) in
                let token = Rows.streamToken()
                try expect(store.streamToken(token.tokenHash) == nil, "none yet")
                try expect(store.insert(token) && !store.insert(token), "one row")
                try expect(store.streamToken(token.tokenHash) == token, "as stored")
                try expect(store.removeStreamToken(token.tokenHash), "the first use")
                try expect(!store.removeStreamToken(token.tokenHash), "the second use")
                for (byte, device) in [(1, 1), (2, 1), (3, 2)] as [(UInt8, UInt8)] {
                    _ = try store.insert(Rows.streamToken(byte, device: device))
                }
                try store.removeStreamTokens(of: Rows.id(1))
                try expect(store.streamToken(Rows.code(1)) == nil, "gone")
                try expect(store.streamToken(Rows.code(2)) == nil, "gone")
                try expect(store.streamToken(Rows.code(3)) != nil, "that of another device stays")
            }
        },
        .init("approval requests, records of decisions and stream tokens are removed when they expire") { store in
            try await store.write { (store: StoreTransaction) in
                for byte in 1...3 as ClosedRange<UInt8> {
                    let end = Rows.later(Int64(byte))
                    _ = try store.insert(Rows.approval(byte, keptUntil: end))
                    _ = try store.insert(Rows.decision(byte, keptUntil: end))
                    _ = try store.insert(Rows.streamToken(byte, expiresAt: end))
                }
                try expect(store.removeExpired(now: Rows.later(2), limit: 1) == 3, "one of each")
                try expect(store.removeExpired(now: Rows.later(2), limit: 9) == 3, "the rest")
                try expect(store.removeExpired(now: Rows.later(2), limit: 9) == 0, "nothing more")
                try expect(store.approval(Rows.id(2)) == nil && store.approval(Rows.id(3)) != nil, "requests")
                try expect(
                    store.policyDecision(Rows.id(2)) == nil && store.policyDecision(Rows.id(3)) != nil, "decisions")
                try expect(
                    store.streamToken(Rows.code(2)) == nil && store.streamToken(Rows.code(3)) != nil, "tokens")
            }
        },
    ]
}
