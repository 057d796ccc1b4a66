#if PostgreSQL
    import Foundation
    import Logging
    import OrchestrationProtocol
    import Primitives
    import Synchronization
    import TestSupport
    import Testing
    import TrustedIdentity

    @testable import TrustedIdentityPostgreSQL

    /// Connections that are cut, do not answer, or are all in use, between a platform and its server. It needs the Debian
    /// package postgresql.
    @Suite(.enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed: apt-get install postgresql"))
    struct ConnectionFaultTests {
        let database: PostgreSQLCluster.Database
        let relay: FaultRelay
        /// The address through the relay.
        let uri: String

        init() throws {
            database = try PostgreSQLCluster.shared().makeDatabase()
            relay = try FaultRelay(to: database.cluster.port)
            uri = database.uri(port: relay.port)
        }

        @Test(arguments: [FaultRelay.CommitCut.before, .inside, .after])
        func `an accepted code whose commit is cut counts once`(cut: FaultRelay.CommitCut) async throws {
            let scene = try await Scene(uri)
            let phone = try await scene.activate()
            for _ in 0..<5 {
                let (code, before) = (try await phone.code(), try database.acceptedLogins())
                relay.change { $0.cut = cut }
                let answer = await outcome { try await scene.login(code).status }
                #expect(!relay.isArmed)
                let counted = try database.acceptedLogins() - before
                switch answer {
                case .accepted: #expect(counted == 1)
                case .refused: Issue.record("a new code was refused")
                // The caller does not know it. The code is used or not, as the log says.
                case nil: #expect(counted <= 1)
                }
                let again = try await scene.login(code).status
                #expect(again == (counted == 1 ? .refused : .accepted))
                #expect(try database.acceptedLogins() == before + 1)
            }
            await scene.database.close()
        }

        @Test(arguments: [FaultRelay.CommitCut.before, .inside, .after])
        func `a wrong code whose commit is cut is counted once at most`(cut: FaultRelay.CommitCut) async throws {
            let scene = try await Scene(uri)
            let phone = try await scene.activate()
            #expect(try await scene.login(phone.code()).status == .accepted)
            relay.change { $0.cut = cut }
            let answer = await outcome { try await scene.login("00000000").status }
            #expect(answer != .accepted && !relay.isArmed)
            let counted = try database.refusedCodes()
            #expect(counted == 1 || (answer == nil && counted == 0))
            await scene.database.close()
        }

        @Test func `connections that are cut while they are idle are opened again`() async throws {
            let scene = try await Scene(uri)
            let phone = try await scene.activate()
            for _ in 0..<5 {
                relay.cutAll()
                #expect(try await scene.login(phone.code()).status == .accepted)
                try database.query(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = '\(database.name)' AND pid <> pg_backend_pid()
                    """)
                #expect(try await scene.login(phone.code()).status == .accepted)
            }
            await scene.database.close()
        }

        @Test func `a server that takes connections and never answers is given up`() async throws {
            relay.change { $0.newConnections = .silent }
            let begin = ContinuousClock.now
            #expect(await refusal(of: uri) == .unreachable)
            #expect(ContinuousClock.now - begin < .seconds(15))
        }

        @Test func `a server that is away is reported at once`() async throws {
            relay.change { $0.newConnections = .refused }
            let begin = ContinuousClock.now
            #expect(await refusal(of: uri) == .unreachable)
            #expect(ContinuousClock.now - begin < .seconds(5))
        }

        @Test func `open connections that no longer answer are given up, and nothing is counted`() async throws {
            let scene = try await Scene(uri)
            let phone = try await scene.activate()
            let code = try await phone.code()
            relay.change { $0.isStalled = true }
            let begin = ContinuousClock.now
            #expect(await outcome { try await scene.login(code).status } == nil)
            #expect(ContinuousClock.now - begin < .seconds(15))
            relay.change { $0.isStalled = false }
            relay.cutAll()
            #expect(
                await elapsed(within: .seconds(10)) {
                    await outcome { try await scene.login(code).status } == .accepted
                } != nil)
            #expect(try database.acceptedLogins() == 1)
            await scene.database.close()
        }

        @Test func `requests are refused when all connections are in use, and other work waits`() async throws {
            let scene = try await Scene(
                uri, connections: 4, writerLimits: WriterLimits(waiting: 8, deadline: .milliseconds(50)))
            let database = scene.database
            let results = await withTaskGroup(of: Work.self) { group in
                for number in 0..<96 {
                    group.addTask { await Work(isRequest: number.isMultiple(of: 2), on: database) }
                }
                return await group.reduce(into: [Work]()) { $0.append($1) }
            }
            #expect(results.filter(\.isRequest).contains { $0.error == .overloaded })
            #expect(results.allSatisfy { $0.error == nil || ($0.isRequest && $0.error == .overloaded) })
            await database.close()
        }

        @Test func `work waits for the open connections when no other can be opened`() async throws {
            let role = "\(database.name)_few"
            try database.query("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 4")
            try database.query("ALTER DATABASE \(database.name) OWNER TO \(role)")
            for (waiting, isOverloaded) in [(1_000, false), (8, true)] {
                let scene = try await Scene(
                    database.uri(role: role), connections: 16, writerLimits: WriterLimits(waiting: waiting))
                let shared = scene.database
                for _ in 0..<2 {
                    let results = await withTaskGroup(of: Work.self) { group in
                        for number in 0..<96 {
                            group.addTask { await Work(isRequest: number.isMultiple(of: 2), on: shared) }
                        }
                        return await group.reduce(into: [Work]()) { $0.append($1) }
                    }
                    // No work fails because the server gives no more connections. The limit of waiting requests holds.
                    #expect(results.allSatisfy { $0.error == nil || ($0.isRequest && $0.error == .overloaded) })
                    #expect(results.contains { $0.error == .overloaded } == isOverloaded)
                }
                await shared.close()
            }
        }

        @Test func `work does not wait for a job that has lost the last connection`() async throws {
            let address = try PostgreSQLAddress(database.uri)
            let isFull = Mutex(false)
            let pool = ConnectionPool(
                size: 2, limits: WriterLimits(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            ) {
                let wasFull = isFull.withLock { isFull in
                    defer { isFull = true }
                    return isFull
                }
                guard !wasFull else { throw PostgreSQLFailure(state: "53300", "too many connections") }
                return try PostgreSQLConnection(address)
            }
            let (connected, connects) = AsyncStream<Void>.makeStream()
            let ended = DispatchSemaphore(value: 0)
            let holder = Task {
                try await pool.run { lease in
                    _ = try lease.connection()
                    connects.finish()
                    let deadline = ContinuousClock.now + .seconds(10)
                    while pool.waitingCount == 0, ContinuousClock.now < deadline { usleep(1_000) }
                    lease.discard()
                    // A commit whose answer is lost is looked up for as long.
                    return ended.wait(timeout: .now() + 10) == .success
                }
            }
            for await _ in connected {}
            await #expect(throws: PostgreSQLFailure.self) { try await pool.run { _ = try $0.connection() } }
            ended.signal()
            #expect(try await holder.value)
            await pool.close()
        }

        @Test func `while the database takes no writes, nothing is counted, and it resumes without a restart`()
            async throws
        {
            let scene = try await Scene(uri)
            let phone = try await scene.activate()
            let code = try await phone.code()
            try database.query("ALTER DATABASE \(database.name) SET default_transaction_read_only = on")
            relay.cutAll()
            #expect(await outcome { try await scene.login(code).status } == nil)
            #expect(await outcome { try await scene.login("00000000").status } == nil)
            #expect(try await !scene.platform.readiness().isReady)
            // Reports are read.
            _ = try await scene.platform.auditTallies()
            #expect(try database.acceptedLogins() == 0 && database.refusedCodes() == 0)
            // psql has the setting as well.
            try database.cluster.query("ALTER DATABASE \(database.name) RESET default_transaction_read_only")
            relay.cutAll()
            #expect(
                await elapsed(within: .seconds(10)) {
                    await outcome { try await scene.login(code).status } == .accepted
                } != nil)
            #expect(try await scene.platform.readiness().isReady)
            await scene.database.close()
        }
    }

    /// Runs a login that can fail as a server answers 503.
    ///
    /// - Returns: The decision; `nil` when the store failed. Another error is an issue.
    func outcome(of login: () async throws -> LoginDecision.Status) async -> LoginDecision.Status? {
        do {
            return try await login()
        } catch {
            #expect((error as? PlatformError)?.code == .storeFailed, "\(error)")
            return nil
        }
    }

    /// A write that holds a connection for a while.
    private struct Work: Sendable {
        let isRequest: Bool
        let error: StoreError.Code?

        init(isRequest: Bool, on database: PostgreSQLDatabase) async {
            self.isRequest = isRequest
            error = await RequestProgress.$current.withValue(isRequest ? RequestProgress() : nil) {
                do {
                    try await database.write { session in
                        _ = try session.run("SELECT 1 FROM pg_sleep(0.02)", []) { _ in }
                    }
                    return nil
                } catch {
                    return (error as? StoreError)?.code ?? .other
                }
            }
        }
    }
#endif
