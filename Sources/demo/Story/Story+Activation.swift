import Orchestration

extension Story {
    /// Alice types the code into the app, and chooses a password when the app asks: four round trips.
    func activateTheDevice(with activationPassword: String) async throws {
        alice.willType("111111", alice.password, alice.password)
        var steps = 0
        var rejections = 0
        let flow = device.orchestrator.activate(.init(user: alice.name, activationPassword: activationPassword))
        for try await event in flow {
            switch event {
            case .stepCompleted(let step):
                steps += 1
                narrator.say(
                    "Step \(step.number) of \(step.total): \(device.sizes.last), \(meaning(of: step.number)).",
                    see: "Sources/Orchestration/Activation")
            case .inputRejected(let rejection):
                rejections += 1
                narrator.say("Her first idea is refused on the device, as too easy to guess (\(rejection)).")
            case .warning(let warning):
                narrator.say("A warning: \(warning.message).")
            case .succeeded:
                narrator.say("The device is activated. The platform never saw the password, and no store holds it.")
            case .oneTimePasswordReady, .outdated, .aborted:
                throw Failure("the activation ended with \(event)")
            }
        }
        try narrator.check("weak password refused on the device", rejections, is: 1)
        try narrator.check("round trips of the activation", steps, is: 4)
        try narrator.check("activated", try await site.activationStatus(of: alice.name), is: "activated")
    }

    private func meaning(of step: Int) -> String {
        switch step {
        case 1: "the code agrees a key (CPace), and neither side has shown it"
        case 2: "the device's key goes up, the platform's keys and policies come down"
        case 3: "she has chosen a password; the first instance is proven"
        default: "the second instance is proven, and the code is burned"
        }
    }
}
