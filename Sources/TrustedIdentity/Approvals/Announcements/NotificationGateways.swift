internal import Primitives
internal import Synchronization

/// The gateways of a platform, their services, and the approval requests that are to be announced.
final class NotificationGateways: Sendable {
    /// The maximum number of services with their own places. Further services of a gateway share places.
    static let serviceLimit = 32

    /// An approval request that is to be announced. It is small, because thousands can wait.
    struct Announcement: Sendable {
        let request: [UInt8]
        let account: String
        let expiresAt: Timestamp
    }

    /// A notification about an approval request for a device.
    struct Notification: Sendable {
        let request: [UInt8]
        let expiresAt: Timestamp
        let device: [UInt8]
        let identifier: String
        let address: String
        let gateway: any NotificationGateway
        let service: PushService

        /// The scheme of the gateway.
        var scheme: Substring { identifier.prefix { $0 != ":" } }
    }

    private let gateways: [String: any NotificationGateway]
    private let services = Mutex<[String: PushService]>([:])
    private let announcements: Mutex<AsyncStream<Announcement>?>
    private let announced: AsyncStream<Announcement>.Continuation

    /// Creates the registry.
    ///
    /// - Parameter gateways: The gateways by scheme.
    /// - Throws: ``PlatformError`` with `malformedRequest` for a scheme outside the grammar.
    init(_ gateways: [String: any NotificationGateway]) throws {
        guard gateways.keys.allSatisfy(Self.isScheme) else { throw PlatformError(.malformedRequest) }
        self.gateways = gateways
        let (stream, continuation) = AsyncStream.makeStream(
            of: Announcement.self, bufferingPolicy: .bufferingOldest(Platform.waitingDeliveries))
        announcements = Mutex(stream)
        announced = continuation
    }

    /// Whether the platform has no gateway.
    var isEmpty: Bool { gateways.isEmpty }

    /// The number of notifications that are under way: for tests.
    var underWay: Int { services.withLock { $0.values.reduce(0) { $0 + $1.underWay } } }

    /// Adds a request, and returns at once.
    ///
    /// - Returns: Whether the queue has taken it.
    func add(_ announcement: Announcement) -> Bool {
        if case .dropped = announced.yield(announcement) { false } else { true }
    }

    /// Returns the requests that are to be announced, to the first caller only.
    func takeAnnouncements() -> AsyncStream<Announcement>? {
        announcements.withLock { stream in
            defer { stream = nil }
            return stream
        }
    }

    /// Returns the gateway of an identifier with the address; nil for an identifier without a scheme or with another
    /// scheme.
    func find(_ identifier: String) -> (gateway: any NotificationGateway, address: String)? {
        guard let colon = identifier.firstIndex(of: ":"), let gateway = gateways[String(identifier[..<colon])] else {
            return nil
        }
        return (gateway, String(identifier[identifier.index(after: colon)...]))
    }

    /// Returns the service of a gateway with a name.
    func service(_ name: String, of scheme: Substring, at now: Duration) -> PushService {
        services.withLock { services in
            if let service = services["\(scheme):\(name)"] { return service }
            // Devices can make up names. Names that are not in use must not keep the places of others.
            if services.count >= Self.serviceLimit { services = services.filter { !$0.value.isIdle(at: now) } }
            let key = "\(scheme):\(services.count < Self.serviceLimit ? name : "")"
            let service = services[key] ?? PushService()
            services[key] = service
            return service
        }
    }

    /// The scheme `pull` is reserved for streams: a device without a push service registers `pull:` and its id.
    private static func isScheme(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && text != "pull"
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
