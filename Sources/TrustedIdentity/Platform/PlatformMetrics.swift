#if Platform
    internal import Metrics
#endif

/// Counts what happens, for swift-metrics where the package trait `Platform` brings it. Labels are constants, never a
/// user's or a device's.
struct PlatformMetrics: Sendable {
    /// What is counted. The raw values are the labels.
    enum Event: String {
        case registrations = "trusted_identity_registrations"
        case activations = "trusted_identity_activations"
        case commands = "trusted_identity_commands"
        case refusedCommands = "trusted_identity_commands_refused"
        case acceptedLogins = "trusted_identity_logins_accepted"
        case refusedLogins = "trusted_identity_logins_refused"
        case conflicts = "trusted_identity_store_conflicts"
    }

    /// Adds one.
    func count(_ event: Event) {
        #if Platform
            Counter(label: event.rawValue).increment()
        #endif
    }
}
