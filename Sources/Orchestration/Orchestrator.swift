public import Logging
public import Primitives

/// The entry point of the SDK: starts flows and interprets what comes from the platform (requirement B1).
///
/// Make one for an app and keep it. Every flow method is called without `await` and returns a stream; the work is done
/// in the task that iterates it, from the first `next()` on:
///
/// ```swift
/// for try await event in orchestrator.activate(.init(user: "alice", activationPassword: code)) { … }
/// try Task.checkCancellation()
/// ```
///
/// **Errors.** A flow throws `OrchestrationError` or `CancellationError` and nothing else.
///
/// **Leaving and canceling.** Leave the loop or cancel the task whenever you like: what was reported is durable, what
/// was begun can be begun again, and secrets are wiped when the stream goes. A task that is canceled between two
/// events ends the loop without an error and without a terminal event, because the standard stream does so; hence the
/// check after the loop. `result()`, which gives the outcome alone, throws `CancellationError` in that case. A stream
/// that is kept in a variable keeps its flow until the variable goes.
///
/// **Concurrency.** Flows of different users run side by side. Changes of one user's state are serialized by the
/// store's lock, which is held for a step and never for a flow, between tasks and processes alike. A second flow of
/// the same kind for the same user supersedes the first, which then ends with `.aborted(.superseded)` at its next step.
/// A stream has one consumer: a second iterator that pulls at the same time gets `consumedTwice`, and the flow ends.
public actor Orchestrator {
    nonisolated let environment: FlowEnvironment

    /// Makes an orchestrator.
    ///
    /// - Parameters:
    ///   - configuration: the app's decisions.
    ///   - transport: the way to the platform.
    ///   - providers: who asks the user, one for each method; the password's is needed for nearly everything.
    ///   - store: where the users' sealed data is kept.
    ///   - deviceKeys: where device keys are made and used. By default software keys beside the data of a
    ///     ``FileStore``, or in memory for a ``MemoryStore``; other stores need a provider.
    ///   - time: the device's clock.
    ///   - random: the source of everything that must be unguessable.
    ///   - logger: gets trace and debug messages without secrets and names.
    /// - Throws: `OrchestrationError` with `invalidConfiguration`, or an error of the store.
    public init(
        configuration: Configuration, transport: any Transport, providers: [any UserAuthenticationProvider],
        store: any SecureStore, deviceKeys: (any DeviceKeyProvider)? = nil,
        time: any TimeSource = SystemTimeSource(), random: any RandomSource = SystemRandomSource(),
        logger: Logger = Logger(label: "swift-orchestration.client")
    ) async throws {
        try self.init(
            configuration: configuration, transport: transport, providers: providers, store: store,
            keys: deviceKeys ?? Self.deviceKeys(beside: store, configuration.salts, random), time: time,
            random: random, logger: logger)
    }

    init(
        configuration: Configuration, transport: any Transport, providers: [any UserAuthenticationProvider],
        store: any SecureStore, keys deviceKeys: any DeviceKeyProvider, time: any TimeSource, random: any RandomSource,
        logger: Logger
    ) throws(OrchestrationError) {
        try configuration.check()
        environment = FlowEnvironment(
            configuration: configuration, transport: transport, providers: providers,
            vault: Vault(
                store: store, deviceKeys: deviceKeys, salts: configuration.salts, tenant: configuration.tenant,
                allowedCosts: ScryptCost.released.union([configuration.passwordCost]), random: random),
            deviceKeys: deviceKeys, time: time, random: random, logger: logger, seats: FlowSeats())
    }

    private static func deviceKeys(
        beside store: any SecureStore, _ salts: Salts, _ random: any RandomSource
    ) throws(OrchestrationError) -> any DeviceKeyProvider {
        switch store {
        case let store as FileStore:
            return SoftwareDeviceKeys(
                folder: store.folder, salts: salts, machine: .current(), random: random, ownsFolder: true)
        case is MemoryStore: return SoftwareDeviceKeys(inMemory: salts, random: random)
        default: throw OrchestrationError(.invalidConfiguration)
        }
    }

    /// The users of this app on this device (requirements O1 to O3).
    public nonisolated var users: Users { Users(environment: environment) }
}
