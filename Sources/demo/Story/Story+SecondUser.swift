import Orchestration

extension Story {
    /// Bob also uses Alice's device. He is a separate user there, with his own keys and password.
    func addASecondUser() async throws {
        let bob = "bob"
        let password = "617204"
        let activationPassword = try await site.register(bob)
        // The provider of the device asks the user of the device.
        alice.willType(password, password)
        try await device.orchestrator.user(bob).activate(with: activationPassword)
        let users = try await device.orchestrator.users.list()
        narrator.say(
            "Bob activates the same device with a password of his own. Its users now:",
            see: "Sources/Orchestration/Users/Users.swift")
        narrator.show(users.compactMap(\.information).map { ("\($0.account)", "\($0.state)") })
        try narrator.check("users of the device", users.count, is: 2)
        for (whose, password, expected) in [("Alice's", alice.latestPassword, "failed"), ("his", password, "accepted")]
        {
            alice.willType(password)
            let code = try await device.orchestrator.user(bob).oneTimePassword()
            let login = try await site.logIn(bob, oneTimePassword: code.oneTimePassword)
            try narrator.check("login of Bob with \(whose) password", login.status, is: expected)
        }
    }
}
