import OrchestrationTesting
import Primitives

@testable import TrustedIdentity

extension StoreContract {
    static let devices: [ConformanceCheck<any SQLDatabase>] = [
        .init("devices are listed by account, the oldest first") { store in
            try await store.write { store in
                _ = try store.insert(Rows.device(3, createdAt: Rows.later(1)))
                _ = try store.insert(Rows.device(2))
                _ = try store.insert(Rows.device(1, state: .revoked, createdAt: Rows.later(2)))
                _ = try store.insert(Rows.device(9, account: "bob@master"))
            }
            let ids = try await store.read { try $0.devices(of: Rows.alice).map(\.id) }
            try expect(ids == [Rows.id(2), Rows.id(3), Rows.id(1)], "the oldest first")
        },
        .init("activated devices are chosen, counted and listed in pages, in the order of their serial numbers") {
            store in
            try await store.write { store in
                for (byte, account) in [(1, Rows.alice), (2, "bob@bank"), (3, "eve@x.bank"), (4, "a@bank@other")] {
                    var device = Rows.device(UInt8(byte), account: account, state: byte == 3 ? .revoked : .locked)
                    device.serialNumber = byte == 2 ? "TI0000000009" : "TI0000000001"
                    device.activatedAt = Rows.now
                    _ = try store.insert(device)
                }
                _ = try store.insert(Rows.device(9))
            }
            try await store.read { (store: any StoreReader) in
                func list(_ filter: DeviceFilter, offset: Int = 0, limit: Int = 9) throws -> [[UInt8]] {
                    try store.activatedDevices(matching: filter, offset: offset, limit: limit).map(\.id)
                }
                func expectAll(_ filter: DeviceFilter, _ bytes: [UInt8], _ message: String) throws {
                    try expect(list(filter) == bytes.map(Rows.id), message)
                    try expect(store.activatedDeviceCount(matching: filter) == bytes.count, "the number: \(message)")
                }
                try expectAll(DeviceFilter(), [1, 3, 4, 2], "all that were activated")
                try expectAll(DeviceFilter(serialNumber: "TI0000000001"), [1, 3, 4], "by serial number")
                try expectAll(DeviceFilter(serialNumber: "TI"), [], "the whole serial number")
                try expectAll(DeviceFilter(domains: ["bank"]), [2], "by domain, not by its end")
                try expectAll(DeviceFilter(domains: ["bank", "other"]), [4, 2], "by several domains")
                try expectAll(DeviceFilter(domains: []), [], "by no domain")
                try expectAll(DeviceFilter(isAssigned: false), [3], "revoked")
                try expectAll(DeviceFilter(domains: ["x.bank"], isAssigned: true), [], "both conditions")
                try expect(list(DeviceFilter(), offset: 1, limit: 2) == [3, 4].map(Rows.id), "a page")
                try expect(list(DeviceFilter(), offset: 4).isEmpty, "a page beyond the end")
            }
        },
        .init("a device is removed with its counters") { store in
            try await store.write { store in
                _ = try store.insert(Rows.device())
                _ = try store.move(
                    CodeCounterRecord(device: Rows.id(1), instance: .password, application: 1, next: 1), from: nil)
                try store.removeDevice(Rows.id(1))
                try store.removeDevice(Rows.id(2))
                try expect(store.device(Rows.id(1)) == nil, "the device is gone")
                try expect(store.devices(of: Rows.alice).isEmpty, "and not listed")
                try expect(store.codeCounters(of: Rows.id(1)).isEmpty, "its counters are gone")
            }
        },
        .init("device data replace earlier ones, and are removed alone, with their device, and when their time is over")
        {
            store in
            let data = DeviceDataRecord(device: Rows.id(1), content: Rows.sealed(3), keptUntil: Rows.later(1))
            let later = DeviceDataRecord(device: Rows.id(1), content: Rows.sealed(4), keptUntil: Rows.later(2))
            try await store.write { store in
                try expect(store.deviceData(of: Rows.id(1)) == nil, "none at first")
                try store.put(data)
                try expect(store.deviceData(of: Rows.id(1)) == data, "the data as they were stored")
                try store.put(later)
                try expect(store.deviceData(of: Rows.id(1)) == later, "the later data alone")
                try store.removeDeviceData(of: Rows.id(2))
                try expect(store.deviceData(of: Rows.id(1)) == later, "another device's stay")
                try store.removeDeviceData(of: Rows.id(1))
                try expect(store.deviceData(of: Rows.id(1)) == nil, "removed")
                _ = try store.insert(Rows.device())
                try store.put(data)
                try store.removeDevice(Rows.id(1))
                try expect(store.deviceData(of: Rows.id(1)) == nil, "removed with the device")
                for byte in 1...3 as ClosedRange<UInt8> {
                    try store.put(DeviceDataRecord(device: Rows.id(byte), content: Rows.sealed(1), keptUntil: Rows.now))
                }
                try store.put(DeviceDataRecord(device: Rows.id(9), content: Rows.sealed(1), keptUntil: Rows.later(1)))
                try expect(store.removeExpired(now: Rows.now, limit: 2) == 2, "up to the limit")
                try expect(store.removeExpired(now: Rows.now, limit: 2) == 1, "the rest")
                try expect(store.deviceData(of: Rows.id(9)) != nil, "what is not over stays")
            }
        },
        .init("a walk over devices or accounts returns each of them once, in the order of their keys") { store in
            let names = ["a@master", "b@master", "zz@master", "\u{E9}@master"]
            try await store.write { store in
                for byte in [3, 1, 255, 2] as [UInt8] {
                    _ = try store.insert(Rows.device(byte, state: byte == 2 ? .revoked : .active))
                }
                for name in names.reversed() { _ = try store.insert(Rows.account(name)) }
            }
            try await store.read { reader in
                try expect(reader.devices(after: nil, limit: 3).map(\.id) == [1, 2, 3].map(Rows.id), "the first page")
                try expect(reader.devices(after: Rows.id(3), limit: 3).map(\.id) == [Rows.id(255)], "the next page")
                try expect(reader.devices(after: Rows.id(255), limit: 3).isEmpty, "the end")
                try expect(reader.devices(after: Rows.id(9), limit: 3).count == 1, "after an id without a device")
                try expect(reader.accounts(after: nil, limit: 2).map(\.name) == Array(names[..<2]), "the first page")
                try expect(reader.accounts(after: names[1], limit: 9).map(\.name) == Array(names[2...]), "the rest")
                try expect(reader.accounts(after: names[3], limit: 9).isEmpty, "the end")
            }
        },
        .init("a walk over exchanges or approval requests returns each of them once") { store in
            try await store.write { store in
                for byte in [3, 1, 255] as [UInt8] {
                    _ = try store.insert(Rows.session(byte, keptUntil: Rows.later(1)))
                    _ = try store.insert(Rows.approval(byte))
                }
            }
            try await store.read { (reader: any StoreReader) in
                func expectWalk(_ page: ([UInt8]?, Int) throws -> [[UInt8]]) throws {
                    try expect(page(nil, 2) == [1, 3].map(Rows.id), "the first page")
                    try expect(page(Rows.id(3), 2) == [Rows.id(255)], "the next page")
                    try expect(page(Rows.id(255), 2).isEmpty, "the end")
                    try expect(page(Rows.id(2), 9).count == 2, "after an id without a row")
                }
                try expectWalk { try reader.activationSessions(after: $0, limit: $1).map(\.id) }
                try expectWalk { try reader.approvals(after: $0, limit: $1).map(\.id) }
            }
        },
        .init("expired exchanges and replays are deleted, up to the limit, and the others stay") { store in
            try await store.write { store in
                for byte in 1...3 {
                    _ = try store.insert(Rows.session(UInt8(byte), keptUntil: Rows.now))
                    _ = try store.insert(Rows.replay(UInt8(byte), keptUntil: Rows.now))
                }
                _ = try store.insert(Rows.session(9, keptUntil: Rows.later(1)))
                _ = try store.insert(Rows.replay(9, keptUntil: Rows.later(1)))
                try expect(store.activationSessionCount(of: nil) == 4, "four exchanges")
                try expect(store.removeExpired(now: Rows.now, limit: 2) == 4, "two of each kind")
                try expect(store.removeExpired(now: Rows.now, limit: 2) == 2, "the rest")
                try expect(store.removeExpired(now: Rows.now, limit: 2) == 0, "nothing more")
                try expect(store.activationSessionCount(of: nil) == 1, "one exchange")
                try expect(store.activationSession(Rows.id(9)) != nil, "the one that has not expired")
                try expect(store.replay(device: Rows.id(1), request: Rows.id(9)) != nil, "and its replay")
            }
        },
    ]
}
