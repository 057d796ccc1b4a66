internal import Primitives
internal import Wire

/// Step 3 of an activation: the proof of the password is right, or a failure is counted.
struct ActivationPasswordHandler: MessageHandler {
    var states: Set<DeviceState> { [.pending] }

    func decide(_ request: ServedRequest) -> DeviceDecision {
        request.proving(.password) { row in
            request.accept(.activationPassword, row, event: .activationProven)
        }
    }
}

/// Step 4 of an activation: both instances become active, the activation password is spent, and the locked device that
/// the message names is revoked.
struct ActivationCompleteHandler: MessageHandler {
    let message: ActivationCompleteMessage
    /// The other activated devices of the account.
    let otherDevices: [DeviceRecord]

    /// The answer may have been lost before the client stored that it is active. An active device asks again.
    var states: Set<DeviceState> { [.pending, .pendingNotification, .active] }

    func decide(_ request: ServedRequest) -> DeviceDecision {
        guard request.device.state == .pending else {
            guard request.row.remembers(receipt: message.receiptHash) else { return request.refuse(.wrongReceipt) }
            return request.accept(.activationComplete)
        }
        return request.proving(.possession) { row in
            guard row.remembers(receipt: message.receiptHash) else { return request.refuse(.wrongReceipt) }
            guard keptDevices(otherDevices).count < DeviceLimits.maximumDevices else {
                return request.refuse(.notPermitted)
            }
            var row = row
            row.state = .pendingNotification
            row.activatedAt = request.now
            var decision = request.accept(.activationComplete, row, event: .activationCompleted)
            let (device, now) = (request.device, request.now)
            decision.replacedDevice = message.replacedDevice
            decision.write = { try completeActivation(of: device, in: $0, now: now) }
            return decision
        }
    }

    /// Returns the devices without the one that the activation replaces. Only a locked device can be replaced, so that
    /// an activation password cannot end a device that works.
    private func keptDevices(_ devices: [DeviceRecord]) -> [DeviceRecord] {
        devices.filter { $0.id != message.replacedDevice || $0.state != .locked }
    }

    private func completeActivation(of device: DeviceRecord, in store: any StoreTransaction, now: Timestamp) throws {
        let others = try ChannelRows.otherDevices(of: device, in: store)
        guard keptDevices(others).count < DeviceLimits.maximumDevices else { throw WriteConflict() }
        if var account = try store.account(device.account), account.registrationID == device.registrationID {
            account.activatedAt = now
            try requireWritten(store.update(account))
        }
        if var password = try store.activationPassword(of: device.account),
            password.registrationID == device.registrationID
        {
            password.spentAt = now
            password.secret = nil
            try requireWritten(store.update(password))
        }
    }
}
