/// What an API key opens. The raw values are what stores keep and the command line takes.
public enum APIKeyScope: String, Sendable, Hashable, CaseIterable, Codable {
    /// The endpoints of the application server.
    case applicationServer = "app-server"
    /// Those, and administration: reasons of refusals, unblocking, the audit log.
    case administrator = "admin"
}
