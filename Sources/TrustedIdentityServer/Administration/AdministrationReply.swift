/// The answer to an ``AdministrationRequest``.
package enum AdministrationReply: Codable, Sendable {
    /// An API key, without its secret.
    package struct Key: Codable, Sendable {
        package let id: String
        package let name: String
        package let scope: String
        package let createdAt: String
        package let revokedAt: String?
    }

    /// An API key that was made: the only time that the key itself is shown.
    case created(id: String, scope: String, key: String)
    case keys([Key])
    case account(AccountBody)
    case done
    /// How many devices were marked as restored.
    case marked(devices: Int)
    /// Not done, and why: in a constant word.
    case refused(Refusal)

    package enum Refusal: String, Codable, Sendable {
        case unknownKey, unknownUser, malformedUser, unknownScope, malformedName
    }
}
