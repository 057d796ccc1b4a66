internal import Crypto
internal import Primitives
internal import SecureChannel
internal import Wire

// Enrolled methods: the registration of their keys, and its end.
extension DeviceMachine {
    /// Registers the keys of a method for a device that proves the password. The answer has the secret of the method.
    func registerMethod(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        // Its registrations end when it synchronizes.
        guard !row.isRestored else { return refuse(.notPermitted, row, moveTo: moveTo) }
        switch request.proof {
        case .right(.password) where isOvertaken(request.methodRegistration?.content.method, row):
            return refuse(.notPermitted, proven(row), moveTo: moveTo)
        case .right(.password):
            // The signature of the method's key, the device id, and that the key has no other use.
            guard let input = request.methodRegistration else { return refuse(.malformed, row, moveTo: moveTo) }
            var row = proven(row)
            let content = input.content
            row.enroll(
                EnrolledMethod(
                    method: content.method, protection: content.protection, key: content.key,
                    registeredAt: request.now, requestedAt: request.message.time))
            var decision = accept(
                .methodRegister(secret: MessageSecret(input.secret.secretBytes)), row, moveTo: moveTo,
                event: .methodRegistered)
            decision.reason = "\(content.method) \(content.protection)"
            decision.registeredSecret = RegisteredSecret(method: content.method, secret: input.secret)
            return decision
        case .wrong(.password):
            return countFailure(row, moveTo: moveTo)
        case .absent, .right, .wrong, .otherGeneration, .outdatedGeneration:
            return refuse(.malformed, row, moveTo: moveTo)
        }
    }

    /// Ends the registration of a method. It needs no proof, because it removes rights and gives none.
    func removeMethod(_ row: DeviceRecord, _ message: MethodRemoveMessage, moveTo: UInt64) -> DeviceDecision {
        guard !isOvertaken(message.method, row) else { return refuse(.notPermitted, row, moveTo: moveTo) }
        var row = row
        guard row.removeMethod(message.method) else { return accept(.methodRemove, row, moveTo: moveTo) }
        var decision = accept(.methodRemove, row, moveTo: moveTo, event: .methodRemoved)
        decision.reason = "\(message.method)"
        return decision
    }

    /// Whether the device has asked for the registration of a method after this request, which arrives late. It would
    /// end the later registration.
    private func isOvertaken(_ method: AuthenticationMethod?, _ row: DeviceRecord) -> Bool {
        row.enrolledMethods.contains { $0.method == method && request.message.time < $0.requestedAt }
    }
}

/// A verified registration, and the secret that the method gets.
struct MethodRegistrationInput: Sendable {
    let content: MethodRegistrationContent
    /// K₂b or K₂f, 32 random bytes.
    let secret: SymmetricKey
}

/// The secret of a method that a decision registers.
struct RegisteredSecret: Sendable, Equatable {
    let method: AuthenticationMethod
    let secret: SymmetricKey
}

extension VerifiedRequest {
    /// Verifies the registration in the message.
    ///
    /// - Parameter secret: The secret that the method gets, 32 random bytes.
    /// - Returns: `nil` for another message, and for a registration that its key has not signed, that names another
    ///   device, or whose key has another use.
    func methodRegistration(of device: DeviceRecord, secret: SymmetricKey) -> MethodRegistrationInput? {
        guard case .methodRegister(let message) = message.body,
            let verified = try? MethodRegistrationContent.verified(
                message.registration, deviceID: device.id, otherKeys: [device.deviceKey])
        else { return nil }
        let content = verified.message
        let others = device.enrolledMethods.filter { $0.method != content.method }
        guard !others.contains(where: { $0.key == content.key }) else { return nil }
        return MethodRegistrationInput(content: content, secret: secret)
    }
}
