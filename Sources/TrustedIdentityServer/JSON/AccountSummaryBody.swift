internal import Primitives
internal import TrustedIdentity

/// An account in a list of administrators.
package struct AccountSummaryBody: Codable, Sendable {
    package let user: String
    package let createdAt: String
    package let activatedAt: String?

    init(_ account: AccountSummary) {
        user = account.name
        createdAt = account.createdAt.rfc3339
        activatedAt = account.activatedAt?.rfc3339
    }
}
