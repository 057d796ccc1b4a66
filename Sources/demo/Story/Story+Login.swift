import Orchestration

extension Story {
    /// Alice makes a one-time password on the device and types it into the site.
    func logIn() async throws -> OneTimePasswordResult {
        let code = try await makeCode(password: alice.password)
        narrator.say(
            "The device makes the one-time password \(code.oneTimePassword), good for \(code.expiresIn ?? 0) s more.",
            see: "Sources/Orchestration/OneTimePasswordResult")
        let login = try await site.logIn(alice.name, oneTimePassword: code.oneTimePassword)
        narrator.say(
            "She types it into the site, and the platform says: \(login.status).",
            see: "Sources/TrustedIdentity/Login")
        try narrator.check("login with the code", login.status, is: "accepted")
        narrator.say(
            "The site shows the host code \(login.hostCode ?? "–"), and so does the device: it is the real site.")
        try narrator.check("host codes of site and device are equal", login.hostCode == code.hostCode, is: true)
        return code
    }

    /// Somebody looked over her shoulder and types the same code.
    func logInAgain(with oneTimePassword: String) async throws {
        let login = try await site.logIn(alice.name, oneTimePassword: oneTimePassword)
        narrator.say(
            "The same code once more: \(login.status). A code is good for one login.",
            see: "Sources/TrustedIdentity/Login")
        try narrator.check("second use of the code", login.status, is: "refused")
    }

    /// Somebody has found the device and guesses the password. It cannot tell a wrong one from the right one.
    func logInWithTheWrongPassword() async throws {
        let before = try await site.failures(of: alice.name)
        let code = try await makeCode(password: alice.wrongPassword)
        narrator.say(
            "With a wrong password the device makes a code all the same: \(code.oneTimePassword). It cannot know.",
            see: "Sources/Orchestration/Password/PasswordMask.swift")
        let login = try await site.logIn(alice.name, oneTimePassword: code.oneTimePassword)
        let after = try await site.failures(of: alice.name)
        narrator.say(
            "The platform can: \(login.status), and counted (\(before) before, \(after) now).",
            see: "Sources/TrustedIdentity/Throttle")
        try narrator.check("login with the wrong password", login.status, is: "refused")
        try narrator.check("wrong passwords counted", after - before, is: 1)
    }

    private func makeCode(password: String) async throws -> OneTimePasswordResult {
        alice.willType(password)
        let outcome = try await device.orchestrator.authenticateLocally(.init(user: alice.name)).result()
        guard let code = outcome.localAuthentication else { throw Failure("there is no one-time password") }
        return code
    }
}
