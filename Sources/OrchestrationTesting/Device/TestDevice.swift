public import Orchestration
internal import Primitives

/// A device of a test: a store, keys, a clock and randomness, which outlive the app on the device.
///
/// Each call of ``orchestrator(transport:user:providers:)`` is a start of the app, or a second process on the same store.
public struct TestDevice: Sendable {
    /// The store of the device.
    public let store: any SecureStore

    /// The keys of the device.
    public let deviceKeys: any DeviceKeyProvider

    /// The clock of the device.
    public let time: ManualTimeSource

    /// The configuration of the app, with a password cost for tests.
    public let configuration: Configuration

    private let random: SeededRandomSource

    /// Creates a device.
    ///
    /// - Parameters:
    ///   - seed: The seed of its keys and its randomness. Another seed is another device.
    ///   - time: The clock, usually the platform's clock.
    ///   - store: The store; an empty one in memory by default.
    ///   - postQuantum: The key exchange of activations.
    public init(
        seed: UInt64, time: ManualTimeSource, store: any SecureStore = MemoryStore(),
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
    ///   - transport: The transport to the platform.
    ///   - user: The user that answers the prompts: a ``ScriptedUser``, or the provider of the app.
    ///   - providers: The providers of biometric and face.
    public func orchestrator(
        transport: any Transport, user: any PasswordProvider, providers: [any UserAuthenticationProvider] = []
    ) async throws -> Orchestrator {
        try await Orchestrator(
            configuration: configuration, transport: transport, providers: [user] + providers, store: store,
            deviceKeys: deviceKeys, time: time, random: random)
    }
}

extension Configuration {
    /// Returns a configuration for tests: fixed salts, a password cost that takes no time, and no device data, which
    /// differ between machines.
    ///
    /// A store that was written with this cost can be opened only with this configuration. Only this package can choose
    /// the cost, which means that no app can be released with it.
    ///
    /// - Parameter postQuantum: The key exchange of activations.
    public static func testing(postQuantum: PostQuantumPreference = .preferred) throws -> Configuration {
        let salts = try Salts(
            authenticator: [UInt8](repeating: 0xA0, count: 16), storage: [UInt8](repeating: 0x50, count: 16))
        var configuration = Configuration(salts: salts, postQuantum: postQuantum, deviceName: "test")
        configuration.passwordCost = .testing
        configuration.deviceData = .off
        return configuration
    }
}
