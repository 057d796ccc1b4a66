/// Two constants of the app that make its keys differ from those of other apps on the same device.
///
/// They are no secrets, since whoever has the app has them. Make each once with a random generator and never change
/// them: data sealed under other salts cannot be opened.
public struct Salts: Sendable, Hashable {
    /// Goes into the device key and the wrap of the password instance. 16 to 64 bytes.
    public let authenticator: [UInt8]

    /// Goes into the keys and names of stored data. 16 to 64 bytes.
    public let storage: [UInt8]

    /// Takes the salts of the app.
    ///
    /// - Parameters:
    ///   - authenticator: 16 to 64 bytes.
    ///   - storage: 16 to 64 bytes, not the same ones.
    /// - Throws: `invalidConfiguration` when a salt is shorter or longer, or both are equal.
    public init(authenticator: [UInt8], storage: [UInt8]) throws(OrchestrationError) {
        guard (16...64).contains(authenticator.count), (16...64).contains(storage.count), authenticator != storage
        else { throw OrchestrationError(.invalidConfiguration) }
        self.authenticator = authenticator
        self.storage = storage
    }
}
