import OrchestrationTesting
import Primitives

@testable import TrustedIdentity

extension StoreContract {
    static let rows: [ConformanceCheck<any SQLDatabase>] = [
        .init("a new store is empty") { store in
            try await store.read { reader in
                try expect(reader.platformState() == nil, "no platform state")
                try expect(reader.account(Rows.alice) == nil, "no account")
                try expect(reader.activationPassword(of: Rows.alice) == nil, "no activation password")
                try expect(reader.activationSession(Rows.id(1)) == nil, "no exchange")
                try expect(reader.device(Rows.id(1)) == nil, "no device")
                try expect(reader.devices(of: Rows.alice).isEmpty, "no devices")
                try expect(reader.codeCounters(of: Rows.id(1)).isEmpty, "no counters")
                try expect(reader.throttle(ThrottleKey(account: Rows.alice, kind: .code)) == nil, "no failures")
                try expect(reader.replay(device: Rows.id(1), request: Rows.id(1)) == nil, "no replay")
                try expect(reader.apiKeys().isEmpty && reader.platformKeys().isEmpty, "no keys")
                try expect(reader.auditEntries(of: nil, before: nil, limit: 10).isEmpty, "no audit entries")
                try expect(reader.auditTallies(limit: 10).isEmpty, "no tallies")
            }
        },
        .init("every field of a row comes back as it was stored") { store in
            var device = Rows.device(state: .locked)
            device.lockReason = .cloneSuspected
            device.stateBeforeLock = .pendingNotification
            device.activatedAt = Rows.later(1)
            device.revokedAt = Rows.later(2)
            device.notificationIdentifier = "pull:00ff"
            device.ratchetIndex = Rows.large - 1
            device.offeredIndex = Rows.large
            device.generation = Rows.large - 1
            device.offeredGeneration = Rows.large
            device.enrolledMethods = [
                EnrolledMethod(
                    method: .biometric, protection: .system, key: [UInt8](repeating: 3, count: 33),
                    registeredAt: Rows.later(1), requestedAt: Rows.later(1)),
                EnrolledMethod(
                    method: .face, protection: .provider, key: [UInt8](repeating: 2, count: 33),
                    registeredAt: Rows.later(2), requestedAt: Rows.later(1)),
            ]
            device.passwordFailures = 4
            device.receiptHashes = [UInt8](repeating: 6, count: 128)
            device.deviceKeyAlgorithm = -49
            device.keyStatement = Rows.large
            device.capabilities = [1, 3, Rows.large]
            device.isRestored = true
            device.epoch = .max
            device.lastSeenAt = Rows.later(3)
            var session = Rows.session()
            session.secondRequestHash = [UInt8](repeating: 5, count: 32)
            session.secondAnswer = [9]
            var code = Rows.activationPassword()
            code.spentAt = Rows.later(9)
            code.movedDevice = Rows.id(3)
            var state = PlatformStateRecord(
                tenant: "default", createdAt: Rows.now, masterKeyID: "m1", dataKeys: Rows.sealed(8),
                restoredAt: Rows.later(4), epoch: .max, restoredSequence: 7,
                suspendedBelow: 6, suspendedBelowBefore: 5)
            state.auditSize = 4
            state.policyHash = [UInt8](repeating: 6, count: 32)
            let (full, exchange, spent, platform) = (device, session, code, state)
            try await store.write { store in
                try expect(store.insert(platform), "the platform state is new")
                try expect(store.insert(Rows.account()), "the account is new")
                try store.put(spent)
                try expect(store.insert(exchange), "the exchange is new")
                try expect(store.insert(full), "the device is new")
                try expect(store.insert(Rows.replay()), "the replay is new")
                try expect(store.insert(Rows.apiKey()), "the API key is new")
                try expect(store.insert(Rows.platformKey()), "the platform key is new")
            }
            try await store.read { reader in
                try expect(reader.platformState() == platform, "the platform state as stored")
                try expect(reader.account(Rows.alice) == Rows.account(), "the account as stored")
                try expect(reader.activationPassword(of: Rows.alice) == spent, "the activation password as stored")
                try expect(reader.activationSession(exchange.id) == exchange, "the exchange as stored")
                try expect(reader.device(full.id) == full, "the device as stored")
                try expect(
                    reader.replay(device: Rows.id(1), request: Rows.id(1)) == Rows.replay(), "the replay as stored")
                try expect(reader.apiKey("k1") == Rows.apiKey(), "the API key as stored")
                try expect(reader.platformKeys() == [Rows.platformKey()], "the platform key as stored")
            }
        },
        .init("an optional field that is nil stays nil") { store in
            var account = Rows.account()
            account.activatedAt = nil
            account.staticPassword = nil
            let device = Rows.device(state: .revoked)
            var session = Rows.session()
            session.keys = nil
            let (bare, erased, done) = (account, device, session)
            try await store.write { store in
                _ = try store.insert(bare)
                _ = try store.insert(erased)
                _ = try store.insert(done)
            }
            try await store.read { reader in
                try expect(reader.account(Rows.alice) == bare, "the account as stored")
                try expect(reader.device(erased.id) == erased, "the device as stored")
                try expect(reader.activationSession(done.id) == done, "the exchange as stored")
            }
        },
        .init("a second insert with the same key is refused and changes nothing") { store in
            try await store.write { store in
                let state = Rows.state("a")
                try expect(store.insert(state), "first")
                try expect(!store.insert(Rows.state("b")), "second state")
                try expect(store.platformState() == state, "the first state stays")
                try expect(store.insert(Rows.account()), "first")
                try expect(!store.insert(Rows.account()), "second account")
                try expect(store.insert(Rows.session()), "first")
                try expect(!store.insert(Rows.session()), "second exchange")
                try expect(store.insert(Rows.device()), "first")
                try expect(!store.insert(Rows.device(1, account: "bob@master")), "second device")
                try expect(store.device(Rows.id(1))?.account == Rows.alice, "the first device stays")
                try expect(store.devices(of: "bob@master").isEmpty, "and belongs to no other account")
                try expect(store.insert(Rows.replay()), "first")
                try expect(!store.insert(Rows.replay()), "second replay")
                try expect(store.insert(Rows.apiKey()), "first")
                try expect(!store.insert(Rows.apiKey()), "second API key")
                try expect(store.insert(Rows.platformKey()), "first")
                try expect(!store.insert(Rows.platformKey()), "second platform key")
            }
        },
        .init("an update succeeds from the version that it read, and only from that") { store in
            try await store.write { _ = try $0.insert(Rows.account()) }
            let changed = try await store.write { store in
                var account = Rows.account()
                account.registrationID = "r2"
                try expect(store.update(account), "version 0 is stored")
                try expect(store.account(Rows.alice)?.version == 1, "the version went up")
                account.registrationID = "r3"
                try expect(!store.update(account), "version 0 is gone")
                return try store.account(Rows.alice)
            }
            try expect(changed?.registrationID == "r2", "the failed update changed nothing")
            try await store.write { store in
                try expect(!store.update(Rows.account("bob@master")), "nothing to update")
                try expect(store.account("bob@master") == nil, "and nothing was created")
                try expect(!store.update(Rows.session()), "no exchange to update")
                try expect(!store.update(Rows.device()), "no device to update")
                try expect(!store.update(Rows.activationPassword()), "no activation password to update")
                try expect(
                    !store.update(Rows.state("a")), "no state to update")
            }
        },
        .init("the open move of a device ends once, and no other activation password does") { store in
            var moved = Rows.activationPassword()
            moved.movedDevice = Rows.id(3)
            let (move, registration) = (moved, Rows.activationPassword("bob@master"))
            try await store.write { store in
                try store.put(move)
                try store.put(registration)
                try store.endMove(of: Rows.id(4), account: Rows.alice, now: Rows.later(1))
                try expect(store.activationPassword(of: Rows.alice) == move, "another device ends nothing")
                try store.endMove(of: Rows.id(3), account: Rows.alice, now: Rows.later(2))
                try store.endMove(of: Rows.id(3), account: Rows.alice, now: Rows.later(3))
                try store.endMove(of: Rows.id(3), account: "bob@master", now: Rows.later(3))
            }
            try await store.read { reader in
                var ended = move
                ended.spentAt = Rows.later(2)
                ended.secret = nil
                ended.version = move.version + 1
                try expect(reader.activationPassword(of: Rows.alice) == ended, "the move has ended, once")
                try expect(
                    reader.activationPassword(of: "bob@master") == registration, "a registration is no move")
            }
        },
        .init("each kind of versioned row is replaced from its version, once, and counts it up") { store in
            try await store.write { store in
                let key = ThrottleKey(account: Rows.alice, kind: .code)
                let state = Rows.state("default", version: 7)
                var (account, password, session) = (Rows.account(), Rows.activationPassword(), Rows.session())
                var (device, throttle) = (Rows.device(), ThrottleRecord(key: key, now: Rows.now))
                var (apiKey, platformKey) = (Rows.apiKey(), Rows.platformKey())
                apiKey.version = 7
                platformKey.version = 7
                account.version = 7
                password.version = 7
                session.version = 7
                device.version = 7
                throttle.version = 7
                try store.put(password)
                try expect(
                    store.insert(state) && store.insert(account) && store.insert(session) && store.insert(device)
                        && store.insert(throttle) && store.insert(apiKey) && store.insert(platformKey), "new rows")
                try replaces(state, store.update) { try store.platformState() }
                try replaces(account, store.update) { try store.account(Rows.alice) }
                try replaces(password, store.update) { try store.activationPassword(of: Rows.alice) }
                try replaces(session, store.update) { try store.activationSession(session.id) }
                try replaces(device, store.update) { try store.device(device.id) }
                try replaces(throttle, store.update) { try store.throttle(key) }
                try replaces(apiKey, store.update) { try store.apiKey(apiKey.id) }
                try replaces(platformKey, store.update) { try store.platformKeys().first }
                let (approval, risk) = (Rows.approval(), AccountRiskRecord(account: Rows.alice, state: [1]))
                try expect(store.insert(approval) && store.insert(risk), "new rows")
                try replaces(approval, store.update) { try store.approval(approval.id) }
                try replaces(risk, store.update) { try store.accountRisk(Rows.alice) }
            }
        },
        .init("an account is removed with its activation password and its failures, and without its devices") { store in
            try await store.write { store in
                for name in [Rows.alice, "bob@master"] {
                    _ = try store.insert(Rows.account(name))
                    try store.put(Rows.activationPassword(name))
                    _ = try store.insert(
                        ThrottleRecord(key: ThrottleKey(account: name, kind: .code), now: Rows.now))
                }
                _ = try store.insert(Rows.device())
                _ = try store.insert(Rows.approval())
                for name in [Rows.alice, "bob@master"] {
                    _ = try store.insert(AccountRiskRecord(account: name, state: [1]))
                }
                try store.removeAccount(Rows.alice)
                try store.removeAccount("unknown@master")
                try expect(store.account(Rows.alice) == nil, "the account is gone")
                try expect(store.activationPassword(of: Rows.alice) == nil, "its activation password is gone")
                try expect(store.throttles(of: Rows.alice).isEmpty, "its failures are gone")
                try expect(store.accountRisk(Rows.alice) == nil, "what the policy remembers is gone")
                try expect(store.devices(of: Rows.alice).count == 1, "its device stays")
                try expect(store.pendingApprovals(of: Rows.alice).count == 1, "its approval requests stay")
                try expect(store.accountRisk("bob@master") != nil, "that of another account stays")
                try expect(store.account("bob@master") != nil, "another account stays")
                try expect(store.activationPassword(of: "bob@master") != nil, "with its activation password")
                try expect(store.throttles(of: "bob@master").count == 1, "and its failures")
            }
        },
    ]

    /// Checks the compare-and-set of a stored row.
    private static func replaces<Record: VersionedRecord>(
        _ record: Record, _ update: (Record) throws -> Bool, _ read: () throws -> Record?
    ) throws {
        let kind = "\(Record.self)"
        var (older, newer) = (record, record)
        older.version -= 1
        newer.version += 1
        try expect(!update(older) && !update(newer), "\(kind): neither from an earlier nor from a later version")
        try expect(read()?.version == record.version, "\(kind): as it was")
        try expect(update(record), "\(kind): from its version")
        try expect(read()?.version == record.version + 1, "\(kind): counted up")
        try expect(!update(record), "\(kind): once")
    }
}
