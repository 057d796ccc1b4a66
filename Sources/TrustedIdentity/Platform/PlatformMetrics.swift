internal import Primitives

#if Platform
    internal import Metrics
#endif

/// Event counters, in swift-metrics if the package trait `Platform` includes it. Labels are constants and contain no
/// user or device name.
package struct PlatformMetrics: Sendable {
    /// A kind of event. The raw values are the labels.
    package enum Event: String, CaseIterable, Sendable {
        case registrations = "trusted_identity_registrations_total"
        case activations = "trusted_identity_activations_total"
        case commands = "trusted_identity_commands_total"
        case refusedCommands = "trusted_identity_commands_refused_total"
        case unopenedCommands = "trusted_identity_commands_unopened_total"
        case acceptedLogins = "trusted_identity_logins_accepted_total"
        case refusedLogins = "trusted_identity_logins_refused_total"
        case acceptedTransactions = "trusted_identity_transactions_accepted_total"
        case refusedTransactions = "trusted_identity_transactions_refused_total"
        case approvalRequests = "trusted_identity_approval_requests_total"
        case approvals = "trusted_identity_approvals_total"
        case rejections = "trusted_identity_rejections_total"
        case removedRows = "trusted_identity_maintenance_removed_rows_total"
        case failedMaintenance = "trusted_identity_maintenance_failed_runs_total"
        case deliveries = "trusted_identity_notifications_delivered_total"
        case repeatedDeliveries = "trusted_identity_notifications_repeated_total"
        case failedDeliveries = "trusted_identity_notifications_failed_total"
        case droppedDeliveries = "trusted_identity_notifications_dropped_total"
        case unregisteredDeliveries = "trusted_identity_notifications_unregistered_total"
        case recordedEvents = "trusted_identity_events_recorded_total"
        case deliveredEvents = "trusted_identity_events_delivered_total"
        case repeatedEvents = "trusted_identity_events_repeated_total"
        case droppedEvents = "trusted_identity_events_dropped_total"
        case conflicts = "trusted_identity_store_conflicts_total"
        case shedWrites = "trusted_identity_store_shed_writes_total"

        /// The description of the counted events.
        package var help: String {
            switch self {
            case .registrations: "Registrations of users."
            case .activations: "Devices that completed their activation."
            case .commands: "Commands of devices that were answered."
            case .refusedCommands: "Commands of devices that were answered with a refusal."
            case .unopenedCommands: "Commands that no key of the platform opens."
            case .acceptedLogins: "Typed codes and static passwords that were accepted."
            case .refusedLogins: "Typed codes and static passwords that were refused."
            case .acceptedTransactions: "Typed signatures of transactions, and seals, that were accepted."
            case .refusedTransactions: "Typed signatures of transactions, and seals, that were refused."
            case .approvalRequests: "Approval requests."
            case .approvals: "Approval requests that a user approved."
            case .rejections: "Approval requests that a user rejected."
            case .removedRows: "Rows whose time was over, and that were removed or ended."
            case .failedMaintenance: "Runs of the maintenance in which a part failed."
            case .deliveries: "Notifications that a push service has taken."
            case .repeatedDeliveries:
                "Attempts to deliver a notification that failed or were deferred, and are repeated."
            case .failedDeliveries: "Notifications that were refused, or whose attempts all failed."
            case .droppedDeliveries:
                "Notifications that were not sent: too many were under way, or the request had ended."
            case .unregisteredDeliveries: "Notifications whose push service no longer knows the device."
            case .recordedEvents: "Events for the application server that were recorded."
            case .deliveredEvents: "Events that the application server has taken."
            case .repeatedEvents: "Attempts to deliver an event that failed and are repeated."
            case .droppedEvents: "Events that were dropped before they were delivered."
            case .conflicts: "Transactions that were repeated because a row had changed."
            case .shedWrites: "Writes that were refused because too many waited."
            }
        }
    }

    /// The end time of the latest maintenance run.
    package static let lastMaintenance = "trusted_identity_maintenance_last_run_seconds"
    /// The durations of the maintenance runs.
    package static let maintenanceDuration = "trusted_identity_maintenance_duration_seconds"

    /// Adds one event to its counter.
    func count(_ event: Event) { add(1, to: event) }

    /// Adds a number of events to their counter.
    func add(_ number: Int, to event: Event) {
        #if Platform
            Counter(label: event.rawValue).increment(by: Int64(number))
        #endif
    }

    /// Records the end of a maintenance run, and its duration.
    func noteMaintenance(at time: Timestamp, lasting duration: Duration) {
        #if Platform
            Gauge(label: Self.lastMaintenance).record(time.millisecondsSinceEpoch / 1_000)
            Timer(label: Self.maintenanceDuration).recordMilliseconds(duration.wholeMilliseconds)
        #endif
    }
}
