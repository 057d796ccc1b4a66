import Orchestration

/// What happens, in order. Each part is a file of its own beside this one.
struct Story {
    let narrator: Narrator
    let site: ApplicationServer
    let alice: Alice
    let device: Device

    /// Sets the stage: the site of an application server, a device, and Alice in front of both.
    init(platform: EmbeddedPlatform, narrator: Narrator) async throws {
        self.narrator = narrator
        narrator.say(
            "A platform listens on \(platform.address), with its data in a temporary folder.",
            see: "Sources/demo/Stage/EmbeddedPlatform.swift")
        site = try await ApplicationServer(platform: platform.address, apiKey: platform.makeAPIKey())
        alice = Alice()
        device = try await Device(platform: platform.address, folder: platform.folder, user: alice.atTheDevice)
    }

    func tell() async throws {
        let activationPassword = try await registerAlice()
        try await activateTheDevice(with: activationPassword)
        try await registerNotifications()
        let login = try await logIn()
        try await logInAgain(with: login.oneTimePassword)
        try await logInWithTheWrongPassword()
    }
}
