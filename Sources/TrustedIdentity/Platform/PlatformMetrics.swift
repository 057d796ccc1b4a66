#if Platform
    internal import Metrics
#endif

/// Counters of events, in swift-metrics where the package trait `Platform` includes it. Labels are constants and
/// contain no name of a user or device.
struct PlatformMetrics: Sendable {
    /// A kind of event. The raw values are the labels.
    enum Event: String {
        case registrations = "trusted_identity_registrations"
        case activations = "trusted_identity_activations"
        case commands = "trusted_identity_commands"
        case refusedCommands = "trusted_identity_commands_refused"
        case unopenedCommands = "trusted_identity_commands_unopened"
        case acceptedLogins = "trusted_identity_logins_accepted"
        case refusedLogins = "trusted_identity_logins_refused"
        case acceptedTransactions = "trusted_identity_transactions_accepted"
        case refusedTransactions = "trusted_identity_transactions_refused"
        case approvalRequests = "trusted_identity_approval_requests"
        case approvals = "trusted_identity_approvals"
        case rejections = "trusted_identity_rejections"
        case conflicts = "trusted_identity_store_conflicts"
    }

    /// Adds one event to its counter.
    func count(_ event: Event) {
        #if Platform
            Counter(label: event.rawValue).increment()
        #endif
    }
}
