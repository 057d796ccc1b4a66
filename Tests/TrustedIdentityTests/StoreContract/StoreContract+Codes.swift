import OrchestrationTesting
import Primitives

@testable import TrustedIdentity

extension StoreContract {
    static let codes: [ConformanceCheck<any SQLDatabase>] = [
        .init("a new activation password replaces the earlier one") { store in
            try await store.write { store in
                try store.put(Rows.activationPassword())
                try store.put(Rows.activationPassword(registration: "r2"))
                try expect(store.activationPassword(of: Rows.alice)?.registrationID == "r2", "the new one")
                var code = Rows.activationPassword(registration: "r2")
                code.spentAt = Rows.now
                code.secret = nil
                try expect(store.update(code), "compare-and-set on its version")
                try expect(!store.update(code), "once")
                try expect(store.activationPassword(of: Rows.alice)?.secret == nil, "erased")
            }
        },
        .init("tries are spent up to the limit and returned down to zero") { store in
            try await store.write { store in
                try store.put(Rows.activationPassword())
                let spend = {
                    try store.spendTry(account: Rows.alice, registrationID: "r1", limit: 2, now: Rows.now)
                }
                let returnTry = { try store.returnTry(account: Rows.alice, registrationID: "r1") }
                try expect(!returnTry(), "nothing to return")
                try expect(spend() && spend(), "two tries")
                try expect(!spend(), "no third")
                try expect(store.activationPassword(of: Rows.alice)?.tries == 2, "the third changed nothing")
                try expect(returnTry(), "one returned")
                try expect(spend(), "and spent again")
                try expect(returnTry() && returnTry(), "two returned")
                try expect(!returnTry(), "none below zero")
            }
        },
        .init("no try is spent on an activation password that is expired, spent, replaced or unknown") { store in
            try await store.write { store in
                let spend = { (account: String, registration: String, time: Timestamp) in
                    try store.spendTry(account: account, registrationID: registration, limit: 5, now: time)
                }
                try store.put(Rows.activationPassword())
                try expect(!spend("bob@master", "r1", Rows.now), "unknown account")
                try expect(!spend(Rows.alice, "r0", Rows.now), "another registration")
                try expect(!spend(Rows.alice, "r1", Rows.later(600_000)), "expired to the millisecond")
                try expect(spend(Rows.alice, "r1", Rows.later(599_999)), "the last millisecond")
                var code = try store.activationPassword(of: Rows.alice)
                code?.spentAt = Rows.now
                if let code { try expect(store.update(code), "spent") }
                try expect(!spend(Rows.alice, "r1", Rows.now), "spent")
            }
        },
        .init("a code counter moves from the expected row only") { store in
            try await store.write { store in
                let first = CodeCounterRecord(
                    device: Rows.id(1), instance: .password, application: 8, next: Rows.large, drift: -2)
                try expect(!store.move(first, from: first), "there is none yet")
                try expect(store.move(first, from: nil), "the first")
                try expect(!store.move(first, from: nil), "there is one now")
                try expect(store.codeCounters(of: Rows.id(1)) == [first], "as stored")
                var second = first
                second.drift = 2
                var wrong = first
                wrong.drift = 0
                try expect(!store.move(second, from: wrong), "another drift")
                let changes: [(inout CodeCounterRecord) -> Void] = [
                    { $0.device = Rows.id(2) }, { $0.instance = .possession }, { $0.application = 7 },
                ]
                for change in changes {
                    var foreign = first
                    change(&foreign)
                    try expect(!store.move(second, from: foreign), "another device, instance or application")
                }
                try expect(store.move(second, from: first), "the right one")
                try expect(!store.move(second, from: first), "not twice")
                let other = CodeCounterRecord(device: Rows.id(1), instance: .possession, application: 1)
                try expect(store.move(other, from: nil), "another instance has its own")
                try expect(store.codeCounters(of: Rows.id(1)) == [second, other], "by instance")
                try store.removeCodeCounters(of: Rows.id(1))
                try expect(store.codeCounters(of: Rows.id(1)).isEmpty, "gone")
            }
        },
        .init("the counters of an account are those of all its devices") { store in
            try await store.write { store in
                _ = try store.insert(Rows.device(2))
                _ = try store.insert(Rows.device(1, createdAt: Rows.later(1)))
                _ = try store.insert(Rows.device(3, account: "bob@master"))
                let rows: [(UInt8, Instance, UInt8)] = [
                    (1, .password, 2), (1, .possession, 1), (2, .password, 1), (3, .password, 1),
                ]
                let counters = rows.map { device, instance, application in
                    CodeCounterRecord(device: Rows.id(device), instance: instance, application: application)
                }
                for counter in counters.reversed() { try expect(store.move(counter, from: nil), "new") }
                try expect(
                    store.codeCounters(ofAccount: Rows.alice) == Array(counters.prefix(3)),
                    "by device, instance and application")
                try expect(store.codeCounters(ofAccount: "unknown@master").isEmpty, "none of an unknown account")
            }
        },
        .init("of 256 concurrent uses of one code, one is accepted") { store in
            let start = CodeCounterRecord(device: Rows.id(1), instance: .password, application: 1, next: 7)
            _ = try await store.write { try $0.move(start, from: nil) }
            let successes = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<256 {
                    group.addTask {
                        // As the platform does it: read, decide outside, write if nothing changed.
                        let seen = try await store.read { try $0.codeCounters(of: Rows.id(1)).first }
                        guard var next = seen, next.next <= 7 else { return false }
                        next.next = 8
                        let moved = next
                        return try await store.write { try $0.move(moved, from: seen) }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try expect(successes == 1, "one success, not \(successes)")
        },
        .init("of 256 tries at once, as many are spent as there are") { store in
            try await store.write { try $0.put(Rows.activationPassword()) }
            let spent = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<256 {
                    group.addTask {
                        try await store.write {
                            try $0.spendTry(account: Rows.alice, registrationID: "r1", limit: 5, now: Rows.now)
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try expect(spent == 5, "five tries, not \(spent)")
        },
    ]
}
