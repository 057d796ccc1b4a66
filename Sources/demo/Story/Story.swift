import Orchestration
import OrchestrationTesting

/// The story: a user is registered, her device is activated, and logins and payments follow, with codes and with
/// approvals.
struct Story {
    let narrator: Narrator
    let site: ApplicationServer
    let alice: Alice
    let device: Device
    /// The device to which Alice moves at the end.
    let newDevice: Device

    /// Creates the site with its application server, the device, and its user.
    init(platform: EmbeddedPlatform, narrator: Narrator) async throws {
        self.narrator = narrator
        narrator.say(
            "A platform listens on \(platform.address), with its data in a temporary folder.",
            see: "Sources/demo/Stage/EmbeddedPlatform.swift")
        site = try await ApplicationServer(platform: platform.address, apiKey: platform.makeAPIKey())
        alice = Alice()
        device = try await Device(
            "device", platform: platform.address, folder: platform.folder, user: alice.atTheDevice)
        newDevice = try await Device(
            "new-device", platform: platform.address, folder: platform.folder, user: alice.atTheDevice)
    }

    func tell() async throws {
        let activationPassword = try await registerAlice()
        try await activateTheDevice(with: activationPassword)
        let login = try await logIn()
        try await logInAgain(with: login.oneTimePassword)
        try await logInWithTheWrongPassword()
        try await approveALogin()
        try await rejectAPayment()
        try await approveAPayment()
        try await signLocally()
        try await changePassword()
        try await lockAndUnlock()
        try await addASecondUser()
        try await moveToANewDevice()
    }

    /// Alice signs up at the site, whose application server registers her at the platform.
    private func registerAlice() async throws -> String {
        let activationPassword = try await site.register(alice.name)
        narrator.say(
            "The application server registers \(alice.name). The platform returns the activation password "
                + "\(activationPassword).",
            see: "Sources/TrustedIdentity/Accounts/Registration/Platform+Registration.swift")
        narrator.say(
            "The site gives it to her outside of the network: in a letter, by SMS or at a counter.",
            see: "Sources/Primitives/Identity/ActivationPassword.swift")
        try narrator.check("registered", try await site.activationStatus(of: alice.name), is: "pending")
        return activationPassword
    }
}

/// The user. On a real device she types her password at a keypad; in the demo a script types it.
struct Alice {
    let name = "alice"
    let password = "482915"
    let wrongPassword = "482951"
    let newPassword = "739164"
    let latestPassword = "861407"
    let passwordOfTheNewDevice = "528306"

    /// The provider that replaces a keypad.
    let atTheDevice = ScriptedUser([])

    /// Adds the input for the next prompts of the device.
    func willType(_ passwords: String...) {
        for password in passwords { atTheDevice.append(.password(password)) }
    }
}
