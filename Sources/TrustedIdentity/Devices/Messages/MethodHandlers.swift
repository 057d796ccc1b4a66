internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// Registers the keys of a method for a device that proves the password. The answer contains the secret of the method.
struct MethodRegisterHandler: MessageHandler {
    /// The registration; `nil` for one that its key has not signed, that names another device, or whose key has another
    /// use.
    let registration: MethodRegistrationContent?
    /// K₂b or K₂f, 32 random bytes.
    let secret: SymmetricKey

    func decide(_ request: ServedRequest) -> DeviceDecision {
        // The registrations of a restored device end when it synchronizes.
        guard !request.row.isRestored else { return request.refuse(.notPermitted) }
        return request.proving(.password) { row in
            guard let content = registration else { return request.refuse(.malformed) }
            guard !request.isOvertaken(content.method) else { return request.refuse(.notPermitted, row) }
            var row = row
            row.enroll(
                EnrolledMethod(
                    method: content.method, protection: content.protection, key: content.key,
                    registeredAt: request.now, requestedAt: request.message.time))
            var decision = request.accept(
                .methodRegister(secret: MessageSecret(secret.secretBytes)), row, event: .methodRegistered)
            decision.reason = "\(content.method) \(content.protection)"
            decision.registeredSecret = RegisteredSecret(method: content.method, secret: secret)
            return decision
        }
    }
}

/// Ends the registration of a method. On the device alone it needs no proof, because it removes rights and grants none.
/// On all devices it needs the password, because it changes the other devices of the user.
struct MethodRemoveHandler: MessageHandler {
    let message: MethodRemoveMessage
    /// The other devices that have registered the method, with the method removed, if the message applies to all
    /// devices.
    let otherDevices: [DeviceRecord]

    func decide(_ request: ServedRequest) -> DeviceDecision {
        guard message.everywhere else { return remove(from: request.row, request) }
        return request.proving(.password) { row in
            var decision = remove(from: row, request)
            guard case .accepted = decision.result, !otherDevices.isEmpty else { return decision }
            let now = request.now
            decision.write = { store in
                for device in otherDevices {
                    try requireWritten(store.update(device))
                    try store.append(
                        AuditEntry(
                            time: now, event: .methodRemoved, account: device.account, device: device.id,
                            reason: "\(message.method)"))
                }
            }
            return decision
        }
    }

    private func remove(from row: DeviceRecord, _ request: ServedRequest) -> DeviceDecision {
        guard !request.isOvertaken(message.method) else { return request.refuse(.notPermitted, row) }
        var row = row
        guard row.removeMethod(message.method) else { return request.accept(.methodRemove, row) }
        var decision = request.accept(.methodRemove, row, event: .methodRemoved)
        decision.reason = "\(message.method)"
        return decision
    }
}

extension ServedRequest {
    /// Whether the device has asked for the registration of a method after this request. The request then arrives late,
    /// and would end the later registration.
    fileprivate func isOvertaken(_ method: AuthenticationMethod) -> Bool {
        row.enrolledMethods.contains { $0.method == method && message.time < $0.requestedAt }
    }
}

/// The secret of a method that a decision registers.
struct RegisteredSecret: Sendable {
    let method: AuthenticationMethod
    let secret: SymmetricKey
}

extension MethodRegisterMessage {
    /// Verifies the registration.
    ///
    /// - Returns: `nil` for a registration that its key has not signed, that names another device, or whose key has
    ///   another use.
    func verifiedRegistration(of device: DeviceRecord) -> MethodRegistrationContent? {
        guard
            let content = try? MethodRegistrationContent.verified(
                registration, deviceID: device.id, otherKeys: [device.deviceKey]
            ).message
        else { return nil }
        let others = device.enrolledMethods.filter { $0.method != content.method }
        return others.contains { $0.key == content.key } ? nil : content
    }
}
