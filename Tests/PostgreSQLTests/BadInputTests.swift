#if PostgreSQL
    import Primitives
    import TestSupport
    import Testing
    import TrustedIdentityPostgreSQL

    @testable import TrustedIdentity

    /// Databases that a platform must not use. It needs the Debian package postgresql.
    @Suite(.enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed: apt-get install postgresql"))
    struct UnusableDatabaseTests {
        let database: PostgreSQLCluster.Database

        init() throws { database = try PostgreSQLCluster.shared().makeDatabase() }

        @Test func `the database of another tenant is refused`() async throws {
            try await Scene(database.uri).database.close()
            await #expect(throws: PlatformError(.wrongTenant)) { try await Scene(database.uri, tenant: "other") }
        }

        @Test func `a second process with another master key is refused`() async throws {
            let first = try await Scene(database.uri)
            await #expect(throws: PlatformError(.wrongMasterKey)) { try await Scene(database.uri, key: 8) }
            #expect(try await first.platform.audit().count >= 0)
            await first.database.close()
        }

        @Test func `a second process with another policy is not ready`() async throws {
            let first = try await Scene(database.uri)
            var policy = Policy.default
            policy.codes.methods = [.possession]
            try await first.platform.notePolicy()
            let second = try await Scene(database.uri, policy: policy)
            try await second.platform.notePolicy()
            #expect(try await second.platform.readiness().problems.map(\.part) == [.policy])
            #expect(try await first.platform.readiness().isReady)
            await first.database.close()
            await second.database.close()
        }

        @Test func `a database of a newer schema is refused, and stays as it is`() async throws {
            try await Scene(database.uri).database.close()
            try database.query("INSERT INTO schema_revision (revision) VALUES (99)")
            #expect(await refusal(of: database.uri) == .newerSchema)
            #expect(try database.query("SELECT max(revision) FROM schema_revision") == ["99"])
        }

        @Test func `a database of another program is refused, and stays as it is`() async throws {
            try database.query("CREATE TABLE song (title text)")
            #expect(await refusal(of: database.uri) == .unsuitable)
            #expect(try database.query("SELECT count(*) FROM pg_class WHERE relname = 'platform_state'") == ["0"])
        }

        @Test func `a database with a migration that has not ended is refused`() async throws {
            try await Scene(database.uri).database.close()
            try database.query("CREATE TABLE migration (id bigint)")
            #expect(await refusal(of: database.uri) == .unfinished)
        }

        @Test func `a database without synchronous commits is refused`() async throws {
            try database.query("ALTER DATABASE \(database.name) SET synchronous_commit = off")
            #expect(await refusal(of: database.uri) == .unsuitable)
            try database.query("ALTER DATABASE \(database.name) SET synchronous_commit = local")
            #expect(await refusal(of: database.uri) == .unsuitable)
        }

        @Test func `a database whose encoding is not UTF-8 is refused`() async throws {
            try database.query("CREATE DATABASE \(database.name)_latin ENCODING 'LATIN1' TEMPLATE template0")
            let latin = PostgreSQLCluster.Database(cluster: database.cluster, name: "\(database.name)_latin")
            #expect(await refusal(of: latin.uri) == .unsuitable)
            try latin.remove()
        }

        @Test func `a database whose row about the platform was removed gets no new keys`() async throws {
            let scene = try await Scene(database.uri)
            _ = try await scene.activate()
            await scene.database.close()
            try database.query("DELETE FROM platform_state")
            await #expect(throws: PlatformError.self) { try await Scene(database.uri) }
            #expect(try database.query("SELECT count(*) FROM platform_state") == ["0"])
        }

        @Test func `a role without rights is refused`() async throws {
            try await Scene(database.uri).database.close()
            try database.query("CREATE ROLE \(database.name)_reader LOGIN")
            #expect(await refusal(of: database.uri(role: "\(database.name)_reader")) == .unreachable)
        }

        @Test func `a role that cannot create tables is reported, and one that cannot write`() async throws {
            let role = "\(database.name)_reader"
            try database.query("CREATE ROLE \(role) LOGIN")
            var report = try await report(of: role)
            #expect(report.revision == 0 && !report.hasRights && !report.isMigrationUnfinished)
            try await Scene(database.uri).database.close()
            try database.query("GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(role)")
            report = try await self.report(of: role)
            #expect(report.revision == 1 && !report.hasRights)
            try database.query("GRANT ALL ON ALL TABLES IN SCHEMA public TO \(role)")
            #expect(try await self.report(of: role).hasRights)
        }

        @Test func `a migration that has not ended is reported`() async throws {
            try await Scene(database.uri).database.close()
            try database.query("CREATE TABLE migration (id bigint)")
            #expect(try await report(of: PostgreSQLCluster.owner).isMigrationUnfinished)
        }

        private func report(of role: String) async throws -> PostgreSQLReport {
            try await PostgreSQLDatabase.report(on: PostgreSQLAddress(database.uri(role: role)))
        }

        @Test func `administration changes no tables`() async throws {
            let error = await #expect(throws: DatabaseError.self) {
                _ = try await PostgreSQLDatabase(PostgreSQLAddress(database.uri), schema: .existing)
            }
            #expect(error?.code == .noPlatform)
            #expect(try database.query("SELECT count(*) FROM pg_class WHERE relname = 'platform_state'") == ["0"])
        }

        @Test func `a database that does not exist is refused by name`() async throws {
            let missing = PostgreSQLCluster.Database(cluster: database.cluster, name: "missing")
            #expect(await refusal(of: missing.uri) == .unreachable)
        }

        @Test func `a process that needs the database for itself is refused while another one has it`() async throws {
            let scene = try await Scene(database.uri)
            do throws(DatabaseError) {
                _ = try await PostgreSQLDatabase(PostgreSQLAddress(database.uri), access: .exclusive)
                Issue.record("both have the database")
            } catch {
                #expect(error.code == .inUse)
            }
            await scene.database.close()
        }

        @Test func `an altered row is not used`() async throws {
            let scene = try await Scene(database.uri)
            let phone = try await scene.activate()
            #expect(try await scene.login(phone.code()).status == .accepted)
            try database.query("UPDATE device SET name = 'stolen'")
            #expect(try await scene.login(phone.code()).status == .refused)
            await scene.database.close()
        }

        @Test func `a row of a revoked device that is put back is found`() async throws {
            let scene = try await Scene(database.uri)
            let phone = try await scene.activate()
            let device = try #require(database.query("SELECT encode(id, 'hex') FROM device").first)
            try database.query("CREATE TABLE kept AS SELECT * FROM device")
            try await scene.platform.revokeDevice(Hex.decode(device), of: Scene.account(phone.user))
            try database.query("DELETE FROM device; INSERT INTO device SELECT * FROM kept; DROP TABLE kept")
            await scene.database.close()
            let next = try await Scene(database.uri)
            #expect(try await next.platform.readiness().problems.map(\.part) == [.revocations])
            await next.database.close()
        }

        @Test func `a platform whose clock is 90 seconds apart is not ready`() async throws {
            let scene = try await Scene(database.uri)
            let problems = try await scene.platform.readiness().problems
            #expect(problems == [])
            await scene.database.close()
            for seconds: Int64 in [-90, 90] {
                let apart = try await Scene(database.uri, time: ShiftedClock(seconds: seconds))
                #expect(try await apart.platform.readiness().problems.map(\.part).contains(.clock))
                await apart.database.close()
            }
        }
    }

    /// Servers that a platform must not use. Each has a cluster of its own.
    @Suite(.enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed: apt-get install postgresql"))
    struct UnusableServerTests {
        let cluster: PostgreSQLCluster
        let database: PostgreSQLCluster.Database

        init() throws {
            cluster = try PostgreSQLCluster()
            database = try cluster.makeDatabase()
        }

        @Test func `a server without fsync is refused`() async throws {
            try cluster.configure("fsync = off")
            #expect(await refusal(of: database.uri) == .unsuitable)
            try cluster.configure("fsync = on")
            try cluster.configure("full_page_writes = off")
            #expect(await refusal(of: database.uri) == .unsuitable)
            try cluster.configure("full_page_writes = on")
            #expect(await refusal(of: database.uri) == nil)
        }

        @Test func `a wrong password is refused, and is in no error`() async throws {
            try cluster.query("CREATE ROLE bank LOGIN SUPERUSER PASSWORD 'right-password'")
            try cluster.authenticate(by: "scram-sha-256")
            let uri = database.uri(role: "bank")
            for password in [nil, "wrong-password"] {
                do throws(DatabaseError) {
                    _ = try await PostgreSQLDatabase(PostgreSQLAddress(uri, password: password))
                    Issue.record("a wrong password was accepted")
                } catch {
                    #expect(error.code == .unreachable)
                    #expect(!"\(error) \(error.underlying as Any)".contains("wrong-password"))
                }
            }
            try await Scene(uri, password: "right-password").database.close()
        }

        @Test func `TLS verifies the certificate and its name`() async throws {
            let certificates = try Certificates()
            let uri = "postgres://owner@127.0.0.1:\(cluster.port)/\(database.name)?sslmode=verify-full"
            let trusting = uri + "&sslrootcert=\(certificates.authority)"
            try certificates.install("IP:127.0.0.1", on: cluster)
            #expect(try await PostgreSQLDatabase.report(on: PostgreSQLAddress(trusting)).isEncrypted)
            #expect(await refusal(of: trusting.replacing("127.0.0.1", with: "localhost")) == .unreachable)
            #expect(await refusal(of: uri + "&sslrootcert=\(try Certificates().authority)") == .unreachable)
            try certificates.install("DNS:other.example", on: cluster)
            #expect(await refusal(of: trusting) == .unreachable)
            try certificates.install("IP:127.0.0.1", days: -1, on: cluster)
            #expect(await refusal(of: trusting) == .unreachable)
        }
    }

    /// The clock of the machine, and some seconds.
    private struct ShiftedClock: TimeSource {
        let seconds: Int64

        func now() -> Timestamp { SystemTimeSource().now().advanced(seconds: seconds) }
        func uptime() -> Duration { SystemTimeSource().uptime() }
        func sleep(for duration: Duration) async throws { try await SystemTimeSource().sleep(for: duration) }
    }

    /// Opens a database.
    ///
    /// - Returns: The code of the error; `nil` for a database that can be opened.
    func refusal(of uri: String) async -> DatabaseError.Code? {
        do throws(DatabaseError) {
            try await PostgreSQLDatabase(PostgreSQLAddress(uri)).close()
            return nil
        } catch {
            return error.code
        }
    }
#endif
