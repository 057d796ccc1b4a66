import OrchestrationTesting
import Primitives

@testable import TrustedIdentity

extension StoreContract {
    static let events: [ConformanceCheck<any SQLDatabase>] = [
        .init("events have numbers in their order, which are used once, and are read as stored") { store in
            try await store.write { store in
                try expect(store.eventCount() == 0, "no event at first")
                for byte: UInt8 in 1...4 { try store.append(Rows.event(byte)) }
                _ = try store.numberEvents(limit: 9)
                try expect(store.events(after: 0, limit: 9).map(\.sequence) == [1, 2, 3, 4], "numbers from 1")
            }
            try await store.read { reader in
                try expect(reader.event(2) == Rows.event(2, sequence: 2), "every field as stored")
                try expect(reader.event(4) == Rows.event(4, sequence: 4), "fields without a value")
                try expect(reader.event(5) == nil && reader.event(0) == nil, "no other event")
                try expect(reader.events(after: 1, limit: 2).map(\.sequence) == [2, 3], "after a number, to the limit")
                try expect(reader.events(after: 4, limit: 9).isEmpty, "nothing after the last")
                try expect(reader.eventCount() == 4, "all are counted")
            }
            try await store.write { store in
                try expect(store.removeEvents(of: nil, limit: .max) == 4, "all are removed")
                try expect(store.eventCount() == 0, "none is left")
                try store.append(Rows.event(5))
                _ = try store.numberEvents(limit: 9)
                try expect(store.events(after: 0, limit: 9).map(\.sequence) == [5], "no number is used again")
            }
        },
        .init("an event is removed by its number and its id") { store in
            try await store.write { store in
                for byte: UInt8 in 1...3 { try store.append(Rows.event(byte)) }
                _ = try store.numberEvents(limit: 9)
                try expect(!store.removeEvent(2, id: Rows.id(3)), "another id")
                try expect(!store.removeEvent(9, id: Rows.id(2)), "another number")
                try expect(store.removeEvent(2, id: Rows.id(2)), "number and id")
                try expect(store.events(after: 0, limit: 9).map(\.event.id) == [1, 3].map(Rows.id), "no other one")
            }
        },
        .init("the events of an account are removed, and no others") { store in
            try await store.write { store in
                for byte: UInt8 in 1...6 {
                    var record = Rows.event(byte)
                    record.event.account = byte.isMultiple(of: 2) ? Rows.alice : byte == 3 ? nil : "bob@master"
                    try store.append(record)
                }
                _ = try store.numberEvents(limit: 9)
                try expect(store.removeEvents(of: Rows.alice, limit: 2) == 2, "up to the limit")
                try expect(store.events(after: 0, limit: 9).map(\.sequence) == [1, 3, 5, 6], "the earliest first")
                try expect(store.removeEvents(of: Rows.alice, limit: 2) == 1, "the rest")
                try expect(store.removeEvents(of: Rows.alice, limit: 2) == 0, "none is left")
                try expect(store.events(after: 0, limit: 9).map(\.sequence) == [1, 3, 5], "those of others stay")
            }
        },
        .init("an event of a transaction that fails is not stored") { store in
            struct Failure: Error {}
            do {
                try await store.write { store in
                    try store.append(Rows.event(1))
                    throw Failure()
                }
            } catch is Failure {}
            try await store.read { reader in
                try expect(reader.eventCount() == 0 && reader.event(1) == nil, "nothing is stored")
            }
        },
    ]
}
