import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The replacement of the keys that seal and authenticate rows.
@Suite struct DataKeysTests {
    private func replace(_ harness: Harness, on store: (any SQLDatabase)? = nil, forgetting: Bool = false)
        async throws -> DataKeysReport
    {
        try await Platform.replaceDataKeys(
            on: store ?? harness.store, masterKey: harness.masterKey, forgettingSources: forgetting,
            time: harness.time, random: harness.random)
    }

    /// The rows and the values under the keys of a platform, by table.
    private static func rows(of platform: Platform, under keys: DataKeys) async throws -> [String: Int] {
        let authenticator = RowAuthenticator(tenant: "default", keys: keys)
        let sealer = RowSealer(tenant: "default", keys: keys, random: SystemRandomSource())
        return try await platform.store.unchecked.read { store in
            var counts: [String: Int] = [:]
            func count<Record: StoredRecord>(_: Record.Type) throws {
                let table = Record.table
                let found = try store.rows(table.select, []) { row in
                    table.isAuthentic(row) { authenticator.code(ofRow: $0, in: table.name) }
                }
                let count = found.count { $0 }
                if count > 0 { counts[table.name] = count }
            }
            func count(
                _ value: SealedValue?, _ table: RowSealer.Table, row: [UInt8], owner: RowOwner? = nil
            ) {
                guard let value else { return }
                do { _ = try sealer.open(value, table, row: row, owner: owner) } catch { return }
                counts[table.rawValue, default: 0] += 1
            }
            let (accounts, devices) = (
                try store.accounts(after: nil, limit: 100), try store.devices(after: nil, limit: 100)
            )
            try count(PlatformStateRecord.self)
            try count(PlatformKeyRecord.self)
            try count(APIKeyRecord.self)
            try count(DeviceRecord.self)
            try count(ApprovalRecord.self)
            for key in try store.platformKeys() { count(key.privateKey, .platformKey, row: key.id) }
            for account in accounts {
                count(account.staticPassword, .staticPassword, row: Array(account.name.utf8))
                guard let password = try store.activationPassword(of: account.name) else { continue }
                count(
                    password.secret, .activationPassword, row: Array(password.registrationID.utf8),
                    owner: RowOwner(account: account.name))
            }
            for device in devices {
                let owner = RowOwner(device)
                count(device.secrets, .deviceSecrets, row: device.id, owner: owner)
                count(device.ratchet, .deviceRatchet, row: device.id, owner: owner)
                count(device.channelKey, .revokedChannelKey, row: device.id, owner: owner)
                count(try store.deviceData(of: device.id)?.content, .deviceData, row: device.id, owner: owner)
            }
            for approval in try store.approvals(after: nil, limit: 100) {
                count(approval.number, .approvalNumber, row: approval.id, owner: RowOwner(account: approval.account))
            }
            for session in try store.activationSessions(after: nil, limit: 100) {
                count(
                    session.keys, .activationSession, row: session.id,
                    owner: RowOwner(exchangeOf: session.account, registrationID: session.registrationID))
            }
            return counts
        }
    }

    @Test func `every row and every value gets the new keys, and nothing stays under the earlier ones`() async throws {
        var configuration = PlatformConfiguration(postQuantum: .off, requestsPerDevice: 6_000)
        configuration.recordsEvents = true
        let harness = try await Harness(configuration)
        let scene = try await MasterKeyScene(harness)
        let earlier = harness.platform.dataKeys
        let before = try await Self.rows(of: harness.platform, under: earlier)
        // Each table with an HMAC, and each sealed column but that of the keys themselves.
        let sealed = Set(RowSealer.Table.allCases.map(\.rawValue)).subtracting([RowSealer.Table.dataKeys.rawValue])
        #expect(sealed.isSubset(of: before.keys), "\(sealed.subtracting(before.keys))")
        #expect(before.count == sealed.count + 5)

        let report = try await replace(harness)
        let after = try await harness.restarted()
        #expect(try await Self.rows(of: after.platform, under: earlier) == [:])
        #expect(try await Self.rows(of: after.platform, under: after.platform.dataKeys) == before)
        #expect(report.rows > before.count && report.refusedRows == 0)
        #expect(try await after.events(.dataKeysReplaced).map(\.reason) == [""])
        try await scene.expectEverythingWorks(on: after)
    }

    @Test func `a row that another program has changed stays refused`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        _ = try await harness.store.write { [id = device.id] store in
            guard var row = try store.device(id) else { return }
            row.state = .locked
            try store.alter(row)
        }
        #expect(try await replace(harness).refusedRows == 1)
        let after = try await harness.restarted()
        await #expect(throws: PlatformError(.alteredRow)) {
            _ = try await after.platform.read { [id = device.id] in try $0.device(id) }
        }
    }

    @Test func `sources become unknown on demand only, and API keys never`() async throws {
        for forgetting in [false, true] {
            let harness = try await Harness()
            let key = try await harness.platform.createAPIKey(scope: .applicationServer, name: "shop")
            let before = harness.platform.hashes
            _ = try await replace(harness, forgetting: forgetting)
            let after = try await harness.restarted()
            let hashes = after.platform.hashes
            #expect(try await after.platform.authenticate(apiKey: key.secret)?.id == key.id)
            let (alice, text) = (Harness.alice, "browser")
            #expect((hashes.stored(source: text, of: alice) == before.stored(source: text, of: alice)) != forgetting)
            #expect((hashes.stored(browser: text, of: alice) == before.stored(browser: text, of: alice)) != forgetting)
            #expect(hashes.stored(creditor: text, of: alice) == before.stored(creditor: text, of: alice))
            #expect(try await after.events(.dataKeysReplaced).map(\.reason) == [forgetting ? "sources" : ""])
        }
    }

    @Test(arguments: [false, true])
    func `an interrupted call changes nothing or everything`(isAfterCommit: Bool) async throws {
        let harness = try await Harness()
        let scene = try await MasterKeyScene(harness)
        let store = CrashingStore(harness.store)
        store.crash(atWrite: 0, afterCommit: isAfterCommit)
        await #expect(throws: PlatformError(.storeFailed)) { _ = try await replace(harness, on: store) }
        let after = try await harness.restarted()
        #expect((after.platform.dataKeys.id == harness.platform.dataKeys.id) != isAfterCommit)
        try await scene.expectEverythingWorks(on: after)
    }

    @Test func `another master key, another tenant and an empty store change nothing`() async throws {
        let harness = try await Harness()
        let other = try MasterKey.make(id: "test")
        await #expect(throws: PlatformError(.wrongMasterKey)) {
            _ = try await Platform.replaceDataKeys(on: harness.store, masterKey: other)
        }
        await #expect(throws: PlatformError(.wrongTenant)) {
            _ = try await Platform.replaceDataKeys(on: harness.store, masterKey: harness.masterKey, tenant: "other")
        }
        let empty = SQLiteDatabase.inMemory()
        await #expect(throws: PlatformError(.alteredRow)) {
            _ = try await Platform.replaceDataKeys(on: empty, masterKey: other)
        }
        #expect(try await empty.read { try $0.platformState() } == nil)
        #expect(try await harness.restarted().platform.dataKeys.id == harness.platform.dataKeys.id)
    }
}
