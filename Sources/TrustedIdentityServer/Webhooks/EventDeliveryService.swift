internal import ServiceLifecycle
internal import TrustedIdentity

/// The service that delivers events. It ends at once when the servers stop: the events wait in the store.
struct EventDeliveryService: Service {
    let platform: Platform

    func run() async throws {
        await cancelWhenGracefulShutdown { await platform.deliverEvents() }
    }
}
