import Orchestration

extension Story {
    /// A thief has the device and guesses the password until the platform locks the device. Alice gets the device back,
    /// and unlocks it with a code from the site and a new password.
    func lockAndUnlock() async throws {
        let user = device.orchestrator.user(alice.name)
        for _ in 1...5 { alice.willType(alice.wrongPassword) }
        do {
            try await user.changePassword()
        } catch let error as OrchestrationError {
            narrator.say(
                "A thief types five wrong passwords. The app then says: \(error.userMessage())",
                see: "Sources/TrustedIdentity/Devices/Channel/DeviceRequest.swift")
        }
        let isLocked = try await user.state == .locked(.wrongPassword)
        try narrator.check("device after five wrong passwords", isLocked ? "locked" : "not locked", is: "locked")

        let unlockCode = try await site.issueUnlockCode(alice.name)
        narrator.say(
            "Alice has the device again. The site gives her the unlock code \(unlockCode), outside of the network.",
            see: "Sources/TrustedIdentity/Devices/Unlock/Platform+Unlock.swift")
        alice.willType(alice.latestPassword, alice.latestPassword)
        try await user.unlock(with: unlockCode)
        narrator.say(
            "She unlocks the device with it and with a new password: \(device.sizes.last).",
            see: "Sources/Orchestration/Password/UnlockFlow.swift")
        alice.willType(alice.latestPassword)
        let code = try await user.oneTimePassword(application: .app2)
        let login = try await site.logIn(alice.name, oneTimePassword: code.oneTimePassword, application: 2)
        try narrator.check("login after the unlock", login.status, is: "accepted")
    }
}
