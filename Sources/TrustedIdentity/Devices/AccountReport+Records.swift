internal import Primitives
internal import SecureChannel

extension AccountReport {
    init(_ account: AccountRecord, status: ActivationStatus, devices: [DeviceRecord], throttles: [ThrottleRecord]) {
        name = account.name
        createdAt = account.createdAt
        registrationID = account.registrationID
        activationStatus = status
        hasStaticPassword = account.staticPassword != nil
        self.devices = devices.map { device in
            Device(
                id: device.id, serialNumber: device.serialNumber, name: device.name, state: device.state,
                lockReason: device.lockReason, activatedAt: device.activatedAt, lastSeenAt: device.lastSeenAt,
                isPostQuantum: device.suite >= 2, passwordFailures: device.passwordFailures,
                awaitsSynchronization: device.isRestored)
        }
        failures = throttles.filter { $0.total > 0 }.map { throttle in
            Failures(
                kind: throttle.key.kind, isOfKnownSource: !throttle.key.source.isEmpty,
                consecutive: throttle.consecutive, total: throttle.total, blockedUntil: throttle.blockedUntil,
                isBlockedUntilLifted: Throttle.isBlockedUntilLifted(throttle))
        }
    }
}
