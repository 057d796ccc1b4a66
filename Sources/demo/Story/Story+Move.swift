import Orchestration

extension Story {
    /// Alice has a new phone. She moves to it, and the last step revokes the old phone.
    func moveToANewDevice() async throws {
        alice.willType(alice.latestPassword)
        let move = try await device.orchestrator.user(alice.name).move()
        narrator.say(
            "Alice has a new device. She types her password at the old one, which shows the activation password "
                + "\(move.activationPassword).",
            see: "Sources/Orchestration/Activation/MoveFlow.swift")
        alice.willType(alice.passwordOfTheNewDevice, alice.passwordOfTheNewDevice)
        try await newDevice.orchestrator.user(alice.name).activate(with: move.activationPassword)
        narrator.say(
            "She activates the new device with it. The last step revokes the old device in the same transaction.",
            see: "Sources/TrustedIdentity/Devices/Messages/MoveHandlers.swift")
        let devices = [
            ("old", device, alice.latestPassword, "failed"),
            ("new", newDevice, alice.passwordOfTheNewDevice, "accepted"),
        ]
        for (name, device, password, expected) in devices {
            alice.willType(password)
            // Without a synchronization the old device does not learn that it is revoked, and still generates a code.
            let code = try await device.orchestrator.user(alice.name).oneTimePassword(
                application: .app2, synchronizingWithin: nil)
            let login = try await site.logIn(alice.name, oneTimePassword: code.oneTimePassword, application: 2)
            try narrator.check("login with the \(name) device", login.status, is: expected)
        }
    }
}
