import Crypto
import Foundation
import OneTimePassword
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport

@testable import TrustedIdentity

/// A platform on a database whose statements are recorded, with one active device of alice.
final class CountedPlatform {
    let time = ManualTimeSource()
    let store: SQLiteDatabase
    let platform: Platform
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("counted-\(UUID().uuidString)")
    private let log = StatementLog()
    private let secrets = DeviceSecrets(
        password: .init(size: .bits256), possession: .init(size: .bits256), channel: .init(size: .bits256))
    private let ratchet = DeviceRatchet(start: .init(size: .bits256))

    init(policy: Policy = .default) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try await SQLiteDatabase(path: folder.appendingPathComponent("platform.sqlite").path) { [log] sql in
            log.statements.withLock { $0.append(sql) }
        }
        var configuration = PlatformConfiguration(postQuantum: .off, policy: policy)
        configuration.passwordHash = .testing
        configuration.answerInterval = .zero
        platform = try await Platform(
            configuration: configuration, database: store, masterKey: MasterKey.make(id: "test"), time: time)
        _ = try await platform.register(.init(account: Harness.account()))
        var device = Fixture.device(.active)
        let owner = RowOwner(device)
        device.secrets = try platform.sealer.seal(
            secrets.encoded(), .deviceSecrets, row: device.id, owner: owner, revision: 0)
        device.ratchet = try platform.sealer.seal(
            ratchet.encoded(), .deviceRatchet, row: device.id, owner: owner, revision: 0)
        let row = device
        _ = try await platform.store.write { try $0.insert(row) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns the statements that run meanwhile, without those that begin and end transactions.
    func statements(of work: () async throws -> Void) async throws -> [String] {
        log.statements.withLock { $0 = [] }
        try await work()
        let frame = ["BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "PRAGMA"]
        return log.statements.withLock { $0 }.filter { sql in !frame.contains { sql.hasPrefix($0) } }
    }

    /// Returns the device's key for the codes of an application.
    func key(application: UInt8) throws -> OneTimePasswordKey {
        OneTimePasswordKey(
            InstanceKeys.codeKey(
                secret: secrets.password, ratchet: ratchet.confirmed, application: application, instance: .password,
                device: DeviceAddress(tenant: "default", account: try Harness.account(), id: Fixture.id)))
    }
}
