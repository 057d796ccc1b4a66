internal import Primitives
package import TrustedIdentity

/// An account with its authenticators and devices, never a secret: `GET /v1/users/{u@d}` and `user show`.
package struct AccountBody: Codable, Sendable {
    /// A device and the authenticator on it.
    package struct Device: Codable, Sendable {
        package let deviceID: String
        package let serialNumber: String
        package let name: String
        package let state: String
        package let lockReason: String?
        package let activatedAt: String?
        package let lastSeenAt: String?
        package let isPostQuantum: Bool
        package let passwordFailures: Int
        package let awaitsSynchronization: Bool
    }

    /// Failures of what was typed.
    package struct Failures: Codable, Sendable {
        package let kind: String
        package let isOfKnownSource: Bool
        package let consecutive: Int
        package let total: Int
        package let blockedUntil: String?
        package let isBlockedUntilLifted: Bool
    }

    package let user: String
    package let createdAt: String
    package let registrationID: String
    package let activationStatus: String
    package let hasStaticPassword: Bool
    package let devices: [Device]
    package let failures: [Failures]

    /// A report in the words of the REST API.
    package init(_ report: AccountReport) {
        user = report.name
        createdAt = RFC3339.text(report.createdAt)
        registrationID = report.registrationID
        activationStatus = report.activationStatus.rawValue
        hasStaticPassword = report.hasStaticPassword
        devices = report.devices.map { device in
            Device(
                deviceID: Hex.encode(device.id), serialNumber: device.serialNumber, name: device.name,
                state: device.state.rawValue, lockReason: device.lockReason?.rawValue,
                activatedAt: device.activatedAt.map(RFC3339.text), lastSeenAt: device.lastSeenAt.map(RFC3339.text),
                isPostQuantum: device.isPostQuantum, passwordFailures: device.passwordFailures,
                awaitsSynchronization: device.awaitsSynchronization)
        }
        failures = report.failures.map { failures in
            Failures(
                kind: failures.kind.rawValue, isOfKnownSource: failures.isOfKnownSource,
                consecutive: failures.consecutive, total: failures.total,
                blockedUntil: failures.blockedUntil.map(RFC3339.text),
                isBlockedUntilLifted: failures.isBlockedUntilLifted)
        }
    }
}
