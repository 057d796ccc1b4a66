import Orchestration

extension Story {
    /// Alice makes a one-time password on the device and types it into the site.
    func logIn() async throws -> OneTimePasswordResult {
        let result = try await makeOneTimePassword(password: alice.password)
        narrator.say(
            "The device makes the one-time password \(result.oneTimePassword).",
            see: "Sources/Orchestration/Codes/LocalCodeFlow.swift")
        let login = try await site.logIn(alice.name, oneTimePassword: result.oneTimePassword)
        narrator.say(
            "She types it into the site. The platform's decision: \(login.status).",
            see: "Sources/TrustedIdentity/Login/Platform+Login.swift")
        try narrator.check("login with the code", login.status, is: "accepted")
        narrator.say(
            "Site and device show the same host code, \(login.hostCode ?? "–"), so the site is the real one.",
            see: "Sources/Orchestration/Codes/CodeMaker.swift")
        try narrator.check("host codes of site and device are equal", login.hostCode == result.hostCode, is: true)
        return result
    }

    /// An attacker has seen the code and types it again.
    func logInAgain(with oneTimePassword: String) async throws {
        let login = try await site.logIn(alice.name, oneTimePassword: oneTimePassword)
        narrator.say(
            "The same code again: \(login.status). Each code is valid for one login.",
            see: "Sources/TrustedIdentity/Login/LoginSettlement.swift")
        try narrator.check("second use of the code", login.status, is: "failed")
    }

    /// An attacker has found the device and guesses the password. The device cannot tell that the guess is wrong.
    func logInWithTheWrongPassword() async throws {
        let before = try await site.failures(of: alice.name)
        let result = try await makeOneTimePassword(password: alice.wrongPassword)
        narrator.say(
            "With a wrong password the device makes a code, too: \(result.oneTimePassword). It cannot check passwords.",
            see: "Sources/Orchestration/Password/PasswordMask.swift")
        let login = try await site.logIn(alice.name, oneTimePassword: result.oneTimePassword)
        let after = try await site.failures(of: alice.name)
        narrator.say(
            "The platform can: \(login.status), and counted (\(before) before, \(after) now).",
            see: "Sources/TrustedIdentity/Login/Throttle/Throttle.swift")
        try narrator.check("login with the wrong password", login.status, is: "failed")
        try narrator.check("wrong passwords counted", after - before, is: 1)
    }

    private func makeOneTimePassword(password: String) async throws -> OneTimePasswordResult {
        alice.willType(password)
        return try await device.orchestrator.user(alice.name).oneTimePassword()
    }
}
