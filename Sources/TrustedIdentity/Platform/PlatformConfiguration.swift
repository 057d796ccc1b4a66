internal import OrchestrationProtocol
package import Primitives

/// The configuration of a platform.
public struct PlatformConfiguration: Sendable, Hashable {
    /// The tenant, 1 to 64 printable ASCII characters. Every key depends on it, so it never changes for a store.
    public var tenant: String
    /// The suites that activations and requests may use.
    public var postQuantum: PostQuantumPreference
    /// The rules for passwords, which devices enforce.
    public var pinPolicy: PINPolicy
    /// The rules by which the platform decides how a user authenticates, until ``Platform/replacePolicy(with:hash:)``.
    public var policy: Policy
    /// The time in which a code over a challenge is accepted, 10 seconds to an hour.
    public var challengeLifetime: Duration
    /// The number of requests of a device in a minute and in a burst, 1 to 6,000.
    public var requestsPerDevice: Int
    /// The number of requests that prove no device, from one address in a minute and in a burst, 1 to 60,000.
    public var requestsPerAddress: Int

    /// The number of wrong passwords of a device that locks it, 10 to 50. One of them is dropped every three days. A
    /// password change, a new activation and lifting the blocks clear the count. A right password does not clear it:
    /// otherwise a thief with a copied store could guess between the user's successes.
    public var cumulativeTries = 15

    /// The times for which rows are kept that no decision needs.
    public var retention = Retention()

    /// The time after which the platform signs and keeps another checkpoint of the audit log if the log has grown; a
    /// minute to 366 days. ``Maintenance`` does it, at most once a minute.
    public var auditCheckpointInterval = Duration.seconds(3_600)

    /// The number of callers that wait at the same time, 1 to 100,000: for approvals and for registrations. A further
    /// one gets `busy`. The number bounds the memory that callers can occupy.
    public var waitingCalls = 10_000

    /// The number of open streams of notifications, 1 to 100,000. A further one gets `busy`. A device has one stream,
    /// and a newer stream ends the older one. An account therefore has at most one stream for each active device.
    public var openStreams = 10_000

    /// The number of open notification streams of an address, or of 64 bits of an IPv6 address, 1 to 100,000. A further
    /// one gets `busy`.
    public var openStreamsPerAddress = 4_000

    /// Whether events of accounts and devices are recorded for their delivery. A platform with a gateway for events
    /// records them in any case. Set it in a process that administers the store without delivering its events.
    public var recordsEvents = false

    /// The address at which apps reach the platform, such as `https://id.example.com`, 1 to 128 bytes of printable
    /// ASCII; `nil` for a platform that makes no activation links.
    public var publicAddress: String?

    /// Whether the platform is not ready while its ``/Primitives/TimeSource`` reports that the clock is not
    /// synchronized. Leave it off on a machine whose host sets the clock: the machine's kernel does not learn of it.
    public var requiresSynchronizedClock = false

    /// The number of waiting events beyond which the oldest are dropped. Tests lower it.
    package var waitingEvents = EventOutbox.defaultLimit

    /// The time between two ticks at which refused credentials are answered. Tests without a tick set 0.
    package var answerInterval = AnswerTick.interval

    /// The cost of hashing static passwords. Tests lower it.
    package var passwordHash = ScryptCost.standard

    /// Creates a configuration.
    public init(
        tenant: String = "default", postQuantum: PostQuantumPreference = .preferred, pinPolicy: PINPolicy = .default,
        policy: Policy = .default, challengeLifetime: Duration = .seconds(300), requestsPerDevice: Int = 60,
        requestsPerAddress: Int = 120
    ) {
        self.tenant = tenant
        self.postQuantum = postQuantum
        self.pinPolicy = pinPolicy
        self.policy = policy
        self.challengeLifetime = challengeLifetime
        self.requestsPerDevice = requestsPerDevice
        self.requestsPerAddress = requestsPerAddress
    }

    /// Whether every value is within its limits.
    var isValid: Bool { problems.isEmpty }

    /// The limits that are not met. A ``Platform`` is not created from a configuration with any.
    package var problems: [ConfigurationLimit<Self>] { Self.limits.filter { !$0.isMet(self) } }

    /// The limits of the fields.
    package static let limits: [ConfigurationLimit<Self>] = ownLimits + Retention.limits

    private static let ownLimits: [ConfigurationLimit<Self>] = [
        .init("tenant", "1 to 64 printable ASCII characters without spaces") { configuration in
            (1...64).contains(configuration.tenant.utf8.count)
                && configuration.tenant.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        },
        .init("publicAddress", "an https or http address of at most 128 bytes of printable ASCII") {
            $0.publicAddress.map(ActivationLink.isAddress) ?? true
        },
        .init("challengeLifetime", in: .seconds(10) ... .seconds(3_600)) { $0.challengeLifetime },
        .init("requestsPerDevice", in: 1...6_000) { $0.requestsPerDevice },
        .init("requestsPerAddress", in: 1...60_000) { $0.requestsPerAddress },
        .init("cumulativeTries", in: 10...50) { $0.cumulativeTries },
        .init("auditCheckpointInterval", in: .seconds(600) ... .seconds(366 * 86_400)) { $0.auditCheckpointInterval },
        .init("waitingCalls", in: 1...100_000) { $0.waitingCalls },
        .init("openStreams", in: 1...100_000) { $0.openStreams },
        .init("openStreamsPerAddress", in: 1...100_000) { $0.openStreamsPerAddress },
    ]
}
