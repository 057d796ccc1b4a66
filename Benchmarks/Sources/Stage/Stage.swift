import Orchestration
import OrchestrationTesting
import Primitives
import TrustedIdentity

/// A platform and the way to it in this process, where everything that is drawn comes from a seed: two runs exchange
/// commands of the same sizes.
struct Stage: Sendable {
    static let password = "482915"

    let platform: Platform
    let transport: RecordingTransport
    let time = ManualTimeSource()

    init(store: any PlatformStore = TrustedIdentity.MemoryStore()) async throws {
        let random = SeededRandomSource(seed: 1)
        let platform = try await Platform(
            store: store, masterKey: try MasterKey.make(id: "benchmark", random: random), time: time, random: random)
        self.platform = platform
        transport = RecordingTransport(InProcessTransport { platform })
    }

    /// Registers a user and brings a device that is not activated yet.
    ///
    /// - Parameters:
    ///   - name: the user.
    ///   - seed: which device.
    ///   - postQuantum: which key exchange the activation uses.
    ///   - store: what the device keeps its records in.
    func newcomer(
        _ name: String = "alice", seed: UInt64 = 2, postQuantum: PostQuantumPreference = .off,
        store: any SecureStore = Orchestration.MemoryStore()
    ) async throws -> Newcomer {
        let account = try AccountName(text: name, defaultDomain: "master")
        let receipt = try await platform.register(Registration(account: account))
        // The kit's device signs with a slow key of its own; this one has the keys that a device has.
        let orchestrator = try await Orchestrator(
            configuration: .testing(postQuantum: postQuantum), transport: transport,
            providers: [ScriptedUser(password: Self.password)], store: store, time: time,
            random: SeededRandomSource(seed: seed))
        return Newcomer(
            account: account, activationPassword: receipt.activationPassword, orchestrator: orchestrator)
    }
}

/// A user with an activation password, in front of a device.
struct Newcomer: Sendable {
    let account: AccountName
    let activationPassword: String
    let orchestrator: Orchestrator

    /// The four steps of an activation.
    func activate() async throws {
        let outcome = try await orchestrator.activate(
            .init(user: account.text, activationPassword: activationPassword)
        ).result()
        guard outcome.user?.state == .active else { throw Unexpected("the activation did not end") }
    }

    /// A one-time password, made without the network.
    func makeOneTimePassword(
        synchronization: OneTimePasswordParameters.Synchronization = .never
    ) async throws -> String {
        let outcome = try await orchestrator.authenticateLocally(
            .init(user: account.text, synchronization: synchronization)
        ).result()
        guard let made = outcome.localAuthentication else { throw Unexpected("no one-time password") }
        return made.oneTimePassword
    }
}

/// A benchmark did not do what it measures.
struct Unexpected: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
