public import Primitives

/// A user of the application server, as the platform knows them.
public struct AccountRecord: Sendable, Hashable {
    /// `user@domain`, normalized; the key.
    public var name: String
    /// When the account was first registered.
    public var createdAt: Timestamp
    /// The latest registration.
    public var registrationID: String
    /// When a device of the latest registration became active; nil until then.
    public var activatedAt: Timestamp?
    /// The verifier of the static password, sealed; nil when there is none.
    public var staticPassword: SealedValue?
    /// Counts the updates.
    public var version: Int64

    /// Puts a row together.
    public init(
        name: String, createdAt: Timestamp, registrationID: String, activatedAt: Timestamp? = nil,
        staticPassword: SealedValue? = nil, version: Int64 = 0
    ) {
        self.name = name
        self.createdAt = createdAt
        self.registrationID = registrationID
        self.activatedAt = activatedAt
        self.staticPassword = staticPassword
        self.version = version
    }
}
