internal import Primitives

/// The rows of a ``MemoryStore``, by their keys.
struct MemoryTables: Sendable {
    struct Pair: Hashable, Sendable {
        let device: [UInt8]
        let request: [UInt8]
    }
    struct CounterKey: Hashable, Sendable {
        let device: [UInt8]
        let instance: Instance
        let application: UInt8
    }

    struct TallyKey: Hashable, Sendable {
        let hour: Timestamp
        let event: AuditEvent
        let reason: String
    }

    var state: PlatformStateRecord?
    var accounts: [String: AccountRecord] = [:]
    var codes: [String: ActivationPasswordRecord] = [:]
    var sessions: [[UInt8]: ActivationSessionRecord] = [:]
    var devices: [[UInt8]: DeviceRecord] = [:]
    var devicesOfAccount: [String: Set<[UInt8]>] = [:]
    var counters: [[UInt8]: [CounterKey: CodeCounterRecord]] = [:]
    var throttles: [String: [ThrottleKey: ThrottleRecord]] = [:]
    var replays: [Pair: ReplayRecord] = [:]
    var apiKeys: [String: APIKeyRecord] = [:]
    var platformKeys: [[UInt8]: PlatformKeyRecord] = [:]
    var tallies: [TallyKey: Int] = [:]
    var audit: [AuditEntry] = []
    /// Entries that came before the first of ``audit`` and made room.
    var forgottenAudit: Int64 = 0
    /// Entries that are kept at most.
    static let maximumAudit = 200_000

    /// A count of failures by its key.
    subscript(throttle key: ThrottleKey) -> ThrottleRecord? {
        get { throttles[key.account]?[key] }
        set { throttles[key.account, default: [:]][key] = newValue }
    }

    /// A code counter by its key.
    subscript(counter key: CounterKey) -> CodeCounterRecord? {
        get { counters[key.device]?[key] }
        set { counters[key.device, default: [:]][key] = newValue }
    }

    /// Whether an account has a device.
    subscript(owner account: String, device id: [UInt8]) -> Bool {
        get { devicesOfAccount[account]?.contains(id) ?? false }
        set {
            if newValue {
                devicesOfAccount[account, default: []].insert(id)
            } else {
                devicesOfAccount[account]?.remove(id)
            }
        }
    }
}
