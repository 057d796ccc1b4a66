extension Story {
    /// Alice signs up at the site, whose application server asks the platform for an authenticator.
    func registerAlice() async throws -> String {
        let activationPassword = try await site.register(alice.name)
        narrator.say(
            "The application server registers \(alice.name); the platform makes the activation password \(activationPassword).",
            see: "Sources/TrustedIdentity/Platform/Platform+Registration.swift")
        narrator.say("The code reaches her outside the network: by letter, SMS or at a counter.")
        try narrator.check("registered", try await site.activationStatus(of: alice.name), is: "pending")
        return activationPassword
    }
}
