internal import ServiceLifecycle
internal import TrustedIdentity

/// The service that delivers notifications. It ends at once when the servers stop: devices get the requests from their
/// streams and lists.
struct NotificationDeliveries: Service {
    let platform: Platform

    func run() async throws {
        await cancelWhenGracefulShutdown { await platform.deliverNotifications() }
    }
}
