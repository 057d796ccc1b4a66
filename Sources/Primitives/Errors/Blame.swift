/// Who has to act so that an error goes away.
public enum Blame: String, Sendable, Hashable, Codable, CaseIterable {
    /// The code that calls the library: a wrong argument, a wrong order of calls.
    case caller
    /// The other end of the channel, or somebody who pretends to be it.
    case peer
    /// The person at the device: a mistyped code, an abort.
    case user
    /// The machine or the network: no connection, a full disk.
    case environment
    /// This library. Please report it.
    case bug
}
