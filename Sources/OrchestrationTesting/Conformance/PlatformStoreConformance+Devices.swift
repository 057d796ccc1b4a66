internal import Primitives
internal import TrustedIdentity

extension PlatformStoreConformance {
    static let devices: [ConformanceCheck<any PlatformStore>] = [
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
        .init("a restore marks each device that is not revoked, and counts its version up") { store in
            let count = try await store.write { store in
                _ = try store.insert(Rows.device(1))
                _ = try store.insert(Rows.device(2, account: "bob@master", state: .pending))
                _ = try store.insert(Rows.device(3, state: .revoked))
                return try store.markDevicesRestored(locking: false)
            }
            try expect(count == 2, "two devices")
            try await store.read { reader in
                try expect(reader.device(Rows.id(1))?.isRestored == true, "marked")
                try expect(reader.device(Rows.id(1))?.state == .active, "and not locked")
                try expect(reader.device(Rows.id(1))?.version == 1, "a decision on the earlier version fails")
                try expect(reader.device(Rows.id(3))?.isRestored == false, "a revoked one is not marked")
            }
        },
        .init("a locking restore locks each device that is not locked, and stores its state before") { store in
            var locked = Rows.device(2, state: .locked)
            locked.lockReason = .wrongPassword
            locked.stateBeforeLock = .active
            let before = locked
            try await store.write { store in
                _ = try store.insert(Rows.device(1))
                _ = try store.insert(before)
                _ = try store.markDevicesRestored(locking: true)
            }
            try await store.read { reader in
                let (first, second) = try (reader.device(Rows.id(1)), reader.device(Rows.id(2)))
                try expect(first?.state == .locked && first?.lockReason == .restored, "locked")
                try expect(first?.stateBeforeLock == .active, "with the state before")
                try expect(second?.lockReason == .wrongPassword, "another lock keeps its reason")
                try expect(second?.isRestored == true, "and is marked")
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
                try expect(store.activationSessionCount() == 4, "four exchanges")
                try expect(store.removeExpired(now: Rows.now, limit: 2) == 4, "two of each kind")
                try expect(store.removeExpired(now: Rows.now, limit: 2) == 2, "the rest")
                try expect(store.removeExpired(now: Rows.now, limit: 2) == 0, "nothing more")
                try expect(store.activationSessionCount() == 1, "one exchange")
                try expect(store.activationSession(Rows.id(9)) != nil, "the one that has not expired")
                try expect(store.replay(device: Rows.id(1), request: Rows.id(9)) != nil, "and its replay")
            }
        },
    ]
}
