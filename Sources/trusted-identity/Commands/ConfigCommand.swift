internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentityServer

#if PostgreSQL
    internal import TrustedIdentityPostgreSQL
#endif

/// `config`: the configuration of the server.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Check and show the configuration.",
        subcommands: [ConfigCheck.self, ConfigShow.self, ConfigTemplate.self])
}

/// `config check`: checks the configuration, and starts nothing.
struct ConfigCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the configuration and its policy file, and start nothing.",
        discussion: """
            All problems are printed, each with its place: the flag, the environment variable, or the file with line and \
            column. Then the files of TLS, of the push services and of the webhooks are read. The master key is not. \
            With the setting database, the command connects, and prints the version, the role and the settings of the server.

            \(ServerOptions.help)
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOption

    mutating func run() async throws {
        let configuration = try ProgramConfiguration.readWithPolicy(data, server).configuration
        _ = try ConfiguredGateways(configuration)
        try configuration.server.tls.check()
        #if PostgreSQL
            if let report = try await ConfiguredDatabase(configuration).report() { return try print(report) }
        #endif
        try output.print(status: "valid")
    }
}

#if PostgreSQL
    extension ConfigCheck {
        private struct Result: Encodable {
            let status: String
            let database: PostgreSQLReport
        }

        /// Prints what the database server reports about itself, and the result of the check.
        private func print(_ report: PostgreSQLReport) throws {
            let problem = report.problem
            if output.isJSON {
                try StandardStream.output.print(
                    json: Result(status: problem == nil ? "valid" : "invalid", database: report))
            } else {
                StandardStream.output.print(Table(report.fields).text)
                if problem == nil { StandardStream.output.print("valid") }
            }
            if let problem { throw problem }
        }
    }

    extension PostgreSQLReport {
        /// The clock difference from which a server is not ready, in milliseconds.
        private static let maximumClockDifference: Int64 = 2_000

        /// The reason why a server cannot serve with the database now; nil if there is none.
        fileprivate var problem: ErrorReport? {
            if isMigrationUnfinished { return ErrorReport(unfinishedMigrationInto: database) }
            guard hasRights else {
                return ErrorReport(
                    .storage,
                    revision == 0
                        ? "the role \(role) cannot create tables, and the database has none"
                        : "the role \(role) cannot write to the tables",
                    hint: revision == 0
                        ? "ALTER DATABASE \(database) OWNER TO \(role)"
                        : "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role)")
            }
            if isReadOnly {
                return ErrorReport(
                    .storage, "the database takes no writes", hint: "name the primary server, and not a standby")
            }
            guard clockDifference.magnitude < Self.maximumClockDifference.magnitude else {
                return ErrorReport(
                    .storage, "the clock of the database server differs by \(clockDifference) ms",
                    hint: "keep both machines in time with a service such as chrony")
            }
            return nil
        }

        fileprivate var fields: [(name: String, value: String)] {
            [
                (name: "version", value: version), ("role", role), ("database", database),
                ("writes", isReadOnly ? "no" : "yes"), ("encrypted", isEncrypted ? "yes" : "no"),
                ("schema", revision == 0 ? "none" : "revision \(revision)"), ("rights", hasRights ? "yes" : "no"),
                ("clock", "\(clockDifference) ms ahead of this machine"),
            ] + settings.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value.isEmpty ? "-" : $0.value) }
        }
    }
#endif

/// `config show`: prints the settings with the sources of their values.
struct ConfigShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print each setting with its value and the source of the value.",
        discussion: """
            For the keys of the platform, the value is their place. The keys themselves are not read.

            \(ServerOptions.help)
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOption

    mutating func run() async throws {
        let effective = try ProgramConfiguration.readWithPolicy(data, server)
        let rows = effective.entries.map { Self.row($0, of: effective.configuration) }
        try StandardStream.output.print(
            rows, asJSON: output.isJSON, else: Table(rows.map { [$0.key, $0.value ?? "-", $0.source] }).text)
    }

    private struct Row: Encodable {
        let key: String
        let value: String?
        let source: String
    }

    private static func row(
        _ entry: EffectiveConfiguration.Entry, of configuration: InstallationConfiguration
    ) -> Row {
        // A folder with data keeps its tenant if none is specified.
        if entry.key == "tenant", entry.place == .standard, let path = configuration.dataFolder,
            let folder = try? DataFolder(path: path, mode: .mustExist), let tenant = try? folder.storedTenant()
        {
            return Row(key: entry.key, value: tenant, source: folder.tenantPath)
        }
        return Row(key: entry.key, value: entry.value, source: entry.place.source)
    }
}

/// `config template`: prints a configuration file with the defaults.
struct ConfigTemplate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "template", abstract: "Print a configuration file with every setting and its default.")

    func run() { StandardStream.output.print(String(Setting.template.dropLast())) }
}
