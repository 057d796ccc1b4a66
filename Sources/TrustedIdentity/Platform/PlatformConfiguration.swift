/// What a platform is told when it is made.
public struct PlatformConfiguration: Sendable, Hashable {
    /// Whether activations and requests use the hybrid suite (X-Wing: ML-KEM-768 and X25519) besides the classic one.
    public enum PostQuantum: String, Sendable, Hashable, CaseIterable, Codable {
        /// Classic only.
        case off
        /// Hybrid where the authenticator can.
        case preferred
        /// Hybrid, or no activation. A device that was activated with the classic suite before goes on with it:
        /// nothing that it could send would tell it of the change, and its keys are as old as its activation. To end
        /// it, register its user anew and revoke it; ``AccountReport/Device/isPostQuantum`` tells which those are.
        case required
    }

    /// The form of passwords, which devices enforce.
    public struct PINPolicy: Sendable, Hashable {
        /// The least number of characters, 4…64.
        public var minimumLength: Int
        /// The greatest number of characters, from the least to 64.
        public var maximumLength: Int
        /// Whether only digits are taken.
        public var digitsOnly: Bool
        /// Wrong passwords in a row, device-proven, that lock the device: 3…5.
        public var tries: Int

        /// 6 to 12 digits and 5 tries unless told otherwise.
        public init(minimumLength: Int = 6, maximumLength: Int = 12, digitsOnly: Bool = true, tries: Int = 5) {
            self.minimumLength = minimumLength
            self.maximumLength = maximumLength
            self.digitsOnly = digitsOnly
            self.tries = tries
        }
    }

    /// The tenant: 1…64 ASCII characters. It goes into every key, so it never changes for a store.
    public var tenant: String
    /// Which suites are allowed.
    public var postQuantum: PostQuantum
    /// The form of passwords.
    public var pinPolicy: PINPolicy
    /// The methods whose codes log a user in. Without ``VerifiedMethod/none``, a stolen device alone logs nobody in.
    public var loginMethods: Set<VerifiedMethod>
    /// Whether codes come with a host code that the site shows.
    public var hostCodes: Bool
    /// Requests that a device may make in a minute, 1…6,000, and in a burst.
    public var requestsPerDevice: Int
    /// Requests a minute, 1…60,000, and in a burst, from one address that prove no device.
    public var requestsPerAddress: Int

    /// The cost of the hash of static passwords: tests lower it, released paths do not.
    package var passwordHash = PasswordHashCost.standard

    /// Puts a configuration together.
    public init(
        tenant: String = "default", postQuantum: PostQuantum = .preferred, pinPolicy: PINPolicy = .init(),
        loginMethods: Set<VerifiedMethod> = [.password, .biometric, .face], hostCodes: Bool = true,
        requestsPerDevice: Int = 60, requestsPerAddress: Int = 120
    ) {
        self.tenant = tenant
        self.postQuantum = postQuantum
        self.pinPolicy = pinPolicy
        self.loginMethods = loginMethods
        self.hostCodes = hostCodes
        self.requestsPerDevice = requestsPerDevice
        self.requestsPerAddress = requestsPerAddress
    }

    /// Whether every value is inside its limits.
    var isValid: Bool {
        (1...64).contains(tenant.utf8.count) && tenant.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            && (4...64).contains(pinPolicy.minimumLength)
            && (pinPolicy.minimumLength...64).contains(max(pinPolicy.maximumLength, pinPolicy.minimumLength))
            && pinPolicy.maximumLength >= pinPolicy.minimumLength && (3...5).contains(pinPolicy.tries)
            && (1...6_000).contains(requestsPerDevice) && (1...60_000).contains(requestsPerAddress)
    }
}
