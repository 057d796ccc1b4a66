internal import OrchestrationProtocol
public import Primitives

/// One page of an authenticator list.
public struct AuthenticatorPage: Sendable, Hashable {
    /// An authenticator: a device that was activated, with its applications for one-time passwords.
    public struct Authenticator: Sendable, Hashable {
        /// The id of the device, 16 bytes.
        public let device: [UInt8]
        /// The serial number.
        public let serialNumber: String
        /// `user@domain`, normalized.
        public let account: String
        /// Whether the device belongs to its user. A revoked device does not.
        public let isAssigned: Bool
        /// The numbers of its crypto applications for codes, 1 to 8, in ascending order.
        public let applications: [Int]
        /// When it was activated.
        public let activatedAt: Timestamp

        init?(_ device: DeviceRecord) {
            guard let activatedAt = device.activatedAt else { return nil }
            self.device = device.id
            serialNumber = device.serialNumber
            account = device.account
            isAssigned = device.state != .revoked
            let agreed = Set(Capability.allCases.filter(device.can))
            applications = CryptoApplications.issued(for: agreed).map { Int($0.index) }.sorted()
            self.activatedAt = activatedAt
        }
    }

    /// The largest number of authenticators of a page.
    public static let maximumLimit = 100

    /// The number of authenticators that the filter selects.
    public let total: Int
    /// The authenticators in the order of their serial numbers.
    public let authenticators: [Authenticator]
}

extension Platform {
    /// Returns one page of the authenticators, which are the devices that were ever activated.
    ///
    /// A page beyond the end is empty. Devices whose rows were altered are counted and left out. The work grows with
    /// the number of devices, most of it to count them.
    ///
    /// - Parameters:
    ///   - filter: The choice of devices.
    ///   - offset: The number of authenticators before the page, 0 or more.
    ///   - limit: The maximum number of authenticators to return, 1 to ``AuthenticatorPage/maximumLimit``.
    /// - Throws: ``PlatformError`` with `malformedRequest` for other numbers; `storeFailed`.
    public func authenticators(
        _ filter: DeviceFilter = .init(), offset: Int = 0, limit: Int = AuthenticatorPage.maximumLimit
    ) async throws -> AuthenticatorPage {
        guard offset >= 0, (1...AuthenticatorPage.maximumLimit).contains(limit) else {
            throw PlatformError(.malformedRequest)
        }
        return try await store.read { store in
            AuthenticatorPage(
                total: try store.activatedDeviceCount(matching: filter),
                authenticators: try store.activatedDevices(matching: filter, offset: offset, limit: limit)
                    .compactMap(AuthenticatorPage.Authenticator.init))
        }
    }
}
