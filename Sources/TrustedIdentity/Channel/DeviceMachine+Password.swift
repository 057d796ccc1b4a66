internal import Primitives
internal import Wire

// A change of password: the offer of the next generation, and the proof of the new password.
extension DeviceMachine {
    /// Offers the next generation to a device that proves the present password. The offer of a generation is always the
    /// same.
    func changePassword(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        switch request.proof {
        case .right(.password):
            guard let offer = request.passwordOffer else { return refuse(.generationUnknown, row, moveTo: moveTo) }
            var row = proven(row)
            row.offer(generation: offer.generation)
            return accept(.passwordChange(offer), row, moveTo: moveTo, event: .passwordChangeOffered)
        case .wrong(.password):
            return countFailure(row, moveTo: moveTo)
        case .absent, .right, .wrong, .otherGeneration, .outdatedGeneration:
            return refuse(.malformed, row, moveTo: moveTo)
        }
    }

    /// Accepts the proof of the new password, which promotes its generation.
    func proveNewPassword(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        switch request.proof {
        case .right(.password):
            return accept(.passwordProve, proven(row), moveTo: moveTo)
        case .wrong(.password):
            return countFailure(row, moveTo: moveTo)
        case .absent, .right, .wrong, .otherGeneration, .outdatedGeneration:
            return refuse(.malformed, row, moveTo: moveTo)
        }
    }
}
