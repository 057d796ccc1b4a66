import Orchestration
import OrchestrationProtocol
import OrchestrationTesting
import TrustedIdentity

func exchangeBudgets() {
    activation("budget-activation-classic", .off)
    activation("budget-activation-hybrid", .required)

    Budget.benchmark("budget-one-time-password", Budget.exchanges(0)) { budget in
        let stage = try await Stage()
        let alice = try await stage.newcomer()
        try await alice.activate()
        _ = stage.transport.takeExchanges()
        _ = try await alice.makeOneTimePassword(synchronizingWithin: nil)
        budget.enter(stage.transport.takeExchanges())
    }

    synchronization("budget-synchronization-classic", .off)
    synchronization("budget-synchronization-hybrid", .required)
    notifications("budget-notifications-classic", .off)
    notifications("budget-notifications-hybrid", .required)
    approval("budget-approval-classic", .off)
    approval("budget-approval-hybrid", .required)
    passwordChange("budget-password-change-classic", .off)
    passwordChange("budget-password-change-hybrid", .required)
    // A day after the activation the first request carries the data in full, and the second one as a hash.
    approval("budget-approval-device-data", .off, deviceData: DeviceDataSettings(collectors: [TypicalDevice()]))
}

private func activation(_ name: String, _ postQuantum: PostQuantumPreference) {
    Budget.benchmark(name, Budget.exchanges(4)) { budget in
        let stage = try await Stage()
        try await stage.newcomer(postQuantum: postQuantum).activate()
        budget.enter(stage.transport.takeExchanges())
    }
}

/// The synchronization after a one-time password, which moves the key ratchet.
private func synchronization(_ name: String, _ postQuantum: PostQuantumPreference) {
    Budget.benchmark(name, Budget.exchanges(1)) { budget in
        let stage = try await Stage()
        let alice = try await stage.newcomer(postQuantum: postQuantum)
        try await alice.activate()
        _ = stage.transport.takeExchanges()
        // The platform moves a ratchet only if the last move was more than 5 minutes ago.
        stage.time.advance(milliseconds: 10 * 60_000)
        _ = try await alice.makeOneTimePassword(synchronizingWithin: .milliseconds(5_000))
        budget.enter(stage.transport.takeExchanges())
    }
}

private func notifications(_ name: String, _ postQuantum: PostQuantumPreference) {
    Budget.benchmark(name, Budget.exchanges(1)) { budget in
        let stage = try await Stage()
        let alice = try await stage.newcomer(postQuantum: postQuantum)
        try await alice.activate()
        _ = stage.transport.takeExchanges()
        _ = try await alice.orchestrator.registerNotifications(for: alice.account.text).result()
        budget.enter(stage.transport.takeExchanges())
    }
}

/// From the pointer to the receipt: the approval of a login with four fields of 16 characters, the number of the site
/// and the password.
private func approval(
    _ name: String, _ postQuantum: PostQuantumPreference, deviceData: DeviceDataSettings = .off
) {
    Budget.benchmark(name, Budget.exchanges(2)) { budget in
        let stage = try await Stage()
        let alice = try await stage.newcomer(postQuantum: postQuantum, deviceData: deviceData)
        try await alice.activate()
        if deviceData.isEnabled { stage.time.advance(milliseconds: 86_400_000) }
        let text = String(repeating: "x", count: 16)
        let report = try await stage.platform.requestApproval(
            ApprovalParameters(
                .login, of: alice.account,
                display: DisplayData([DisplayField](repeating: .field(label: text, value: text), count: 4)),
                sessionID: String(repeating: "s", count: 36), requestID: String(repeating: "r", count: 36),
                showsNumbers: true))
        _ = stage.transport.takeExchanges()
        try await alice.decide(on: report) { try await $0.approve(number: report.numberToMatch) }
        budget.enter(stage.transport.takeExchanges())
    }
}

private func passwordChange(_ name: String, _ postQuantum: PostQuantumPreference) {
    Budget.benchmark(name, Budget.exchanges(2)) { budget in
        let stage = try await Stage()
        let alice = try await stage.newcomer(postQuantum: postQuantum, user: Stage.changingUser())
        try await alice.activate()
        _ = stage.transport.takeExchanges()
        try await alice.changePassword()
        budget.enter(stage.transport.takeExchanges())
    }
}

/// The basic fields of a usual device, the same on every machine.
private struct TypicalDevice: DeviceDataCollector {
    var group: DeviceDataGroup { .basic }

    func collect() -> [DeviceDataField: DeviceDataValue] {
        [
            .system: .text("Linux"), .systemVersion: .text("ubuntu 24.04"), .architecture: .text("x86_64"),
            .locale: .text("en_US"), .timeZone: .text("Europe/Vienna"), .uptime: .integer(86_400),
            .appVersion: .text("2.1.0"), .sdkVersion: .text("0.1.0"), .terminal: .text("xterm-256color"),
        ]
    }
}
