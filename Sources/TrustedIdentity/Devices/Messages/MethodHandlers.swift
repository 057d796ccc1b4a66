internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// Registers the keys of a method for a device that proves the password. The answer has the secret of the method.
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

/// Ends the registration of a method. It needs no proof, because it removes rights and gives none.
struct MethodRemoveHandler: MessageHandler {
    let method: AuthenticationMethod

    func decide(_ request: ServedRequest) -> DeviceDecision {
        guard !request.isOvertaken(method) else { return request.refuse(.notPermitted) }
        var row = request.row
        guard row.removeMethod(method) else { return request.accept(.methodRemove) }
        var decision = request.accept(.methodRemove, row, event: .methodRemoved)
        decision.reason = "\(method)"
        return decision
    }
}

extension ServedRequest {
    /// Whether the device has asked for the registration of a method after this request, which arrives late. It would
    /// end the later registration.
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
