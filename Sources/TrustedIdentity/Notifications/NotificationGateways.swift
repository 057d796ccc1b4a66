internal import Primitives

/// The gateways of a platform and what waits for them.
final class NotificationGateways: Sendable {
    /// An approval request that is to be announced. It is small, because thousands can wait.
    struct Announcement: Sendable {
        let request: [UInt8]
        let account: String
        let expiresAt: Timestamp
    }

    /// An attempt to deliver an approval request to a device.
    struct Delivery: Sendable {
        let request: [UInt8]
        let expiresAt: Timestamp
        let device: [UInt8]
        let identifier: String
        let address: String
        /// The number of attempts that the service failed or deferred.
        var failures = 0
        /// The number of failures of the store. They have a count of their own, because they say nothing about the
        /// service: its first attempt is still to come.
        var storeFailures = 0
    }

    typealias Outcome = DeliveryQueue<Delivery>.Outcome
    typealias Change = DeliveryQueue<Delivery>.Change

    /// A gateway and its queue. A gateway that hangs does not stop the others.
    struct Entry: Sendable {
        let scheme: String
        let gateway: any NotificationGateway
        let queue: DeliveryQueue<Delivery>
    }

    /// The approval requests whose devices are to be read.
    let announcements = DeliveryQueue<Announcement>(length: Platform.waitingDeliveries, concurrency: 4)
    let entries: [String: Entry]

    var isEmpty: Bool { entries.isEmpty }

    /// Returns whether each gateway that is in use has enough to try, and none takes anything.
    func areHeldUp(at now: Duration) -> Bool {
        let conditions = entries.values.map { $0.queue.condition(at: now) }
        return conditions.contains(.heldUp) && !conditions.contains(.working)
    }

    /// Creates the queues.
    ///
    /// - Parameter gateways: The gateways by scheme.
    /// - Throws: ``PlatformError`` with `malformedRequest` for a scheme outside the grammar.
    init(_ gateways: [String: any NotificationGateway]) throws {
        guard gateways.keys.allSatisfy(Self.isScheme) else { throw PlatformError(.malformedRequest) }
        entries = Dictionary(
            uniqueKeysWithValues: gateways.map { scheme, gateway in
                let queue = DeliveryQueue<Delivery>(
                    length: Platform.waitingDeliveries, concurrency: Platform.concurrentDeliveries)
                return (scheme, Entry(scheme: scheme, gateway: gateway, queue: queue))
            })
    }

    /// Returns the gateway of an identifier with the address; nil for an identifier without a scheme or with another
    /// one.
    func find(_ identifier: String) -> (entry: Entry, address: String)? {
        guard let colon = identifier.firstIndex(of: ":"), let entry = entries[String(identifier[..<colon])] else {
            return nil
        }
        return (entry, String(identifier[identifier.index(after: colon)...]))
    }

    /// The scheme of the streams is taken: a device that has no push service registers `pull:` and its id.
    private static func isScheme(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && text != "pull"
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
