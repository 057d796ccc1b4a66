import Orchestration

extension Story {
    /// Alice types the activation password into the app and chooses a password when the app asks: four round trips.
    func activateTheDevice(with activationPassword: String) async throws {
        alice.willType("111111", alice.password, alice.password)
        var steps = 0
        var rejections = 0
        let flow = device.orchestrator.activate(alice.name, with: activationPassword)
        for try await event in flow {
            switch event {
            case .stepCompleted(let step):
                steps += 1
                let (meaning, file) = explanation(of: step.number)
                narrator.say("Step \(step.number) of \(step.total): \(device.sizes.last), \(meaning).", see: file)
            case .inputRejected(let rejection):
                rejections += 1
                narrator.say(
                    "The device rejects her first password, which is too easy to guess (\(rejection)).",
                    see: "Sources/Orchestration/Password/Rules/PasswordWeakness.swift")
            case .warning(let warning):
                narrator.say(
                    "A warning: \(warning.message).", see: "Sources/Orchestration/Orchestrator/Errors/Warning.swift")
            case .succeeded:
                narrator.say(
                    "The device is activated. The platform never saw the password, and no store holds it.",
                    see: "Sources/Orchestration/Password/PasswordMask.swift")
            case .oneTimePasswordReady, .signatureReady, .sealReady, .approvalRequired, .enrollmentProgressed,
                .outdated, .aborted:
                throw Failure("the activation ended with \(event)")
            }
        }
        try narrator.check("weak password refused on the device", rejections, is: 1)
        try narrator.check("round trips of the activation", steps, is: 4)
        try narrator.check("activated", try await site.activationStatus(of: alice.name), is: "activated")
    }

    /// Returns the description of an activation step, and the file with its code.
    private func explanation(of step: Int) -> (meaning: String, file: String) {
        switch step {
        case 1:
            (
                "both sides agree on a key (CPace) from the activation password, which is not sent",
                "Sources/OrchestrationProtocol/Activation/CPace/CPace.swift"
            )
        case 2:
            (
                "the device sends its key and receives the keys and policies of the platform",
                "Sources/Orchestration/Activation/ActivationFlow.swift"
            )
        case 3:
            (
                "she has chosen a password, and the first authenticator instance is proven",
                "Sources/TrustedIdentity/Devices/Messages/ActivationHandlers.swift"
            )
        default:
            (
                "the second instance is proven, the pull channel is registered, and the activation password is used up",
                "Sources/TrustedIdentity/Devices/Channel/DeviceWrite.swift"
            )
        }
    }
}
