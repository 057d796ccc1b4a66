internal import Primitives

/// The rows of a ``MemoryPlatformStore``, by their keys.
struct MemoryTables: Sendable {
    struct ReplayKey: Hashable, Sendable {
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

    struct RefusalCount: Sendable {
        let hour: Timestamp
        let count: Int
    }

    /// Entries with consecutive sequence numbers, the earliest first.
    struct Log: Sendable {
        private(set) var entries: [AuditEntry] = []
        /// The number of entries before the first one, which were dropped.
        private var dropped: Int64 = 0

        /// The number of the last entry.
        var last: Int64 { dropped + Int64(entries.count) }

        /// Appends an entry with the next sequence number.
        mutating func append(_ entry: AuditEntry) {
            var entry = entry
            entry.sequence = last + 1
            entries.append(entry)
        }

        /// Removes the last entry.
        mutating func removeLast() { entries.removeLast() }

        /// Drops a number of the earliest entries.
        mutating func removeFirst(_ count: Int) {
            entries.removeFirst(count)
            dropped += Int64(count)
        }

        /// Returns the position of the first entry with a sequence number that is not lower.
        func position(of sequence: Int64) -> Int {
            Int(max(0, min(Int64(entries.count), max(1, sequence) - 1 - dropped)))
        }
    }

    var state: PlatformStateRecord?
    var accounts: [String: AccountRecord] = [:]
    /// The names of accounts by their subjects in the audit log.
    var accountsBySubject: [[UInt8]: String] = [:]
    var activationPasswords: [String: ActivationPasswordRecord] = [:]
    var sessions: [[UInt8]: ActivationSessionRecord] = [:]
    var devices: [[UInt8]: DeviceRecord] = [:]
    var devicesOfAccount: [String: Set<[UInt8]>] = [:]
    var deviceData: [[UInt8]: DeviceDataRecord] = [:]
    var counters: [[UInt8]: [CounterKey: CodeCounterRecord]] = [:]
    var throttles: [String: [ThrottleKey: ThrottleRecord]] = [:]
    var challenges: [[UInt8]: ChallengeRecord] = [:]
    var replays: [ReplayKey: ReplayRecord] = [:]
    /// The times until which the refusals among the replays are kept, by device and request id.
    var refusals: [[UInt8]: [[UInt8]: Timestamp]] = [:]
    var approvals: [[UInt8]: ApprovalRecord] = [:]
    var risks: [String: AccountRiskRecord] = [:]
    var policyDecisions: [[UInt8]: PolicyDecisionRecord] = [:]
    var streamTokens: [[UInt8]: StreamTokenRecord] = [:]
    var apiKeys: [String: APIKeyRecord] = [:]
    var platformKeys: [[UInt8]: PlatformKeyRecord] = [:]
    var keyStatements: [UInt64: KeyStatementRecord] = [:]
    var tallies: [TallyKey: Int] = [:]
    /// The numbers of refusals in an hour, by account.
    var refusalCounts: [String: RefusalCount] = [:]
    var events: [Int64: EventRecord] = [:]
    /// The highest number that was given to an event.
    var lastEvent: Int64 = 0
    var audit = Log()
    var auditTree: AuditTreeRecord?
    /// The checkpoints of the audit log by their numbers of entries.
    var auditCheckpoints: [Int64: AuditCheckpointRecord] = [:]

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

    /// The time until which a refusal is kept.
    subscript(refusal key: ReplayKey) -> Timestamp? {
        get { refusals[key.device]?[key.request] }
        set {
            refusals[key.device, default: [:]][key.request] = newValue
            if refusals[key.device]?.isEmpty == true { refusals[key.device] = nil }
        }
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
