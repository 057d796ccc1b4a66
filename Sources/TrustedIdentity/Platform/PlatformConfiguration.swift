package import Primitives

/// What a platform is told when it is made.
public struct PlatformConfiguration: Sendable, Hashable {
    /// The tenant: 1…64 ASCII characters. It goes into every key, so it never changes for a store.
    public var tenant: String
    /// Which suites are allowed.
    public var postQuantum: PostQuantumPreference
    /// The form of passwords.
    public var pinPolicy: PINPolicy
    /// The methods whose codes are accepted for a login. Without ``/Primitives/AuthenticationMethod/possession``, a stolen
    /// device alone is not enough.
    public var loginMethods: Set<AuthenticationMethod>
    /// Whether codes come with a host code that the site shows.
    public var hostCodes: Bool
    /// Requests that a device may make in a minute, 1…6,000, and in a burst.
    public var requestsPerDevice: Int
    /// Requests a minute, 1…60,000, and in a burst, from one address that prove no device.
    public var requestsPerAddress: Int

    /// The cost of the hash of static passwords: tests lower it, released paths do not.
    package var passwordHash = ScryptCost.standard

    /// Puts a configuration together.
    public init(
        tenant: String = "default", postQuantum: PostQuantumPreference = .preferred, pinPolicy: PINPolicy = .default,
        loginMethods: Set<AuthenticationMethod> = [.password, .biometric, .face], hostCodes: Bool = true,
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
            && (1...6_000).contains(requestsPerDevice) && (1...60_000).contains(requestsPerAddress)
    }
}
