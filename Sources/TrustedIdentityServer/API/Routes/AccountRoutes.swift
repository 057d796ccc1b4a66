internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

extension Handlers {
    /// `POST /v1/users/{u@d}/unregister`
    func unregister(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await platform(for: request, context).unregister(account(in: context))
        return try JSONBody.response(StatusReply(status: "unregistered"))
    }

    /// `GET /v1/users/{u@d}`
    func showUser(_ request: Request, _ context: ServerContext) async throws -> Response {
        guard let report = try await platform(for: request, context).account(account(in: context)) else {
            throw APIError(.unknownUser)
        }
        return try JSONBody.response(AccountBody(report))
    }

    /// `POST /v1/users/{u@d}/lift-blocks`
    func liftBlocks(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await platform(for: request, context).liftBlocks(of: account(in: context))
        return try JSONBody.response(StatusReply(status: "lifted"))
    }
}

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
        package let revokedAt: String?
        package let lastSeenAt: String?
        package let isPostQuantum: Bool
        /// Such as `biometric system`.
        package let enrolledMethods: [String]
        package let passwordFailures: Int
        package let awaitsSynchronization: Bool
        package let codesUsedUntil: String?
        package let isSuspended: Bool
    }

    /// The failures of typed codes or passwords.
    package struct Failures: Codable, Sendable {
        package let kind: String
        package let isOfKnownSource: Bool
        package let consecutive: Int
        package let total: Int
        package let blockedUntil: String?
        package let isBlockedUntilLifted: Bool
    }

    package let user: String
    /// The serial numbers of the activated devices that are not revoked, the oldest first.
    package let authenticators: [String]
    package let createdAt: String
    package let registrationID: String
    package let activationStatus: String
    package let hasStaticPassword: Bool
    package let isStaticPasswordSuspended: Bool
    package let devices: [Device]
    package let failures: [Failures]
    package let consecutiveFailures: Int
    package let isBlockedUntilLifted: Bool
    package let strictUntil: String?
    package let stepUpUntil: String?
    package let mutedUntil: String?

    init(_ report: AccountReport) {
        user = report.name
        authenticators = report.devices.filter { $0.activatedAt != nil && $0.state != .revoked }.map(\.serialNumber)
        createdAt = report.createdAt.rfc3339
        registrationID = report.registrationID
        activationStatus = report.activationStatus.rawValue
        hasStaticPassword = report.hasStaticPassword
        isStaticPasswordSuspended = report.isStaticPasswordSuspended
        devices = report.devices.map { device in
            Device(
                deviceID: Hex.encode(device.id), serialNumber: device.serialNumber, name: device.name,
                state: device.state.rawValue, lockReason: device.lockReason?.rawValue,
                activatedAt: device.activatedAt?.rfc3339, revokedAt: device.revokedAt?.rfc3339,
                lastSeenAt: device.lastSeenAt?.rfc3339,
                isPostQuantum: device.isPostQuantum,
                enrolledMethods: device.enrolledMethods.map { "\($0.method) \($0.protection)" },
                passwordFailures: device.passwordFailures,
                awaitsSynchronization: device.awaitsSynchronization,
                codesUsedUntil: device.codesUsedUntil?.rfc3339,
                isSuspended: device.isSuspended)
        }
        consecutiveFailures = report.consecutiveFailures
        isBlockedUntilLifted = report.isBlockedUntilLifted
        strictUntil = report.strictUntil?.rfc3339
        stepUpUntil = report.stepUpUntil?.rfc3339
        mutedUntil = report.mutedUntil?.rfc3339
        failures = report.failures.map { failures in
            Failures(
                kind: failures.kind.rawValue, isOfKnownSource: failures.isOfKnownSource,
                consecutive: failures.consecutive, total: failures.total,
                blockedUntil: failures.blockedUntil?.rfc3339,
                isBlockedUntilLifted: failures.isBlockedUntilLifted)
        }
    }
}
