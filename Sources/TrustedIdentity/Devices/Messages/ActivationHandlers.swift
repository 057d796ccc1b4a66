internal import OrchestrationProtocol
internal import Primitives

/// Step 3 of an activation: the proof of the password is right, or a failure is counted.
struct ActivationPasswordHandler: MessageHandler {
    var states: Set<DeviceState> { [.pending] }

    func decide(_ request: ServedRequest) -> DeviceDecision {
        request.proving(.password) { row in
            request.accept(.activationPassword, row, event: .activationProven)
        }
    }
}

/// Step 4 of an activation: both instances become active, the activation password is spent, the pull channel is
/// registered if the message asks for it, and the locked device that the message names is revoked. At the device limit,
/// the activation is not refused: the oldest locked device is revoked. With the activation password of a move, the
/// device that moves is revoked, whatever its state.
struct ActivationCompleteHandler: MessageHandler {
    let message: ActivationCompleteMessage
    /// The other activated devices of the account.
    let otherDevices: [DeviceRecord]
    /// The latest activation password of the account.
    let activationPassword: ActivationPasswordRecord?

    /// The answer may have been lost before the client stored that it is active. An active device asks again.
    var states: Set<DeviceState> { [.pending, .pendingNotification, .active] }

    func decide(_ request: ServedRequest) -> DeviceDecision {
        guard request.device.state == .pending else {
            guard request.row.remembers(receipt: message.receiptHash) else { return request.refuse(.wrongReceipt) }
            guard message.registersPullChannel, request.device.awaitsNotificationChannel else {
                return request.accept(.activationComplete)
            }
            var row = request.row
            registerPullChannel(in: &row)
            var decision = request.accept(.activationComplete, row, event: .notificationsRegistered)
            let (device, now) = (request.device, request.now)
            decision.write = { try $0.finishRegistration(of: device, now: now) }
            return decision
        }
        return request.proving(.possession) { row in
            guard row.remembers(receipt: message.receiptHash) else { return request.refuse(.wrongReceipt) }
            let move = ActivationMove(of: request.device, by: activationPassword, among: otherDevices)
            guard move != .ended else {
                var decision = request.refuse(.pendingExpired)
                decision.fate = .ends(reason: "moveEnded")
                return decision
            }
            let staying = move.stayingDevices(among: otherDevices)
            let replaced = replacedDevices(among: staying)
            guard staying.count - replaced.count < DeviceLimits.maximumDevices else {
                return request.refuse(.notPermitted)
            }
            var row = row
            row.state = .pendingNotification
            row.activatedAt = request.now
            if message.registersPullChannel { registerPullChannel(in: &row) }
            var decision = request.accept(.activationComplete, row, event: .activationCompleted)
            let (device, now) = (request.device, request.now)
            decision.replacedDevices = replaced
            decision.movedDevice = move.movedDevice
            decision.write = { try completeActivation(of: device, move, in: $0, now: now) }
            return decision
        }
    }

    private func registerPullChannel(in row: inout DeviceRecord) {
        row.state = .active
        row.notificationIdentifier = NotificationsRegisterMessage.pullChannel(of: row.id)
    }

    /// Returns the ids of the devices that the activation replaces: the one that the message names, and the devices
    /// over the limit. Only locked devices are replaced, because an activation password must not end a device that
    /// works.
    private func replacedDevices(among devices: [DeviceRecord]) -> [[UInt8]] {
        let named = devices.filter { $0.id == message.replacedDevice && $0.state == .locked }
        let excess = devices.count - named.count + 1 - DeviceLimits.maximumDevices
        let oldest = devices.filter { $0.id != message.replacedDevice && $0.state == .locked }
            .sorted { $0.createdAt < $1.createdAt }
        return (named + oldest.prefix(max(0, excess))).map(\.id)
    }

    private func completeActivation(
        of device: DeviceRecord, _ move: ActivationMove, in store: StoreTransaction, now: Timestamp
    ) throws {
        let present = try ChannelRows.otherDevices(of: device, in: store)
        let password = try store.activationPassword(of: device.account)
        // The device that moves may have been revoked since it was read.
        guard ActivationMove(of: device, by: password, among: present) == move else { throw WriteConflict() }
        let others = move.stayingDevices(among: present)
        guard others.count - replacedDevices(among: others).count < DeviceLimits.maximumDevices else {
            throw WriteConflict()
        }
        if var account = try store.account(device.account), account.registrationID == device.registrationID {
            account.activatedAt = now
            if message.registersPullChannel { account.finishedAt = now }
            try requireWritten(store.update(account))
        }
        if var password, password.registrationID == device.registrationID {
            password.spentAt = now
            password.secret = nil
            try requireWritten(store.update(password))
        }
    }
}
