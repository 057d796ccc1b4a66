extension Setting {
    /// The settings of the gateways to push services.
    static let push: [Setting] = [
        webhookURL("webhook.url", "webhookURL", \.installation.webhookURL, "the receiver of notifications"),
        .file(
            "webhook.secret", "webhookSecret", \.installation.webhookSecret,
            "the file of the secret that signs requests to the receiver"),
        .file(
            "apns.key", "apns.key", \.installation.apns.key,
            "the file of the key for the Apple Push Notification service"),
        .name(
            "apns.key-id", "apns.keyID", \.installation.apns.keyID, limits: "ten capital letters and digits",
            help: "the id of that key",
            isAllowed: APNsKey.isID),
        .name(
            "apns.team-id", "apns.teamID", \.installation.apns.teamID, limits: "ten capital letters and digits",
            help: "the id of the developer team of the app",
            isAllowed: APNsKey.isID),
        .name(
            "apns.topic", "apns.topic", \.installation.apns.topic,
            limits: "1 to 155 letters, digits, '.' and '-'",
            help: "the bundle identifier of the app", isAllowed: APNsGateway.isTopic),
        apps(
            "apns.apps", "apns.apps", \.installation.apns.apps, values: "bundle identifiers",
            example: "business=com.example.business", help: "further apps of the team",
            isValue: APNsGateway.isTopic),
        .choice(
            "apns.environment", "apns.environment", \.installation.apns.environment,
            "the service that has issued the device tokens"),
        apnsAlert,
        .file(
            "fcm.service-account", "fcm.serviceAccount", \.installation.fcm.serviceAccount,
            "the key file of the service account for Firebase Cloud Messaging"),
        .name(
            "fcm.collapse-key", "fcm.collapseKey", \.installation.fcm.collapseKey,
            limits: "1 to 64 letters, digits, '.' and '-'",
            help: "the key of messages that replace each other while a device is not connected",
            isAllowed: FCMGateway.isCollapseKey),
        apps(
            "fcm.apps", "fcm.apps", \.installation.fcm.apps, values: "key files",
            example: "business=/etc/trusted-identity/business.json",
            help: "further apps, with the key files of their service accounts", resolved: resolvedFiles,
            isValue: { !$0.isEmpty && !$0.utf8.contains(0) }),
        .file(
            "web-push.key", "webPush.key", \.installation.webPush.key,
            "the file of the key that names the platform to push services of the web"),
        .name(
            "web-push.subject", "webPush.subject", \.installation.webPush.subject,
            limits: "mailto: and an address, or a URL with https",
            help: "the contact of the operator for these services", isAllowed: WebPushGateway.isSubject),
        .list(
            "web-push.hosts", "webPush.hosts", \.installation.webPush.hosts,
            limits: "none, or domain names with commas between them",
            help: "the hosts of push services that devices may name",
            problem: "is no host of a push service: write 'push.example' or '*.push.example', for example",
            element: WebPushHost.init),
    ]

    /// The settings of the webhook that receives events.
    static let events: [Setting] = [
        webhookURL("events.url", "events.url", \.installation.events.url, "the receiver of events"),
        .file(
            "events.secret", "events.secret", \.installation.events.secret,
            "the file of the secret that signs requests to the receiver of events"),
    ]

    private static func webhookURL(_ key: String, _ field: String, _ path: any Path<String?>, _ help: String) -> Setting
    {
        name(
            key, field, path, limits: "a URL with https, or with http and a loopback address", help: help,
            problem: "is no address of a webhook: write 'https://push.example/notify', for example",
            isAllowed: PushWebhookGateway.isAllowed)
    }

    private static let apnsAlert = Setting(
        "apns.alert", fields: ["apns.alert"], limits: "1 to 200 bytes of characters that are seen",
        help: "the text that users see"
    ) { value, draft in
        guard APNsGateway.isAlert(value) else {
            return "this is no alert: use 1 to 200 bytes of characters that are seen"
        }
        draft.installation.apns.alert = value
        return nil
    } text: {
        $0.installation.apns.alert
    }

    /// Returns a setting that is a list of further apps, or `none`.
    ///
    /// - Parameters:
    ///   - values: The values of the ids, for people.
    ///   - resolved: Returns a list with its relative paths resolved against a folder.
    ///   - isValue: Returns whether a text is a value.
    private static func apps(
        _ key: String, _ field: String, _ path: any Path<[PushApp]>, values: String, example: String, help: String,
        resolved: @escaping @Sendable (String, String) -> String = { text, _ in text },
        isValue: @escaping @Sendable (String) -> Bool
    ) -> Setting {
        Setting(
            key, fields: [field], limits: "none, or ids of apps with \(values), and commas between them", help: help,
            resolved: resolved
        ) { value, draft in
            guard let apps = value == "none" ? [] : PushApp.list(value, isValue: isValue) else {
                return
                    "\(quoted(value)) is no list of apps: write '\(example)', for example, with ids of 1 to 20 small letters and digits"
            }
            draft[keyPath: path] = apps
            return nil
        } text: {
            let apps = $0[keyPath: path]
            return apps.isEmpty ? "none" : apps.map(\.description).joined(separator: ",")
        }
    }

    /// Returns a list of apps with files, with their relative paths resolved against a folder.
    @Sendable private static func resolvedFiles(_ text: String, _ folder: String) -> String {
        guard let apps = PushApp.list(text, isValue: { !$0.isEmpty }) else { return text }
        return apps.map { PushApp(id: $0.id, value: PathResolution.path($0.value, folder)).description }
            .joined(separator: ",")
    }

    /// Returns a setting that is a name with its own form, or `none`.
    ///
    /// - Parameters:
    ///   - limits: The form of a name, for people.
    ///   - problem: The problem of another text, after the text; `nil` for one with the form.
    ///   - isAllowed: Returns whether a text has the form.
    private static func name(
        _ key: String, _ field: String, _ path: any Path<String?>, limits: String, help: String,
        problem: String? = nil, isAllowed: @escaping @Sendable (String) -> Bool
    ) -> Setting {
        Setting(key, fields: [field], limits: "none, or \(limits)", help: help) { value, draft in
            guard value == "none" || isAllowed(value) else {
                return "\(quoted(value)) \(problem ?? "is not allowed here: use none, or \(limits)")"
            }
            draft[keyPath: path] = value == "none" ? nil : value
            return nil
        } text: {
            $0[keyPath: path] ?? "none"
        }
    }
}
