internal import Primitives
internal import Wire

// Steps 3 and 4 of an activation.
extension DeviceMachine {
    /// Step 3: the proof of the password is right, or a failure is counted.
    func provePassword(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        switch request.proof {
        case .right(.password):
            var row = row
            row.passwordFailures = 0
            var decision = accept(.activationPassword, row, moveTo: moveTo, event: .activationProven)
            decision.effects.append(.rememberReceipt)
            return decision
        case .wrong(.password):
            return countFailure(row, moveTo: moveTo)
        case .absent, .right, .wrong, .otherGeneration, .outdatedGeneration:
            return refuse(.malformed, row, moveTo: moveTo)
        }
    }

    /// Step 4: both instances become active, and the activation password is spent.
    func completeActivation(
        _ row: DeviceRecord, _ message: ActivationCompleteMessage, moveTo: UInt64
    ) -> DeviceDecision {
        guard device.state == .pending else {
            // The answer was lost before the client stored that it is active.
            guard row.remembers(receipt: message.receiptHash) else { return refuse(.wrongReceipt, row, moveTo: moveTo) }
            return accept(.activationComplete, row, moveTo: moveTo)
        }
        guard request.proof == .right(.possession) else { return refuse(.malformed, row, moveTo: moveTo) }
        guard row.remembers(receipt: message.receiptHash) else { return refuse(.wrongReceipt, row, moveTo: moveTo) }
        guard request.otherDevices < DeviceLimits.maximumDevices else {
            return refuse(.notPermitted, row, moveTo: moveTo)
        }
        var row = row
        row.state = .pendingNotification
        row.activatedAt = request.now
        var decision = accept(.activationComplete, row, moveTo: moveTo, event: .activationCompleted)
        decision.effects.append(.completeActivation)
        return decision
    }

    /// Counts a wrong password with a valid device signature. Too many in a row end a pending device and lock others.
    func countFailure(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        var row = row
        row.passwordFailures += 1
        let remaining = max(0, request.tries - row.passwordFailures)
        var decision = refuse(.wrongPassword, row, moveTo: moveTo)
        decision.result = .refused(Refusal(.wrongPassword, remainingTries: UInt64(remaining)))
        decision.event = .proofRefused
        guard remaining == 0 else { return decision }
        if device.state == .pending {
            decision.fate = .ends(reason: LockReason.wrongPassword.rawValue)
        } else {
            decision.lock(.wrongPassword)
        }
        return decision
    }
}
