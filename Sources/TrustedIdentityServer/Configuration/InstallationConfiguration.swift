package import Logging
package import TrustedIdentity

/// The configuration of an ``Installation``: of its platform, its servers, its data and its keys.
///
/// ``ConfigurationReader`` makes one of flags, environment variables and a file. Tests make one in code.
package struct InstallationConfiguration: Sendable, Hashable {
    /// The purpose of an installation.
    package enum Mode: String, Sendable, Hashable, CaseIterable {
        /// A first try: everything has a default, and the keys are in the data folder.
        case development
        /// Real users. The log has a warning for keys in the data folder, for key files that are not used, and for a policy
        /// that accepts software keys.
        case production
    }

    /// The purpose of the installation.
    package var mode = Mode.development

    /// The path of the folder with the data, or nil when none is named.
    package var dataFolder: String?

    /// The URI of the database on a PostgreSQL server, or nil for SQLite in the data folder. It has no password.
    package var database: String?

    /// The descriptor with the password of the database, or nil where libpq's password file has it or none is needed.
    package var databasePassword: Int32?

    /// The connections of this process to the database on a PostgreSQL server.
    package var databaseConnections = 16

    /// Whether the tenant of ``platform`` was named. Otherwise a folder that has data keeps its own tenant.
    package var isTenantNamed = false

    /// The path of the policy file, or nil for the documented default. The policy in ``platform`` is read from it.
    package var policyFile: String?

    /// The lowest level that is logged.
    package var logLevel = Logger.Level.info

    /// The form of the log.
    package var logFormat = LogFormat.text

    /// The place of the key that wraps the keys of the store.
    package var masterKey = KeySource.dataFolder

    /// The place of the new master key while the master key is replaced, or of another one that a restored backup
    /// needs. In the data folder stands for a file beside that of the master key.
    package var nextMasterKey = KeySource.dataFolder

    /// The address of the webhook that gets notifications, or nil for none.
    package var webhookURL: String?

    /// The path of the file with the secret of the webhook, or nil for none.
    package var webhookSecret: String?

    /// The configuration of the webhook that gets events.
    package var events = EventConfiguration()

    /// The configuration of the gateway to the Apple Push Notification service.
    package var apns = APNsConfiguration()

    /// The configuration of the gateways to Firebase Cloud Messaging.
    package var fcm = FCMConfiguration()

    /// The configuration of the gateway to push services of the web.
    package var webPush = WebPushConfiguration()

    /// The configuration of the platform.
    package var platform: PlatformConfiguration

    /// The configuration of the REST API.
    package var server: ServerConfiguration

    /// The address of the management listener, or nil for none. The socket in the data folder is always there.
    package var management: ListenAddress?

    /// Creates a configuration with the defaults of an installation.
    package init(platform: PlatformConfiguration = .init(), server: ServerConfiguration = .init()) {
        self.platform = platform
        self.server = server
    }

    /// The limits of the fields that are not the platform's nor the server's.
    package static let limits: [ConfigurationLimit<Self>] = [
        .init("databaseConnections", in: 4...64) { $0.databaseConnections }
    ]
}
