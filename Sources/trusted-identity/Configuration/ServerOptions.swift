internal import ArgumentParser
internal import TrustedIdentityServer

/// The flags of the settings that only a server needs. Values are text, because all settings are checked together.
struct ServerOptions: ParsableArguments {
    @Option(help: "The purpose: development or production.")
    var mode: String?

    @Option(help: "The tenant. It goes into every key, so it never changes for a folder.")
    var tenant: String?

    @Option(help: "The policy file. The documented default without it. SIGHUP reads it again.")
    var policy: String?

    @Option(help: "The least level that is logged on standard error.")
    var logLevel: String?

    @Option(help: "The form of the log: text or json.")
    var logFormat: String?

    @Option(help: "The address to listen on, HOST:PORT. Port 0 takes a free one.")
    var listen: String?

    @Option(help: "The address of the management listener, HOST:PORT, or none.")
    var managementListen: String?

    @Option(help: "The file of the certificates in PEM, for TLS. SIGHUP reads it and the key again.")
    var tlsCertificate: String?

    @Option(help: "The file of the private key in PEM, for TLS.")
    var tlsKey: String?

    @Option(help: "The proxies in front of the server: addresses and networks, with commas between them.")
    var trustedProxies: String?

    @Option(help: "The header in which the proxies name their callers: x-forwarded-for or forwarded.")
    var proxyHeader: String?

    @Flag(inversion: .prefixedNo, help: "The proxies write the client certificate of their caller into Client-Cert.")
    var proxyClientCertificates: Bool?

    @Option(help: "The most proxies between a caller and the server.")
    var proxyHops: String?

    @Option(help: "The maximum number of open connections.")
    var connections: String?

    @Option(help: "The maximum number of open connections of an address.")
    var connectionsPerAddress: String?

    @Option(help: "The time after which a connection that sends nothing is closed.")
    var idleTimeout: String?

    @Option(help: "The most headers of a request.")
    var headerFields: String?

    @Option(help: "The most bytes of a header.")
    var headerFieldBytes: String?

    @Option(help: "The most bytes of all headers of a request.")
    var headerBytes: String?

    @Option(help: "The time in which the body of a request arrives, such as 30s.")
    var bodyTimeout: String?

    @Option(help: "The time in which a request is answered that does not wait for a user.")
    var requestTimeout: String?

    @Option(help: "The domain of users that are named without one.")
    var defaultDomain: String?

    @Option(help: "The suites of activations: off, preferred or required.")
    var postQuantum: String?

    @Option(help: "The least number of characters of a password.")
    var pinPolicyMinimumLength: String?

    @Option(help: "The greatest number of characters of a password.")
    var pinPolicyMaximumLength: String?

    @Flag(inversion: .prefixedNo, help: "A password has digits only.")
    var pinPolicyDigitsOnly: Bool?

    @Option(help: "The number of wrong passwords in a row before a lock.")
    var pinPolicyTries: String?

    @Option(help: "The time in which a code over a challenge is accepted, such as 5m.")
    var challengeLifetime: String?

    @Option(help: "The requests of a device in a minute.")
    var requestsPerDevice: String?

    @Option(help: "The requests from an address in a minute that prove no device.")
    var requestsPerAddress: String?

    @Option(help: "The time for which receipts and decision records are kept, such as 400d.")
    var retentionReceipts: String?

    @Option(help: "The time for which revoked devices are known.")
    var retentionRevokedDevices: String?

    @Option(help: "The time for which device data are kept.")
    var retentionDeviceData: String?

    @Option(help: "The time for which a source is remembered that does not log in again.")
    var retentionIdleSources: String?

    @Option(help: "The time between checkpoints of the audit log, such as 1h.")
    var auditCheckpointInterval: String?

    @Option(help: "The number of callers that wait at the same time.")
    var waitingCalls: String?

    @Option(help: "The number of open streams of notifications.")
    var openStreams: String?

    @Option(help: "The number of open streams of notifications of an address.")
    var openStreamsPerAddress: String?

    @Option(help: "The most writes that wait for a transaction of the store.")
    var waitingWrites: String?

    @Option(help: "The longest time that a write waits for its transaction, such as 5s.")
    var writeTimeout: String?

    @Option(
        name: .customLong("require-synchronized-clock"),
        help: "Whether the platform is ready only while the kernel reports a synchronized clock: true or false.")
    var requireSynchronizedClock: String?

    @Option(name: .customLong("events-url"), help: "The URL of the receiver of events.")
    var eventsURL: String?

    @Option(help: "The file of the secret that signs requests to the receiver of events.")
    var eventsSecret: String?

    @Option(name: .customLong("webhook-url"), help: "The URL of the receiver of notifications.")
    var webhookURL: String?

    @Option(help: "The file of the secret that signs requests to the receiver of notifications.")
    var webhookSecret: String?

    @Option(name: .customLong("apns-key"), help: "The file of the key for APNs, AuthKey_….p8.")
    var apnsKey: String?

    @Option(name: .customLong("apns-key-id"), help: "The id of the key for APNs.")
    var apnsKeyID: String?

    @Option(name: .customLong("apns-team-id"), help: "The id of the developer team of the app.")
    var apnsTeamID: String?

    @Option(name: .customLong("apns-topic"), help: "The bundle identifier of the app.")
    var apnsTopic: String?

    @Option(name: .customLong("apns-environment"), help: "The service of APNs: production or development.")
    var apnsEnvironment: String?

    @Option(name: .customLong("apns-alert"), help: "The text that users of APNs see.")
    var apnsAlert: String?

    @Option(name: .customLong("fcm-service-account"), help: "The key file of the service account for FCM, in JSON.")
    var fcmServiceAccount: String?

    @Option(help: "The file of the key that names the platform to push services of the web.")
    var webPushKey: String?

    @Option(help: "The contact of the operator for push services of the web: mailto: or https:.")
    var webPushSubject: String?

    @Option(help: "The hosts of push services of the web, with commas between them.")
    var webPushHosts: String?

    /// The values by the keys of their settings.
    var flags: [String: String] {
        [
            "mode": mode, "tenant": tenant, "policy": policy, "log-level": logLevel,
            "log-format": logFormat, "listen": listen, "management-listen": managementListen,
            "tls.certificate": tlsCertificate, "tls.key": tlsKey,
            "trusted-proxies": trustedProxies, "proxy-header": proxyHeader, "proxy-hops": proxyHops,
            "proxy-client-certificates": proxyClientCertificates.map(String.init),
            "connections": connections,
            "connections-per-address": connectionsPerAddress,
            "idle-timeout": idleTimeout,
            "header-fields": headerFields,
            "header-field-bytes": headerFieldBytes,
            "header-bytes": headerBytes,
            "body-timeout": bodyTimeout,
            "request-timeout": requestTimeout,
            "default-domain": defaultDomain, "post-quantum": postQuantum,
            "pin-policy.minimum-length": pinPolicyMinimumLength, "pin-policy.maximum-length": pinPolicyMaximumLength,
            "pin-policy.digits-only": pinPolicyDigitsOnly.map(String.init), "pin-policy.tries": pinPolicyTries,
            "challenge-lifetime": challengeLifetime, "requests-per-device": requestsPerDevice,
            "requests-per-address": requestsPerAddress,
            "retention.receipts": retentionReceipts, "retention.revoked-devices": retentionRevokedDevices,
            "retention.device-data": retentionDeviceData, "retention.idle-sources": retentionIdleSources,
            "audit-checkpoint-interval": auditCheckpointInterval,
            "waiting-calls": waitingCalls, "open-streams": openStreams,
            "open-streams-per-address": openStreamsPerAddress,
            "waiting-writes": waitingWrites, "write-timeout": writeTimeout,
            "require-synchronized-clock": requireSynchronizedClock,
            "events.url": eventsURL, "events.secret": eventsSecret,
            "webhook.url": webhookURL, "webhook.secret": webhookSecret,
            "apns.key": apnsKey, "apns.key-id": apnsKeyID, "apns.team-id": apnsTeamID, "apns.topic": apnsTopic,
            "apns.environment": apnsEnvironment, "apns.alert": apnsAlert,
            "fcm.service-account": fcmServiceAccount,
            "web-push.key": webPushKey, "web-push.subject": webPushSubject, "web-push.hosts": webPushHosts,
        ].compactMapValues(\.self)
    }
}
