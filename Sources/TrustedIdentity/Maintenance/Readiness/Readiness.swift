/// Whether a platform can serve requests, check by check.
public struct Readiness: Sendable, Hashable {
    /// One part of the platform.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        /// The store can be read and written.
        case store
        /// Requests can be sealed to a key of the platform.
        case keys
        /// This process has the master key of the store. Another process may have replaced it.
        case masterKey
        /// This process has the policy of the other processes that share the store.
        case policy
        /// The disk of the store is not full.
        case disk
        /// The writes that wait for the store are few.
        case writer
        /// The clock is not before the latest audit log entry. With
        /// ``PlatformConfiguration/requiresSynchronizedClock``, it is synchronized. It is within 2 seconds of the
        /// store's clock.
        case clock
        /// The entries of the audit log get their places in its tree, and the log does not end before its last
        /// checkpoint.
        case audit
        /// The rows of revoked devices and API keys are the rows that the platform revoked.
        case revocations
        /// The events that wait for the application server are few. This part does not keep a platform from serving.
        case events
    }

    /// A part that keeps the platform from serving, or that an administrator has to look at.
    public struct Problem: Sendable, Hashable {
        /// The part.
        public let part: Part
        /// The problem and its recovery, for an administrator, without a user name and without a secret.
        public let message: String

        /// Creates a problem.
        package init(part: Part, message: String) {
            self.part = part
            self.message = message
        }
    }

    /// The bytes that must be free on the disk: 64 MiB.
    public static let minimumFreeBytes: Int64 = 64 << 20

    /// The maximum number of writes that may wait. One transaction takes 256 of them.
    public static let maximumWaitingWrites = 4_096

    /// Returns the maximum number of writes of a store that may wait: with a limit, at most half of it, because
    /// requests must go elsewhere before the store refuses them.
    static func maximumWaitingWrites(of store: StoreHealth) -> Int {
        min(maximumWaitingWrites, store.waitingLimit.map { $0 / 2 } ?? .max)
    }

    /// The time by which the clock may be before the latest audit log entry, in milliseconds. The clocks of two
    /// machines differ after a restore.
    public static let clockTolerance: Int64 = 5_000

    /// The difference from which the store's clock counts as wrong: 2 seconds. Processes that share a store decide by
    /// their own clocks about each other's rows.
    public static let clockDifference = Duration.seconds(2)

    /// The maximum age of an audit log entry without a place in its tree, in milliseconds: 5 minutes. The maintenance
    /// assigns the places each minute.
    public static let maximumAuditAge: Int64 = 5 * 60_000

    /// The problems, in the order of ``Part``; none when the platform is ready.
    public let problems: [Problem]

    /// The parts that an administrator has to look at, although the platform can serve requests.
    public let notes: [Problem]

    /// The report of the store; `nil` when the store did not answer.
    public let store: StoreHealth?

    /// The number of events that wait; `nil` for a platform that records none, and when the store did not answer.
    public let waitingEvents: Int?

    /// The number of entries of the audit log without a place in its tree; `nil` when the store did not answer.
    public let waitingAuditEntries: Int64?

    /// The age of the first of these entries; zero when there is none, and `nil` when the store did not answer.
    public let waitingAuditAge: Duration?

    package init(
        problems: [Problem], notes: [Problem] = [], store: StoreHealth?, waitingEvents: Int? = nil,
        waitingAuditEntries: Int64? = nil, waitingAuditAge: Duration? = nil
    ) {
        self.problems = problems
        self.notes = notes
        self.store = store
        self.waitingEvents = waitingEvents
        self.waitingAuditEntries = waitingAuditEntries
        self.waitingAuditAge = waitingAuditAge
    }

    /// Whether the platform can serve requests.
    public var isReady: Bool { problems.isEmpty }
}
