public import ServiceLifecycle
public import TrustedIdentity

/// The `Maintenance` of a platform as a service, for a `ServiceGroup` next to a ``Server``.
///
/// A graceful shutdown ends it: a transaction in progress is completed, and no other one begins.
public struct MaintenanceService: Service {
    private let maintenance: Maintenance

    /// Creates the service of a platform.
    public init(_ platform: Platform) {
        maintenance = Maintenance(platform)
    }

    /// Works until the group shuts down, or the task is canceled.
    public func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await maintenance.run() }
        } catch is CancellationError {
            // The end of the work, not a failure of the group.
        }
    }
}
