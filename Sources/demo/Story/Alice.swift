import OrchestrationTesting

/// The user. At the device she is asked for her password by way of a provider; here a script answers for her.
struct Alice {
    let name = "alice"
    let password = "482915"
    let wrongPassword = "482951"

    /// What the device asks in place of showing a keypad.
    let atTheDevice = ScriptedUser([])

    /// Says what she will type at the next prompts of the device.
    func willType(_ passwords: String...) {
        for password in passwords { atTheDevice.append(.password(password)) }
    }
}
