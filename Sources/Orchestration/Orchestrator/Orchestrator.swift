public import Logging
public import Primitives

/// The entry point of the SDK. It starts flows and holds what they share.
///
/// Create one orchestrator in an app and keep it. A flow method is called without `await` and returns a stream. The
/// work begins with the first `next()`, and continues with each further one:
///
/// ```swift
/// for try await event in orchestrator.activate("alice", with: activationPassword) { … }
/// try Task.checkCancellation()
/// ```
///
/// An app that needs only the value gets it from the handle of a user (``user(_:domain:)``):
///
/// ```swift
/// let code = try await orchestrator.user("alice").oneTimePassword()
/// ```
///
/// **Errors.** A flow throws `OrchestrationError` or `CancellationError` and nothing else.
///
/// **Leaving and canceling.** An app may leave the loop or cancel the task at any time. An effect that an event has
/// reported is durable. A flow that was left can be started again. Its secrets are wiped when the stream is released. A
/// task that is canceled between two events ends the loop without an error and without a terminal event, because the
/// standard stream does so. The check after the loop is needed for this reason. The calls of a handle throw
/// `CancellationError` in that case. A stream that is kept in a variable keeps its flow until the variable is released.
///
/// **Concurrency.** Flows of different users run concurrently. The lock of the store serializes changes of the state of
/// one user between tasks and processes. The lock is held for one step, never for a whole flow. A second flow of the
/// same kind for the same user supersedes the first, which ends with `.aborted` (`superseded`) before its next step. A
/// stream has one consumer: a second iterator that pulls at the same time gets `consumedTwice`.
public actor Orchestrator {
    nonisolated let environment: FlowEnvironment
    private var flows = FlowRegistry()
    private var clockCandidates: [AccountName: Int64] = [:]
    /// The device's clock at the start of its uptime, as of the latest answer that confirmed the platform's time.
    private var clockAnchors: [AccountName: Timestamp] = [:]

    /// Creates an orchestrator.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the app.
    ///   - transport: The way to the platform.
    ///   - providers: The providers of the methods. Nearly every flow needs a ``PasswordProvider``. For biometric and
    ///     face, give at most one ``UserCheckProvider`` or ``MethodKeyProvider`` each. Without one, a flow that asks
    ///     for the method falls back to the password.
    ///   - store: The store of the users' sealed data.
    ///   - deviceKeys: The provider of device keys. The default is software keys next to the data of a ``FileStore``,
    ///     or in memory for a ``MemoryStore``. Other stores need a provider.
    ///   - time: The clock of the device.
    ///   - random: The source of everything that must be unpredictable.
    ///   - logger: A logger for trace and debug messages, which hold no secrets and no names.
    ///   - recorder: A recorder of all flows, for support. By default, no flow is recorded.
    /// - Throws: `OrchestrationError` with `invalidConfiguration`, or an error of the store.
    public init(
        configuration: Configuration, transport: any Transport, providers: [any UserAuthenticationProvider],
        store: any SecureStore, deviceKeys: (any DeviceKeyProvider)? = nil,
        time: any TimeSource = SystemTimeSource(), random: any RandomSource = SystemRandomSource(),
        logger: Logger = Logger(label: "swift-orchestration.client"), recorder: TranscriptRecorder? = nil
    ) async throws {
        try self.init(
            configuration: configuration, transport: transport, providers: providers, store: store,
            keys: Self.deviceKeys(deviceKeys, of: store, configuration.salts, random), time: time,
            random: random, logger: logger, recorder: recorder)
        // The first data is collected before the first command. The time is limited.
        _ = await environment.deviceData.current()
    }

    init(
        configuration: Configuration, transport: any Transport, providers: [any UserAuthenticationProvider],
        store: any SecureStore, keys deviceKeys: any DeviceKeyProvider,
        time: any TimeSource, random: any RandomSource,
        logger: Logger, recorder: TranscriptRecorder? = nil
    ) throws(OrchestrationError) {
        try configuration.check()
        let providers = try SortedProviders(providers, store: store, random: random)
        environment = FlowEnvironment(
            configuration: configuration, transport: transport, passwords: providers.passwords,
            methods: providers.methods,
            vault: Vault(
                store: store, deviceKeys: deviceKeys, salts: configuration.salts, tenant: configuration.tenant,
                allowedCosts: ScryptCost.released.union([configuration.passwordCost]), random: random),
            deviceKeys: deviceKeys, time: time, random: random, logger: logger, recorder: recorder,
            deviceData: DeviceDataCollection(configuration.deviceData, time: time, logger: logger))
    }

    private static func deviceKeys(
        _ given: (any DeviceKeyProvider)?, of store: any SecureStore, _ salts: Salts, _ random: any RandomSource
    ) throws(OrchestrationError) -> any DeviceKeyProvider {
        if let given { return given }
        guard let store = store as? any KeyKeepingStore else {
            throw OrchestrationError(.invalidConfiguration("the store has no place for device keys; give a provider"))
        }
        return try store.defaultDeviceKeys(salts: salts, random: random)
    }

    /// The warnings about the configuration, for example ``Warning/Code/softwareKeys``. Show them to developers.
    public nonisolated var warnings: [Warning] { environment.deviceKeys.warnings }

    /// The users of this app on this device.
    public nonisolated var users: Users { Users(orchestrator: self) }
}

// The running flows.
extension Orchestrator {
    /// Starts a flow, which supersedes the current flow of its subject.
    func startFlow(_ subject: FlowSubject) -> FlowLease { flows.start(subject) }

    /// Whether a flow may perform its next step.
    func holds(_ lease: FlowLease) -> Bool { flows.holds(lease) }

    /// Ends a flow.
    func endFlow(_ lease: FlowLease) { flows.end(lease) }
}

// The clock candidates. They are kept in memory: a time that no second answer has confirmed is not stored.
extension Orchestrator {
    /// Returns the offset of an account's platform clock.
    ///
    /// - Parameter stored: The confirmed offset, from the record, in milliseconds.
    func clockOffset(of account: AccountName, stored: Int64) -> ClockOffset {
        ClockOffset(milliseconds: stored, candidate: clockCandidates[account])
    }

    /// Returns the offset of an account's platform clock after a sealed answer, and keeps its candidate.
    func clockOffset(of account: AccountName, stored: Int64, observing sample: ClockSample) -> ClockOffset {
        var offset = clockOffset(of: account, stored: stored)
        if offset.observe(sample) { clockAnchors[account] = clockAnchor(at: sample.received) }
        clockCandidates[account] = offset.candidate
        return offset
    }

    /// Returns why time-based codes of a record may be for another time; `nil` when no reason is known.
    func clockReason(of record: UserRecord) -> SynchronizationReason? {
        guard clockCandidates[record.account] == nil else { return .clockUncertain }
        let now = environment.time.now()
        let change =
            if let anchor = clockAnchors[record.account] {
                Int64(clamping: clockAnchor(at: now).milliseconds(since: anchor).magnitude)
            } else {
                // A process without an answer from the platform knows the time of the last move. It detects a clock
                // that was set back.
                record.ratchetMovedAt.milliseconds(since: now)
            }
        return change > Self.greatestClockChange ? .clockChanged : nil
    }

    /// A change of the device's clock by one time step of the codes, in milliseconds. A smaller change is not detected.
    private static let greatestClockChange: Int64 = 30_000

    private func clockAnchor(at now: Timestamp) -> Timestamp {
        now.advanced(milliseconds: -environment.time.uptime().wholeMilliseconds)
    }
}
