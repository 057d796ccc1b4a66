#if PostgreSQL
    import Primitives
    import Synchronization
    import TestSupport
    import Testing
    import TrustedIdentity
    import TrustedIdentityPostgreSQL

    /// A server that ends without a shutdown while users log in. It needs the Debian package postgresql.
    @Suite(.enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed: apt-get install postgresql"))
    struct FailoverTests {
        @Test func `what was accepted stays so, and the service resumes within 10 seconds`() async throws {
            let cluster = try PostgreSQLCluster()
            let database = try cluster.makeDatabase()
            let scenes = [try await Scene(database.uri), try await Scene(database.uri)]
            let users = (0..<8).map { "user\($0)" }
            var phones: [Phone] = []
            for user in users { phones.append(try await scenes[0].activate(user)) }
            let (accepted, isOver) = (Accepted(), Flag())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, phone) in phones.enumerated() {
                    group.addTask {
                        while !isOver.isSet {
                            let code = try await phone.code()
                            // The same code again, until there is a decision.
                            while !isOver.isSet {
                                let scene = scenes[number % 2]
                                guard let status = await outcome(of: { try await scene.login(code, phone.user).status })
                                else {
                                    try await Task.sleep(for: .milliseconds(50))
                                    continue
                                }
                                // After an error, the first one may have been counted.
                                if status == .accepted { accepted.add(code, of: phone.user) }
                                break
                            }
                        }
                    }
                }
                for _ in 0..<3 {
                    try await Task.sleep(for: .milliseconds(500))
                    try cluster.stop(.immediate)
                    #expect(try await !scenes[0].platform.readiness().isReady)
                    try cluster.start()
                    for scene in scenes {
                        let time = await elapsed(within: .seconds(10)) {
                            (try? await scene.platform.readiness().isReady) == true
                        }
                        #expect(time != nil, "not ready within 10 seconds")
                    }
                }
                isOver.set()
                try await group.waitForAll()
            }
            let codes = accepted.all
            #expect(codes.count > users.count)
            #expect(try database.acceptedLogins() >= codes.count)
            for (user, code) in codes {
                #expect(await outcome { try await scenes[0].login(code, user).status } != .accepted)
            }
            for scene in scenes { await scene.database.close() }
        }
    }

    /// The codes whose acceptance was answered.
    private final class Accepted: Sendable {
        private let codes = Mutex<[(user: String, code: String)]>([])
        var all: [(user: String, code: String)] { codes.withLock { $0 } }
        func add(_ code: String, of user: String) { codes.withLock { $0.append((user, code)) } }
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }
#endif
