/// What an administrator asks of a platform, running or not: the question that the local socket carries as JSON.
package enum AdministrationRequest: Codable, Sendable, Equatable {
    case createKey(scope: String, name: String)
    case listKeys
    case revokeKey(id: String)
    case showUser(String)
    case unblockUser(String)
    case markRestored(nothingRevoked: Bool)
}
