import OrchestrationTesting
import Primitives

@testable import TrustedIdentity

extension StoreContract {
    static let challenges: [ConformanceCheck<any SQLDatabase>] = [
        .init("a challenge is stored once, and used by compare-and-set") { store in
            try await store.write { store in
                let open = Rows.challenge(1)
                try expect(store.challenge(Rows.id(1)) == nil, "there is none")
                try expect(!store.update(open), "nothing to use")
                try expect(store.insert(open), "the first")
                var other = Rows.challenge(1, account: "bob@master")
                other.challenge = "0000"
                try expect(!store.insert(other), "the request id is taken")
                try expect(store.challenge(Rows.id(1)) == open, "as stored")
                var used = open
                used.usedAt = Rows.later(7)
                try expect(store.update(used), "used")
                try expect(!store.update(used), "once")
                used.version = 1
                try expect(store.challenge(Rows.id(1)) == used, "as updated")
            }
        },
        .init("of the challenges of an account the oldest give way") { store in
            try await store.write { store in
                for byte in 1...5 {
                    let time = Rows.later(byte == 5 ? 1 : Int64(byte))
                    _ = try store.insert(Rows.challenge(UInt8(byte), expiresAt: time))
                }
                _ = try store.insert(Rows.challenge(9, account: "bob@master", expiresAt: Rows.now))
                func left() throws -> [UInt8] { try (1...9).filter { try store.challenge(Rows.id($0)) != nil } }
                try store.removeOldestChallenges(of: Rows.alice, keeping: 5)
                try expect(left() == [1, 2, 3, 4, 5, 9], "as many as allowed")
                try store.removeOldestChallenges(of: Rows.alice, keeping: 4)
                try expect(left() == [1, 2, 3, 4, 9], "of two of the same time the one with the lower id stays")
                try store.removeOldestChallenges(of: Rows.alice, keeping: 2)
                try expect(left() == [3, 4, 9], "the latest stay")
                try store.removeOldestChallenges(of: "carol@master", keeping: 0)
                try store.removeOldestChallenges(of: Rows.alice, keeping: 0)
                try expect(left() == [9], "those of the other account stay")
            }
        },
        .init("challenges are removed when they expire, and with their account") { store in
            try await store.write { store in
                for byte in 1...3 { _ = try store.insert(Rows.challenge(UInt8(byte), expiresAt: Rows.now)) }
                var used = Rows.challenge(4, expiresAt: Rows.later(1))
                used.usedAt = Rows.now
                _ = try store.insert(used)
                try expect(store.removeExpired(now: Rows.now, limit: 2) == 2, "up to the limit")
                try expect(store.removeExpired(now: Rows.now, limit: 2) == 1, "the rest")
                try expect(store.challenge(Rows.id(4)) == used, "one that has not expired stays, used or not")
                try expect(store.removeExpired(now: Rows.later(1), limit: 2) == 1, "that one at its time")
                _ = try store.insert(Rows.account())
                _ = try store.insert(Rows.challenge(5))
                _ = try store.insert(Rows.challenge(6, account: "bob@master"))
                try store.removeAccount(Rows.alice)
                try expect(store.challenge(Rows.id(5)) == nil, "gone with the account")
                try expect(store.challenge(Rows.id(6)) != nil, "that of another account stays")
            }
        },
    ]
}
