/// Why there is nothing left to do for a flow.
public enum OutdatedReason: String, Sendable, Hashable, Codable {
    /// The time for it is over. An activation whose first answer is older than two minutes is started anew with the
    /// same code. One that was begun and not finished within the platform's limit (30 minutes at most) is dropped on
    /// both sides and started anew with a new code.
    case expired
}
