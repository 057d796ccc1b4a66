internal import OrchestrationProtocol
internal import Primitives

/// The configuration of the SDK in an app.
public struct Configuration: Sendable {
    /// The two constants of the app. Never change them once users are activated.
    public var salts: Salts

    /// The domain that applies when a call specifies none: 1 to 64 of `a`–`z`, `0`–`9`, `.` and `-`.
    public var domain: String

    /// The tenant at the platform, 1 to 64 printable ASCII characters. It must equal the platform's tenant.
    public var tenant: String

    /// The key exchange of activations.
    public var postQuantum: PostQuantumPreference

    /// The name of this device for administrators and users, at most 64 bytes of UTF-8, without the characters that
    /// <doc:Approvals> refuses in a visible text.
    public var deviceName: String

    /// The texts for users.
    public var texts: PromptCatalog

    /// The cost of one use of the password, which is also the cost of a guess for an attacker who has both the device
    /// and the platform. A record keeps the cost with which it was created.
    public var passwordCost: ScryptCost

    /// The data about this device that requests carry.
    public var deviceData: DeviceDataSettings

    /// Creates a configuration, with salts that are derived from the name of the app.
    ///
    /// - Parameters:
    ///   - app: The name of the app, 1 to 128 printable ASCII characters without spaces, for example the bundle identifier
    ///     `com.example.bank`. Never change it once users are activated.
    ///   - domain: The domain that applies when a call specifies none.
    ///   - tenant: The tenant at the platform.
    ///   - postQuantum: The key exchange of activations.
    ///   - deviceName: The name of this device for administrators and users.
    ///   - texts: The texts for users.
    ///   - passwordCost: The cost of one use of the password.
    ///   - deviceData: The data about this device that requests carry.
    /// - Throws: `invalidConfiguration` for a name outside its limits.
    public init(
        app: String, domain: String = "master", tenant: String = "default",
        postQuantum: PostQuantumPreference = .preferred,
        deviceName: String = "", texts: PromptCatalog = .default, passwordCost: ScryptCost = .standard,
        deviceData: DeviceDataSettings = DeviceDataSettings()
    ) throws(OrchestrationError) {
        self.init(
            salts: try Salts(app: app), domain: domain, tenant: tenant, postQuantum: postQuantum,
            deviceName: deviceName, texts: texts, passwordCost: passwordCost, deviceData: deviceData)
    }

    /// Creates a configuration with explicit salts.
    ///
    /// - Parameters:
    ///   - salts: The two constants of the app.
    ///   - domain: The domain that applies when a call specifies none.
    ///   - tenant: The tenant at the platform.
    ///   - postQuantum: The key exchange of activations.
    ///   - deviceName: The name of this device for administrators and users.
    ///   - texts: The texts for users.
    ///   - passwordCost: The cost of one use of the password.
    ///   - deviceData: The data about this device that requests carry.
    public init(
        salts: Salts, domain: String = "master", tenant: String = "default",
        postQuantum: PostQuantumPreference = .preferred,
        deviceName: String = "", texts: PromptCatalog = .default, passwordCost: ScryptCost = .standard,
        deviceData: DeviceDataSettings = DeviceDataSettings()
    ) {
        self.salts = salts
        self.domain = domain
        self.tenant = tenant
        self.postQuantum = postQuantum
        self.deviceName = deviceName
        self.texts = texts
        self.passwordCost = passwordCost
        self.deviceData = deviceData
    }
}

extension Configuration {
    /// Returns the suites to offer, in ascending order.
    ///
    /// - Throws: `invalidConfiguration` when the system supports none of them.
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

    /// Checks the limits of the texts, the suites and the device data.
    ///
    /// - Throws: `invalidConfiguration`.
    func check() throws(OrchestrationError) {
        let isPrintable = tenant.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard (1...64).contains(tenant.utf8.count), isPrintable, deviceName.utf8.count <= 64,
            DisplayText.hasAllowedCharacters(deviceName),
            (try? AccountName(userID: "user", domain: domain)) != nil, deviceData.isValid
        else { throw OrchestrationError(.invalidConfiguration) }
        _ = try suites()
    }
}
