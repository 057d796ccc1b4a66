internal import ArgumentParser

/// The options with which a subcommand finds the platform: its data, its keys, and the file with these and other
/// settings.
struct DataOption: ParsableArguments {
    @Option(name: .customLong("data"), help: "The folder with the platform's data.")
    var path: String?

    @Option(help: "The database on a PostgreSQL server, as a URI without a password.")
    var database: String?

    @Option(help: "The place of the password of the database: none or descriptor:N.")
    var databasePassword: String?

    @Option(help: "The configuration file. TRUSTED_IDENTITY_CONFIG names it, too.")
    var config: String?

    @Option(help: "The place of the master key: data-folder, file:PATH, environment:NAME or descriptor:N.")
    var masterKey: String?

    @Option(help: "The place of the new master key during a replacement, as that of the master key.")
    var nextMasterKey: String?

    /// The values by the keys of their settings.
    var flags: [String: String] {
        [
            "data": path, "database": database, "database-password": databasePassword, "master-key": masterKey,
            "next-master-key": nextMasterKey,
        ].compactMapValues(\.self)
    }
}
