internal import CommandLine
internal import Primitives
internal import TrustedIdentity
internal import TrustedIdentityServer

/// The gateways of notifications and events that a configuration names, with their secrets.
struct ConfiguredGateways {
    private let configuration: InstallationConfiguration

    /// Reads the files of the gateways, to find a problem before the data is opened.
    init(_ configuration: InstallationConfiguration) throws(ErrorReport) {
        self.configuration = configuration
        if let path = configuration.webhookSecret { _ = try Self.webhookSecret(in: path, setting: "webhook.secret") }
        if let path = configuration.events.secret { _ = try Self.webhookSecret(in: path, setting: "events.secret") }
        if let key = APNsKeyFile(configuration.apns) { _ = try key.read() }
        if let path = configuration.fcm.serviceAccount {
            _ = try Self.serviceAccount(in: path, setting: "fcm.service-account")
        }
        for app in configuration.fcm.apps { _ = try Self.serviceAccount(in: app.value, setting: "fcm.apps") }
        if let path = configuration.webPush.key { _ = try Self.webPushKey(in: path) }
    }

    /// Runs a closure with the notification gateways by scheme and the event gateway, and then closes their
    /// connections.
    func use(
        _ body: ([String: any NotificationGateway], (any EventGateway)?) async throws -> Void
    ) async throws {
        let client = GatewayClient()
        do {
            try await body(gateways(client), events(client))
        } catch {
            await client.shutdown()
            throw error
        }
        await client.shutdown()
    }

    private func events(_ client: GatewayClient) throws(ErrorReport) -> (any EventGateway)? {
        guard let url = configuration.events.url, let path = configuration.events.secret else { return nil }
        return EventWebhook(
            url: url, secret: try Self.webhookSecret(in: path, setting: "events.secret"), client: client)
    }

    // The configuration has checked the addresses and names: no gateway here is nil.
    private func gateways(_ client: GatewayClient) throws(ErrorReport) -> [String: any NotificationGateway] {
        var gateways: [String: any NotificationGateway] = [:]
        if let url = configuration.webhookURL, let path = configuration.webhookSecret {
            gateways["webhook"] = PushWebhookGateway(
                url: url, secret: try Self.webhookSecret(in: path, setting: "webhook.secret"), client: client)
        }
        let apns = configuration.apns
        if let key = APNsKeyFile(apns), let topic = apns.topic {
            let gateway = APNsGateway(
                key: try key.read(), topic: topic, environment: apns.environment, alert: apns.alert, client: client)
            gateways["apns"] = gateway
            for app in apns.apps { gateways["apns-\(app.id)"] = gateway?.serving(topic: app.value) }
        }
        let fcm = configuration.fcm
        if let path = fcm.serviceAccount {
            gateways["fcm"] = FCMGateway(
                account: try Self.serviceAccount(in: path, setting: "fcm.service-account"),
                collapseKey: fcm.collapseKey, client: client)
        }
        for app in fcm.apps {
            gateways["fcm-\(app.id)"] = FCMGateway(
                account: try Self.serviceAccount(in: app.value, setting: "fcm.apps"), collapseKey: fcm.collapseKey,
                client: client)
        }
        let webPush = configuration.webPush
        if let path = webPush.key, let subject = webPush.subject {
            gateways["web-push"] = WebPushGateway(
                key: try Self.webPushKey(in: path), subject: subject, hosts: webPush.hosts, client: client)
        }
        return gateways
    }

    private static func serviceAccount(in path: String, setting: String) throws(ErrorReport) -> FCMServiceAccount {
        let text = try text(of: path, setting: setting, limit: FCMServiceAccount.maximumByteCount)
        guard let account = FCMServiceAccount(text: text) else {
            throw ErrorReport(
                .storage, "the file \(path) of \(setting) holds no key of a service account",
                hint: "name the JSON file with the member 'private_key' that the project has made")
        }
        return account
    }

    private static func webhookSecret(
        in path: String, setting: String
    ) throws(ErrorReport) -> WebhookSecret {
        let text = try text(of: path, setting: setting, limit: WebhookSecret.maximumByteCount)
        guard let secret = WebhookSecret(text: text) else {
            throw ErrorReport(
                .storage, "the file \(path) of \(setting) holds no secret of a webhook",
                hint: "write 'whsec_' and the Base64 text of 24 to 64 random bytes into it")
        }
        return secret
    }

    private static func webPushKey(in path: String) throws(ErrorReport) -> WebPushKey {
        let text = try text(of: path, setting: "web-push.key", limit: WebPushKey.maximumByteCount)
        guard let key = WebPushKey(text: text) else {
            throw ErrorReport(
                .storage, "the file \(path) of web-push.key holds no key of P-256 in PEM and PKCS #8",
                hint: "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256")
        }
        return key
    }

    /// Returns the content of a file that a setting names.
    static func text(of path: String, setting: String, limit: Int) throws(ErrorReport) -> SecretBytes {
        guard PrivateFile.exists(path) else {
            throw ErrorReport(.storage, "the file \(path) of \(setting) is missing")
        }
        return try PrivateFile.read(path, limit: limit)
    }
}

/// The file of the key for the Apple Push Notification service, with the names of the key.
private struct APNsKeyFile {
    private let path: String
    private let keyID: String
    private let teamID: String

    /// Returns nil when the gateway is not used.
    init?(_ configuration: APNsConfiguration) {
        guard let path = configuration.key, let keyID = configuration.keyID, let teamID = configuration.teamID else {
            return nil
        }
        self.path = path
        self.keyID = keyID
        self.teamID = teamID
    }

    func read() throws(ErrorReport) -> APNsKey {
        let text = try ConfiguredGateways.text(of: path, setting: "apns.key", limit: APNsKey.maximumByteCount)
        guard let key = APNsKey(text: text, keyID: keyID, teamID: teamID) else {
            throw ErrorReport(
                .storage, "the file \(path) of apns.key holds no key of P-256 in PEM and PKCS #8",
                hint: "name the file AuthKey_….p8 of the developer account")
        }
        return key
    }
}
