import Orchestration

extension Story {
    /// The app tells the platform how to reach the device; an app without a push service takes the pull channel.
    func registerNotifications() async throws {
        _ = try await device.orchestrator.registerNotifications(.init(user: alice.name)).result()
        narrator.say(
            "The notification channel is registered: \(device.sizes.last).",
            see: "Sources/Orchestration/Notifications")
        let user = try await device.orchestrator.users.information(alice.name)
        try narrator.check("notification channel registered", user.notificationIdentifier != nil, is: true)
    }
}
