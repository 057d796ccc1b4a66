internal import Primitives
internal import SecureChannel

/// What an app decides about the SDK once, at the composition root (requirements B2 to B5).
public struct Configuration: Sendable {
    /// The two constants of the app. Never change them once users are activated.
    public var salts: Salts

    /// The domain of users whose domain is not given with the call: 1 to 64 of `a`–`z`, `0`–`9`, `.` and `-`.
    public var domain: String

    /// The tenant at the platform, 1 to 64 ASCII characters. Both sides must be configured the same.
    public var tenant: String

    /// Which key exchange activations use.
    public var postQuantum: PostQuantumPreference

    /// What the platform calls this device in its lists: at most 64 bytes of UTF-8. Shown to administrators and users.
    public var deviceName: String

    /// The texts that prompts carry.
    public var texts: PromptCatalog

    /// What a guess of the password costs whoever steals device and platform; it is what each use costs the user.
    /// Records keep the cost that they were made with.
    public var passwordCost: ScryptCost

    /// Takes the decisions of an app.
    ///
    /// - Parameters:
    ///   - salts: the two constants of the app.
    ///   - domain: the domain of users whose domain is not given with the call.
    ///   - tenant: the tenant at the platform.
    ///   - postQuantum: which key exchange activations use.
    ///   - deviceName: what the platform calls this device.
    ///   - texts: the texts that prompts carry.
    ///   - passwordCost: what a guess of the password costs.
    public init(
        salts: Salts, domain: String = "master", tenant: String = "default",
        postQuantum: PostQuantumPreference = .preferred,
        deviceName: String = "", texts: PromptCatalog = .default, passwordCost: ScryptCost = .standard
    ) {
        self.salts = salts
        self.domain = domain
        self.tenant = tenant
        self.postQuantum = postQuantum
        self.deviceName = deviceName
        self.texts = texts
        self.passwordCost = passwordCost
    }
}

extension Configuration {
    /// The suites to offer, ascending.
    ///
    /// - Throws: `invalidConfiguration` when the system has none of those that are asked for.
    func suites() throws(OrchestrationError) -> [Suite] {
        let wanted: [Suite] =
            switch postQuantum {
            case .off: [.classic]
            case .preferred: [.classic, .hybrid]
            case .required: [.hybrid]
            }
        let suites = Suite.supported.filter(wanted.contains)
        guard !suites.isEmpty else { throw OrchestrationError(.invalidConfiguration) }
        return suites
    }

    /// - Throws: `invalidConfiguration`.
    func check() throws(OrchestrationError) {
        let isPrintable = tenant.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard (1...64).contains(tenant.utf8.count), isPrintable, deviceName.utf8.count <= 64,
            (try? AccountName(userID: "user", domain: domain)) != nil
        else { throw OrchestrationError(.invalidConfiguration) }
        _ = try suites()
    }
}
