#if PostgreSQL
    import Orchestration
    import OrchestrationTesting
    import Primitives
    import TestSupport
    import Testing
    import TrustedIdentity
    import TrustedIdentityPostgreSQL

    /// The copy of a platform's rows from SQLite to PostgreSQL. What depends on no server is tested in
    /// TrustedIdentityTests.
    @Suite(.enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
    struct MigrationTests {
        private struct Kill: Error {}

        /// Small, so that the audit log and the events need several transactions.
        private static let batch = 5

        /// A platform with an account, its device, and a user who makes its codes.
        private struct Source {
            let database = SQLiteDatabase.inMemory()
            let app: Orchestrator

            init() async throws {
                let platform = try await MigrationTests.platform(on: database)
                let owner = ScriptedUser(password: "482915")
                app = try await Orchestrator(
                    configuration: .testing(postQuantum: .off), transport: InProcessTransport(to: { platform }),
                    providers: [owner], store: MemoryStore())
                let account = try MigrationTests.account
                let registration = try await platform.register(Registration(account: account))
                try await app.user("alice").activate(with: registration.activationPassword)
                for number in 0..<20 {
                    _ = try await platform.register(
                        Registration(account: AccountName(text: "user\(number)@master", defaultDomain: "master")))
                }
                // One, because more would block the codes.
                _ = try await platform.login(
                    LoginRequest(
                        account: account, credential: .oneTimePassword("00000000", application: .app2),
                        source: "browser"))
                _ = try await platform.requestApproval(ApprovalParameters(.login, of: account))
                _ = try await platform.createAPIKey(scope: .applicationServer, name: "shop", domains: ["master"])
            }
        }

        private static var account: AccountName {
            get throws { try AccountName(text: "alice", defaultDomain: "master") }
        }

        private static func platform(on database: any SQLDatabase) async throws -> Platform {
            var configuration = PlatformConfiguration(postQuantum: .off, requestsPerDevice: 6_000)
            configuration.passwordHash = .testing
            configuration.answerInterval = .zero
            configuration.recordsEvents = true
            return try await Platform(
                configuration: configuration, database: database,
                masterKey: MasterKey(id: "test", bytes: SecretBytes(copying: [UInt8](repeating: 9, count: 32))))
        }

        /// Opens a database as the program does for a migration, and closes it after the body.
        private func withTarget<R: Sendable>(
            _ database: PostgreSQLCluster.Database, _ body: (PostgreSQLDatabase) async throws -> R
        ) async throws -> R {
            let target = try await PostgreSQLDatabase(
                PostgreSQLAddress(database.uri), access: .exclusive, schema: .migration)
            do {
                let result = try await body(target)
                await target.close()
                return result
            } catch {
                await target.close()
                throw error
            }
        }

        @discardableResult
        private func migrate(
            _ source: Source, to database: PostgreSQLCluster.Database
        ) async throws -> [String: Int] {
            try await withTarget(database) {
                try await Migration.run(from: source.database, to: $0, batch: Self.batch)
            }
        }

        /// The number of the latest event of the source.
        private func lastEvent(_ source: Source) async throws -> SQLValue {
            try await source.database.read { (session: any SQLSession) in
                var last = SQLValue.integer(0)
                _ = try session.run("SELECT seq FROM sqlite_sequence WHERE name = 'event'", []) { last = $0.value(0) }
                return last
            }
        }

        @Test func `all rows are copied, and the platform continues on the copy`() async throws {
            let source = try await Source()
            let database = try PostgreSQLCluster.shared().makeDatabase()
            let counts = try await migrate(source, to: database)
            #expect(counts["account"] == 21 && counts["device"] == 1 && counts["platform_state"] == 1)
            #expect(try database.query("SELECT count(*) FROM audit") == ["\(counts["audit"] ?? 0)"])
            #expect(try database.query("SELECT count(*) FROM audit WHERE sequence IS NULL") == ["0"])
            guard case .integer(let last) = try await lastEvent(source) else { throw Kill() }
            #expect(last > 0)
            #expect(try database.query("SELECT nextval('event_numbers')") == ["\(last + 1)"])

            let copy = try await PostgreSQLDatabase(PostgreSQLAddress(database.uri))
            let platform = try await Self.platform(on: copy)
            let code = try await source.app.user("alice").oneTimePassword(
                application: .app2, synchronizingWithin: nil
            ).oneTimePassword
            let request = try LoginRequest(
                account: Self.account, credential: .oneTimePassword(code, application: .app2))
            #expect(try await platform.login(request).status == .accepted)
            #expect(try await platform.verifyAudit().findings.isEmpty)
            await copy.close()
            try database.remove()
        }

        @Test func `a migration that is killed again and again comes to its end, and is not served before`()
            async throws
        {
            let source = try await Source()
            let database = try PostgreSQLCluster.shared().makeDatabase()
            var kills = 0
            while true {
                do {
                    // The mark of the first run, a batch, and the kill.
                    try await withTarget(database) { target in
                        let target = FaultInjectingDatabase(target)
                        for _ in 1...2 { target.beforeNextWrite {} }
                        target.beforeNextWrite { throw Kill() }
                        _ = try await Migration.run(from: source.database, to: target, batch: Self.batch)
                    }
                    break
                } catch is Kill {
                    kills += 1
                }
                let error = await #expect(throws: DatabaseError.self) {
                    _ = try await PostgreSQLDatabase(PostgreSQLAddress(database.uri))
                }
                #expect(error?.code == .unfinished)
            }
            #expect(kills > 10)
            // Compares all rows again.
            #expect(try await migrate(source, to: database)["account"] == 21)
            try database.remove()
        }

        @Test func `a row that was changed in the copy is found by its table`() async throws {
            let source = try await Source()
            let database = try PostgreSQLCluster.shared().makeDatabase()
            try await migrate(source, to: database)
            try database.query("UPDATE device SET name = 'other'")
            let error = await #expect(throws: MigrationError.self) { try await migrate(source, to: database) }
            #expect(error?.code == .different && error?.table == "device")
            try database.remove()
        }

        @Test func `a migration is refused while a server has the database open`() async throws {
            let source = try await Source()
            let database = try PostgreSQLCluster.shared().makeDatabase()
            let server = try await PostgreSQLDatabase(PostgreSQLAddress(database.uri))
            let error = await #expect(throws: DatabaseError.self) { try await migrate(source, to: database) }
            #expect(error?.code == .inUse)
            await server.close()
            try await migrate(source, to: database)
            try database.remove()
        }

        @Test func `the database of another platform is refused`() async throws {
            let source = try await Source()
            let database = try PostgreSQLCluster.shared().makeDatabase()
            let server = try await PostgreSQLDatabase(PostgreSQLAddress(database.uri))
            _ = try await Self.platform(on: server)
            await server.close()
            let error = await #expect(throws: MigrationError.self) { try await migrate(source, to: database) }
            #expect(error?.code == .notEmpty)
            try database.remove()
        }
    }
#endif
