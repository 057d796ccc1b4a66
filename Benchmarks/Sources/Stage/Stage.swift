import Orchestration
import OrchestrationTesting
import Primitives
import TrustedIdentity

/// A platform in this process and a transport to it. All random numbers come from a seed, so that commands have the
/// same sizes in every run.
struct Stage: Sendable {
    static let password = "482915"

    let platform: Platform
    let transport: RecordingTransport
    let time = ManualTimeSource()

    init(store: any SQLDatabase = SQLiteDatabase.inMemory()) async throws {
        let random = SeededRandomSource(seed: 1)
        // Decisions are measured, and no wait for a tick.
        var configuration = PlatformConfiguration()
        configuration.answerInterval = .zero
        let platform = try await Platform(
            configuration: configuration, database: store,
            masterKey: try MasterKey.make(id: "benchmark", random: random),
            time: time, random: random)
        self.platform = platform
        transport = RecordingTransport(InProcessTransport { platform })
    }

    /// Registers a user and returns it with a device that is not activated.
    ///
    /// - Parameters:
    ///   - name: The name of the user.
    ///   - seed: The seed of the device.
    ///   - postQuantum: The preference for the key exchange.
    ///   - store: The store of the device.
    ///   - user: The user at the device.
    ///   - deviceData: The device data, by default none.
    func newcomer(
        _ name: String = "alice", seed: UInt64 = 2, postQuantum: PostQuantumPreference = .off,
        store: any SecureStore = MemoryStore(), user: ScriptedUser = ScriptedUser(password: Self.password),
        deviceData: DeviceDataSettings = .off
    ) async throws -> Newcomer {
        let account = try AccountName(text: name, defaultDomain: "master")
        let receipt = try await platform.register(Registration(account: account))
        // This device has the keys of a real device.
        var configuration = try Configuration.testing(postQuantum: postQuantum)
        configuration.deviceData = deviceData
        let orchestrator = try await Orchestrator(
            configuration: configuration, transport: transport,
            providers: [user], store: store, time: time,
            random: SeededRandomSource(seed: seed))
        return Newcomer(
            account: account, activationPassword: receipt.activationPassword, orchestrator: orchestrator)
    }
}

extension Stage {
    /// Returns a user who activates a device and then changes the password.
    static func changingUser() -> ScriptedUser {
        ScriptedUser([
            .password(password), .password(password), .password(password), .password("739164"), .password("739164"),
        ])
    }
}

/// A registered user with an activation password and a device.
struct Newcomer: Sendable {
    let account: AccountName
    let activationPassword: String
    let orchestrator: Orchestrator

    /// Activates the device.
    func activate() async throws {
        let user = try await orchestrator.user(account.text).activate(with: activationPassword)
        guard user.state == .ready else { throw Unexpected("the activation did not end") }
    }

    /// Makes a one-time password.
    func makeOneTimePassword(
        synchronizingWithin limit: Duration? = nil
    ) async throws -> String {
        try await orchestrator.user(account.text).oneTimePassword(synchronizingWithin: limit).oneTimePassword
    }

    /// Changes the password. The user types the answers of ``Stage/changingUser()``.
    func changePassword() async throws {
        guard case .passwordChanged = try await orchestrator.changePassword(of: account.text).result() else {
            throw Unexpected("the change of the password has another outcome")
        }
    }

    /// Opens an approval request and answers it.
    func decide(
        on report: ApprovalReport, _ decide: (ApprovalRequest) async throws -> AnsweredApproval
    ) async throws {
        guard let pointer = report.pointer else { throw Unexpected("the request is \(report.status)") }
        guard case .approvalRequest(let request) = try await orchestrator.user(account.text).execute(pointer) else {
            throw Unexpected("the pointer opened no request")
        }
        _ = try await decide(request)
    }
}

/// An error: the measured code did something else than expected.
struct Unexpected: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
