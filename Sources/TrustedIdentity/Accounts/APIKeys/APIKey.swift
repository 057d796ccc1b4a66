public import Primitives

/// The part of the REST API that an API key opens. Stores and the command line use the raw values.
public enum APIKeyScope: String, Sendable, Hashable, CaseIterable, Codable {
    /// All routes for application servers.
    case applicationServer = "app-server"
    /// All routes except registration and approvals; also shows the reasons of refused logins. Such a key makes no
    /// activation password, because an activation password is enough to become the user, and asks no user for an
    /// approval.
    case administrator = "admin"
    /// The routes that a help desk needs: look a user up, register a user of the platform again, revoke a device, and
    /// lift blocks. Such a key sets no static password. With an activation password it can become any user that it may
    /// name.
    case helpDesk = "helpdesk"
}

/// The caller that an API key authenticates.
public struct APIPrincipal: Sendable, Hashable {
    /// The id of the key, which is not secret.
    public let id: String
    /// The name that the administrator chose. The users see it above everything that the caller asks them to approve.
    public let name: String
    /// The part of the REST API that the key opens.
    public let scope: APIKeyScope
    /// Whether the application server's site shows the number that the user types in the app.
    public let showsNumbers: Bool
    /// The domains whose accounts the caller may name; empty for all.
    public let domains: [String]

    init(_ record: APIKeyRecord) {
        id = record.id
        name = record.name
        scope = record.scope
        showsNumbers = record.showsNumbers
        domains = record.domains
    }

    /// Returns whether the caller may name the accounts of a domain.
    ///
    /// - Parameter domain: A domain in lower case, such as the domain of an `AccountName`.
    public func allows(domain: some StringProtocol) -> Bool { domains.isEmpty || domains.contains { $0 == domain } }
}

/// An API key that was just created. Its secret is available only here.
public struct NewAPIKey: Sendable {
    /// The id of the key, which is not secret.
    public let id: String
    /// The part of the REST API that the key opens.
    public let scope: APIKeyScope
    private let secretBox: SecretBox<SecretBytes>

    /// The text that a caller sends, `id.secret`. Show it once, and do not store it.
    public var secret: String { "\(id).\(secretBox.text)" }

    /// Creates a key.
    ///
    /// - Parameter secret: The part of the text after the id.
    init(id: String, scope: APIKeyScope, secret: SecretBox<SecretBytes>) {
        self.id = id
        self.scope = scope
        secretBox = secret
    }
}

/// An API key without its secret.
public struct APIKeyReport: Sendable, Hashable, Codable {
    /// The id of the key.
    public let id: String
    /// The name that the administrator chose, which users see.
    public let name: String
    /// The part of the REST API that the key opens.
    public let scope: APIKeyScope
    /// Whether the application server's site shows the number that the user types in the app.
    public let showsNumbers: Bool
    /// The domains whose accounts the key may name, in alphabetical order; empty for all.
    public let domains: [String]
    /// The time of creation.
    public let createdAt: Timestamp
    /// The time of revocation; `nil` for a key that is valid.
    public let revokedAt: Timestamp?
    /// Whether the key is suspended since a restore, until an administrator lifts it.
    public let isSuspended: Bool

    init(_ record: APIKeyRecord, state: PlatformStateRecord) {
        id = record.id
        name = record.name
        scope = record.scope
        showsNumbers = record.showsNumbers
        domains = record.domains
        createdAt = record.createdAt
        revokedAt = record.revokedAt
        isSuspended = record.revokedAt == nil && state.suspends(epoch: record.epoch)
    }
}
