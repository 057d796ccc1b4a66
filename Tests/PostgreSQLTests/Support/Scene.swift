#if PostgreSQL
    import Orchestration
    import OrchestrationTesting
    import Primitives
    import TestSupport
    import TrustedIdentity
    import TrustedIdentityPostgreSQL

    /// A platform on a database of PostgreSQL, as one of several processes has it, with the clock of the machine.
    struct Scene: Sendable {
        let database: PostgreSQLDatabase
        let platform: Platform

        /// Opens a database and a platform on it.
        ///
        /// - Parameters:
        ///   - uri: The address.
        ///   - key: The bytes of the master key.
        init(
            _ uri: String, password: String? = nil, connections: Int = 4, key: UInt8 = 9, tenant: String = "default",
            policy: Policy = .default, writerLimits: WriterLimits = .init(), time: any TimeSource = SystemTimeSource()
        ) async throws {
            database = try await PostgreSQLDatabase(
                PostgreSQLAddress(uri, password: password), connections: connections, writerLimits: writerLimits,
                time: time)
            var configuration = PlatformConfiguration(postQuantum: .off, requestsPerDevice: 6_000)
            configuration.tenant = tenant
            configuration.policy = policy
            configuration.passwordHash = .testing
            configuration.answerInterval = .zero
            platform = try await Platform(
                configuration: configuration, database: database,
                masterKey: MasterKey(id: "test", bytes: SecretBytes(copying: [UInt8](repeating: key, count: 32))),
                time: time)
        }

        /// Registers a user and activates a device.
        func activate(_ user: String = "alice") async throws -> Phone {
            let (platform, owner) = (platform, ScriptedUser(password: "482915"))
            let app = try await Orchestrator(
                configuration: .testing(postQuantum: .off), transport: InProcessTransport(to: { platform }),
                providers: [owner], store: MemoryStore())
            let registration = try await platform.register(Registration(account: Self.account(user)))
            try await app.user(user).activate(with: registration.activationPassword)
            return Phone(user: user, app: app, owner: owner)
        }

        /// Logs in with a code.
        func login(_ code: String, _ user: String = "alice") async throws -> LoginDecision {
            try await platform.login(
                LoginRequest(
                    account: Self.account(user), credential: .oneTimePassword(code, application: .app2)))
        }

        /// Asks a user to approve a login.
        func requestLogin(_ user: String = "alice") async throws -> ApprovalReport {
            try await platform.requestApproval(ApprovalParameters(.login, of: Self.account(user)))
        }

        static func account(_ user: String) throws -> AccountName {
            try AccountName(text: user, defaultDomain: "master")
        }
    }

    /// A user with a device.
    struct Phone: Sendable {
        let user: String
        let app: Orchestrator
        let owner: ScriptedUser

        /// Makes the code of the next counter.
        func code() async throws -> String {
            try await app.user(user).oneTimePassword(application: .app2, synchronizingWithin: nil).oneTimePassword
        }

        /// Approves a request. The command goes to the platform that the device was activated on.
        func approve(_ pointer: OrchestrationCommand) async throws -> FlowEvent {
            owner.willDecide(.approve())
            return try await owner.follow(app.execute(pointer))
        }
    }

    extension PostgreSQLCluster.Database {
        /// Returns the number of entries of the audit log about accepted logins, also of those that have no number yet.
        func acceptedLogins() throws -> Int {
            try query("SELECT count(*) FROM audit WHERE event = 'login.accepted'").first.flatMap { Int($0) } ?? -1
        }

        /// Returns the number of codes of an account that were refused in a row, without regard to their source.
        func refusedCodes() throws -> Int {
            try query("SELECT coalesce(max(consecutive), 0) FROM throttle WHERE kind = 'code'").first
                .flatMap { Int($0) } ?? -1
        }
    }

    /// Waits until a condition holds.
    ///
    /// - Returns: The time that it took, or `nil` when it does not hold in time.
    func elapsed(
        within limit: Duration, until condition: () async -> Bool
    ) async -> Duration? {
        let begin = ContinuousClock.now
        while ContinuousClock.now - begin < limit {
            if await condition() { return ContinuousClock.now - begin }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }
#endif
