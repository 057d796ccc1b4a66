#if Platform
    internal import Metrics
#endif

/// Counters of events, in swift-metrics where the package trait `Platform` includes it. Labels are constants and
/// contain no name of a user or device.
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
            case .acceptedTransactions: "Typed signatures of transactions that were accepted."
            case .refusedTransactions: "Typed signatures of transactions that were refused."
            case .approvalRequests: "Approval requests."
            case .approvals: "Approval requests that a user approved."
            case .rejections: "Approval requests that a user rejected."
            case .conflicts: "Transactions that were repeated because a row had changed."
            case .shedWrites: "Writes that were refused because too many waited."
            }
        }
    }

    /// Adds one event to its counter.
    func count(_ event: Event) {
        #if Platform
            Counter(label: event.rawValue).increment()
        #endif
    }
}
