public import Wire

/// One round trip of a flow that was completed: for progress bars and logs.
public struct FlowStep: Sendable {
    /// What the round trip was for.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// One of the four round trips of an activation.
        case activation
        /// The registration of a notification identifier.
        case notificationRegistration
        /// The move of the key ratchet and the exchange of counters after a local authentication.
        case synchronization
    }

    /// What the round trip was for.
    public let kind: Kind

    /// The number of the step in its flow, counted from 1.
    public let number: Int

    /// How many steps such a flow has.
    public let total: Int

    /// The command that left, as it left. Its description is safe to log; its bytes name the user in step 1.
    public let command: OrchestrationCommand
}

extension FlowStep: CustomStringConvertible {
    /// For example `activation 2/4`.
    public var description: String { "\(kind.rawValue) \(number)/\(total)" }
}
