internal import CommandLineReports
internal import Primitives
internal import TrustedIdentity
internal import TrustedIdentityNotifications
internal import TrustedIdentityServer

/// The gateways of notifications that a configuration names, with their secrets.
struct ConfiguredGateways {
    private let webhookURL: String?
    private let secretPath: String?

    /// Reads the files of the gateways, so that a problem is found before the data are opened.
    init(_ configuration: InstallationConfiguration) throws(ErrorReport) {
        webhookURL = configuration.webhookURL
        secretPath = configuration.webhookSecret
        if let secretPath { _ = try Self.secret(in: secretPath) }
    }

    /// Runs a closure with the gateways by scheme, and closes their connections after it.
    func use(_ body: ([String: any NotificationGateway]) async throws -> Void) async throws {
        guard let webhookURL, let secretPath else { return try await body([:]) }
        let secret = try Self.secret(in: secretPath)
        let client = GatewayClient()
        do {
            var gateways: [String: any NotificationGateway] = [:]
            // The configuration has checked the address.
            gateways["webhook"] = WebhookGateway(url: webhookURL, secret: secret, client: client)
            try await body(gateways)
        } catch {
            await client.shutdown()
            throw error
        }
        await client.shutdown()
    }

    private static func secret(in path: String) throws(ErrorReport) -> WebhookSecret {
        guard PrivateFile.exists(path) else {
            throw ErrorReport(.storage, "the file \(path) of webhook.secret is missing")
        }
        let text = try PrivateFile.read(path, limit: WebhookSecret.maximumByteCount)
        guard let secret = WebhookSecret(text: text) else {
            throw ErrorReport(
                .storage, "the file \(path) of webhook.secret holds no secret of a webhook",
                hint: "write 'whsec_' and the Base64 text of 24 to 64 random bytes into it")
        }
        return secret
    }
}
