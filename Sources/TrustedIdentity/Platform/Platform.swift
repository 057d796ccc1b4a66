public import Logging
public import Primitives

/// The platform: registers users, activates their devices, and decides whether what they typed logs them in.
///
/// One value serves one tenant over one store and may be called from many tasks. It holds no state that matters: what it
/// decides, it decides on rows that it read, and writes with a compare-and-set; when a row changed meanwhile, it decides
/// again. Long polls are woken within the process.
///
/// Every method throws ``PlatformError`` or `CancellationError`.
public final class Platform: Sendable {
    let configuration: PlatformConfiguration
    let store: any PlatformStore
    let sealer: RowSealer
    let keys: PlatformKeys
    let decoys: Decoys
    let hasher: PasswordHasher
    let watch = AccountWatch()
    let gates: Gates
    let metrics = PlatformMetrics()
    let time: any TimeSource
    let random: any RandomSource
    let logger: Logger

    /// Opens a platform; on a new store it makes the platform's keys first.
    ///
    /// - Parameters:
    ///   - configuration: what is allowed; the tenant must be the store's.
    ///   - store: where everything is kept.
    ///   - masterKey: seals what is secret in the store. Losing it loses every device.
    ///   - time: the clock that every expiry is measured by.
    ///   - random: where keys and codes come from; anything but the system's is for tests.
    ///   - logger: gets constant messages at `trace` and `debug`, without names and secrets.
    /// - Throws: ``PlatformError`` with `malformedRequest` for a configuration outside its limits, `wrongTenant`,
    ///   `wrongMasterKey`, `storeFailed`.
    public init(
        configuration: PlatformConfiguration = .init(),
        store: any PlatformStore,
        masterKey: MasterKey,
        time: any TimeSource = SystemTimeSource(),
        random: any RandomSource = SystemRandomSource(),
        logger: Logger = Logger(label: "trusted-identity") { _ in SwiftLogNoOpLogHandler() }
    ) async throws {
        guard configuration.isValid else { throw PlatformError(.malformedRequest) }
        let sealer = RowSealer(tenant: configuration.tenant, masterKey: masterKey, random: random)
        self.configuration = configuration
        self.store = store
        self.sealer = sealer
        self.time = time
        self.random = random
        self.logger = logger
        keys = try await PlatformKeys.load(
            from: store, sealer: sealer, tenant: configuration.tenant, random: random, now: time.now())
        decoys = try Decoys(sealer: sealer, random: random)
        hasher = PasswordHasher(cost: configuration.passwordHash)
        gates = Gates(configuration)
    }
}
