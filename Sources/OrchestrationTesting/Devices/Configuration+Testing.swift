public import Orchestration

extension Configuration {
    /// A configuration for tests: fixed salts, and a password cost that takes no time.
    ///
    /// A store that was written with this cost opens only with this configuration. Nothing outside this package can
    /// choose the cost, so no app can release it.
    ///
    /// - Parameter postQuantum: which key exchange activations use.
    public static func testing(postQuantum: PostQuantumPreference = .preferred) throws -> Configuration {
        let salts = try Salts(
            authenticator: [UInt8](repeating: 0xA0, count: 16), storage: [UInt8](repeating: 0x50, count: 16))
        var configuration = Configuration(salts: salts, postQuantum: postQuantum, deviceName: "test")
        configuration.passwordCost = .testing
        return configuration
    }
}
