import Orchestration

extension Story {
    /// Alice changes her password, and logs in with the new one.
    func changePassword() async throws {
        alice.willType(alice.password, alice.newPassword, alice.newPassword)
        let outcome = try await device.orchestrator.changePassword(of: alice.name).result()
        guard case .passwordChanged = outcome else { return }
        narrator.say(
            "She changes her password on the device: \(device.sizes.last). The platform never has a password.",
            see: "Sources/Orchestration/Password/PasswordChangeFlow.swift")
        // A code of application 2 does not depend on the time, which means that another can follow immediately.
        alice.willType(alice.password, alice.newPassword)
        for (password, expected) in [("earlier", "failed"), ("new", "accepted")] {
            let code = try await device.orchestrator.user(alice.name).oneTimePassword(application: .app2)
            let login = try await site.logIn(
                alice.name, oneTimePassword: code.oneTimePassword, application: 2)
            try narrator.check("login with the \(password) password", login.status, is: expected)
        }
    }
}
