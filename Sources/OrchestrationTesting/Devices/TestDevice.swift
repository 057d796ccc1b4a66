public import Orchestration
internal import Primitives

/// A device of a test: its store, its keys, its clock and its randomness, which outlive the app that runs on it.
///
/// Each ``orchestrator(transport:user:)`` is a start of the app, or a second process on the same store.
public struct TestDevice: Sendable {
    /// The store of the device.
    public let store: any SecureStore

    /// The keys of the device.
    public let deviceKeys: any DeviceKeyProvider

    /// The clock of the device.
    public let time: ManualTimeSource

    /// What the app of the device is configured with: password costs for tests, which no released path accepts.
    public let configuration: Configuration

    private let random: SeededRandomSource

    /// A new device.
    ///
    /// - Parameters:
    ///   - seed: what its keys and its randomness are drawn from. Another seed is another device.
    ///   - time: the clock, the platform's by default use.
    ///   - store: the store, an empty one in memory by default.
    ///   - postQuantum: which key exchange activations use.
    public init(
        seed: UInt64, time: ManualTimeSource, store: any SecureStore = Orchestration.MemoryStore(),
        postQuantum: PostQuantumPreference = .preferred
    ) throws {
        self.store = store
        self.time = time
        deviceKeys = DeterministicDeviceKeys(seed: seed)
        random = SeededRandomSource(seed: seed).fork(1)
        configuration = try .testing(postQuantum: postQuantum)
    }

    /// Starts the app.
    ///
    /// - Parameters:
    ///   - transport: the way to the platform.
    ///   - user: who answers the prompts.
    public func orchestrator(transport: any Transport, user: ScriptedUser) async throws -> Orchestrator {
        try await Orchestrator(
            configuration: configuration, transport: transport, providers: [user], store: store,
            deviceKeys: deviceKeys, time: time, random: random)
    }
}
