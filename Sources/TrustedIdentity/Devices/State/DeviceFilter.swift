internal import Primitives

/// The devices that a list of authenticators shows.
public struct DeviceFilter: Sendable, Hashable {
    /// The serial number; `nil` for all.
    public var serialNumber: String?

    /// The domains of the accounts, normalized; `nil` for all.
    public var domains: Set<String>?

    /// `true` for devices of users, `false` for revoked devices; `nil` for both.
    public var isAssigned: Bool?

    /// Creates a filter. By default, it selects all devices that were ever activated.
    public init(serialNumber: String? = nil, domains: Set<String>? = nil, isAssigned: Bool? = nil) {
        self.serialNumber = serialNumber
        self.domains = domains
        self.isAssigned = isAssigned
    }
}
