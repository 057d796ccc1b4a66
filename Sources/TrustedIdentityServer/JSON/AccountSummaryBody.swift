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

/// What the erasure of an account has removed.
package struct ErasureBody: Codable, Sendable {
    package let wasRegistered: Bool
    package let devices: Int
    package let approvals: Int
    package let decisions: Int

    init(_ report: ErasureReport) {
        wasRegistered = report.wasRegistered
        devices = report.devices
        approvals = report.approvals
        decisions = report.decisions
    }
}
