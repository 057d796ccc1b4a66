/// Why there is nothing left to do for a flow.
public enum OutdatedReason: String, Sendable, Hashable, Codable {
    /// The time for it is over. An activation that was begun and not finished within the platform's limit (30 minutes
    /// at most) is dropped on both sides and is started anew with a new code.
    case expired
}
