import Crypto
import Foundation
import OneTimePassword
import OrchestrationTesting
import Primitives
import SecureChannel
import Synchronization
import Testing
import TrustedIdentitySQLite

@testable import TrustedIdentity

/// The statements that run in a database.
final class StatementLog: Sendable {
    let statements = Mutex<[String]>([])
}

/// The number of statements of a login.
@Suite final class LoginStatementTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("statements-\(UUID().uuidString)")
    let log = StatementLog()

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns the statements that run meanwhile, without those that begin and end transactions.
    func count(_ work: () async throws -> Void) async throws -> [String] {
        log.statements.withLock { $0 = [] }
        try await work()
        let frame = ["BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "PRAGMA"]
        return log.statements.withLock { $0 }.filter { sql in !frame.contains { sql.hasPrefix($0) } }
    }

    @Test func `a wrong code, an unknown user and a blocked user cost the same statements`() async throws {
        let path = folder.appendingPathComponent("platform.sqlite").path
        let store = try await SQLiteStore(path: path) { [log] sql in log.statements.withLock { $0.append(sql) } }
        let time = ManualTimeSource()
        var configuration = PlatformConfiguration(postQuantum: .off)
        configuration.passwordHash = .testing
        let platform = try await Platform(
            configuration: configuration, store: store, masterKey: MasterKey.make(id: "test"), time: time)
        _ = try await platform.register(.init(account: Harness.account()))
        #expect(try await Maintenance(platform).prepareRefusals())
        let secrets = DeviceSecrets(
            password: .init(size: .bits256), possession: .init(size: .bits256), channel: .init(size: .bits256))
        let ratchet = DeviceRatchet(confirmed: .init(size: .bits256), previous: .init(size: .bits256))
        var device = Fixture.device(.active)
        let owner = RowOwner(device)
        device.secrets = try platform.sealer.seal(
            secrets.encoded(), .deviceSecrets, row: device.id, owner: owner, revision: 0)
        device.ratchet = try platform.sealer.seal(
            ratchet.encoded(), .deviceRatchet, row: device.id, owner: owner, revision: 0)
        let row = device
        _ = try await platform.store.write { try $0.insert(row) }
        let key = InstanceKeys.codeKey(
            secret: secrets.password, ratchet: ratchet.confirmed, application: 1, instance: .password,
            device: DeviceAddress(tenant: "default", account: try Harness.account(), id: device.id))
        func login(
            _ code: String, _ user: String = Harness.alice, application: CryptoApplicationIndex = .app1
        ) async throws -> LoginDecision {
            let credential = LoginRequest.Credential.oneTimePassword(code, application: application)
            return try await platform.login(.init(account: Harness.account(user), credential: credential))
        }
        func code() throws -> String { try TOTP(key: OneTimePasswordKey(key), digits: 8).code(at: time.now()).digits }

        for _ in 0..<2 {
            time.advance(milliseconds: 30_000)
            let typed = try code()
            let accepted = try await count {
                let decision = try await login(typed)
                #expect(decision.status == .accepted)
            }
            // Reads of account, counts of failures, those of a shared name, platform, risk, devices and counters; then
            // the platform, the counts, the device, the counter, the end of the log and the log.
            #expect(accepted.count == 13, "\(accepted)")
        }
        let wrong = try await count {
            let decision = try await login("00000000")
            #expect(decision.reason == .wrongCredential)
        }
        let unknown = try await count {
            let decision = try await login("00000000", "nobody@master")
            #expect(decision.reason == .unknownAccount)
        }
        for _ in 0..<2 { _ = try await login("00000000") }
        let again = try await count {
            let decision = try await login("00000000")
            #expect(decision.reason == .wrongCredential)
        }
        // A change of the password that is open makes no difference, and neither do enrolled methods.
        let methods = Dictionary(
            uniqueKeysWithValues: EnrolledMethod.enrollable.map { ($0, SymmetricKey(size: .bits256)) })
        let enrolled = DeviceSecrets(
            password: secrets.password, possession: secrets.possession, channel: secrets.channel, methods: methods)
        let sealed = try platform.sealer.seal(
            enrolled.encoded(), .deviceSecrets, row: row.id, owner: owner, revision: 0)
        let isOpen = try await platform.store.write { store in
            guard var open = try store.device(row.id) else { return false }
            open.offer(generation: 1)
            open.enrolledMethods = EnrolledMethod.enrollable.map {
                EnrolledMethod(
                    method: $0, protection: .system, key: [UInt8](repeating: $0.rawValue, count: 33),
                    registeredAt: Fixture.now, requestedAt: Fixture.now)
            }
            open.secrets = sealed
            return try store.update(open)
        }
        #expect(isOpen)
        let open = try await count {
            let decision = try await login("00000000")
            #expect(decision.reason == .wrongCredential)
        }
        #expect(open == again, "\(open) \(again)")
        time.advance(milliseconds: 30_000)
        let typed = try code()
        let blocked = try await count {
            let decision = try await login(typed)
            #expect(decision.reason == .blocked)
        }
        // The log does not list the sixth refusal of an hour, for a name that no account has as well.
        for _ in 0..<4 { _ = try await login(typed, "nobody@master") }
        let counted = try await count {
            let decision = try await login(typed, "nobody@master")
            #expect(decision.reason == .unknownAccount)
        }
        var refused: [[String]] = []
        for user in [Harness.alice, "nobody@master"] {
            refused.append(
                try await count {
                    let decision = try await login(typed, user, application: .app3)
                    #expect(decision.reason == .applicationNotAllowed)
                })
        }
        #expect(refused[0] == refused[1], "\(refused)")
        // The first failure updates the counts of an account or a shared name as any other.
        #expect(wrong == again, "\(wrong)")
        #expect(again.count == 17 && unknown == again, "\(again) \(unknown)")
        #expect(blocked.dropLast() == again.dropLast() && blocked == counted, "\(blocked) \(counted)")
        // The last row goes to the log or to the entries that it does not list, by the same statement.
        let last = try #require(again.last)
        #expect(last.contains("INTO audit "))
        #expect(blocked.last == last.replacing("INTO audit ", with: "INTO unlisted_audit "))
        try await store.close()
    }
}
