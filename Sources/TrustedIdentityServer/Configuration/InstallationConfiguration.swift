package import Logging
package import TrustedIdentity

/// The configuration of an ``Installation``: of its platform, its servers, its data and its keys.
///
/// ``ConfigurationReader`` creates one from flags, environment variables and a file. Tests create one in code.
package struct InstallationConfiguration: Sendable, Hashable {
    /// The purpose of an installation.
    package enum Mode: String, Sendable, Hashable, CaseIterable {
        /// A first try: everything has a default, and the keys are in the data folder.
        case development
        /// Real users. The log contains a warning for keys in the data folder, for key files that are not used, and for
        /// a policy that accepts software keys.
        case production
    }

    /// The purpose of the installation.
    package var mode = Mode.development

    /// The path of the folder with the data, or nil when none is named.
    package var dataFolder: String?

    /// The URI of the database on a PostgreSQL server, or nil for SQLite in the data folder. It contains no password.
    package var database: String?

    /// The descriptor from which the database password is read, or nil if libpq's password file contains it or no
    /// password is needed.
    package var databasePassword: Int32?

    /// The maximum number of connections of this process that read and write in the database on a PostgreSQL server.
    package var databaseConnections = 16

    /// Whether the tenant of ``platform`` was named. Otherwise a folder with data keeps its own tenant.
    package var isTenantNamed = false

    /// The path of the policy file, or nil for the documented default. The policy in ``platform`` is read from it.
    package var policyFile: String?

    /// The lowest level that is logged.
    package var logLevel = Logger.Level.info

    /// The form of the log.
    package var logFormat = LogFormat.text

    /// The place of the key that wraps the keys of the store.
    package var masterKey = KeySource.dataFolder

    /// The place of the new master key while the master key is replaced, or of another master key that a restored
    /// backup needs. ``KeySource/dataFolder`` means a file next to the master key file.
    package var nextMasterKey = KeySource.dataFolder

    /// The address of the webhook that receives notifications, or nil for none.
    package var webhookURL: String?

    /// The path of the file with the secret of the webhook, or nil for none.
    package var webhookSecret: String?

    /// The configuration of the webhook that receives events.
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

    /// The address of the management listener, or nil for none. The socket in the data folder always exists.
    package var management: ListenAddress?

    /// Creates a configuration with the defaults of an installation.
    package init(platform: PlatformConfiguration = .init(), server: ServerConfiguration = .init()) {
        self.platform = platform
        self.server = server
    }

    /// The limits of the fields that belong neither to the platform nor to the server.
    package static let limits: [ConfigurationLimit<Self>] = [
        .init("databaseConnections", in: 4...64) { $0.databaseConnections }
    ]
}
