internal import ArgumentParser
internal import CommandLine
internal import Logging
internal import TrustedIdentity
internal import TrustedIdentityServer

/// `serve`: runs the platform until SIGTERM or SIGINT.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the platform until SIGTERM or SIGINT.",
        discussion: """
            On the first start it makes the folder (mode 0700), the master key (mode 0600), the database and the \
            platform's keys. Keep a copy of the master key apart from the database: without it the data cannot be read. \
            SIGHUP reads the policy file and the certificate again.

            \(ServerOptions.help)
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var server: ServerOptions

    mutating func run() async throws {
        StopSignal.ignoreReloads()
        // This comes before anything is opened, because a setting may name a descriptor. It comes before the folder is
        // created, because a faulty configuration must leave nothing behind.
        let configuration = try ProgramConfiguration.readWithPolicy(data, server).configuration
        let notifications = try ConfiguredGateways(configuration)
        let folder = try DataFolder(of: configuration, mode: .makeIfMissing)
        try folder.checkDatabase(of: configuration)
        let keys = InstallationKeys(configuration, folder: folder)
        let database = try ConfiguredDatabase(configuration)
        // This comes before the data is opened, because a signal during the start must not be lost.
        let stop = StopSignal()
        PrometheusMetrics.bootstrap()
        LoggingSystem.bootstrap { [format = configuration.logFormat] in format.handler(label: $0) }
        var logger = Logger(label: TrustedIdentityCommand.name)
        logger.logLevel = configuration.logLevel

        OpenFileLimit.raise(forConnections: configuration.server.limits.connections, logger: logger)
        try folder.checkSocketPath()
        let address = ListenAddress(host: configuration.server.host, port: configuration.server.port)
        try await notifications.use { gateways, events in
            try await folder.withInstallation(
                configuration, keys: keys, database: database, for: .serving, gateways: gateways, events: events,
                logger: logger
            ) { installation in
                Self.warn(configuration, address, keys, logger)
                try await installation.serve(
                    administrationSocket: folder.socketPath, until: stop, reloads: stop.reloads,
                    readPolicy: Self.policyReader(configuration, logger)
                ) { port in
                    let scheme = configuration.server.tls.certificate == nil ? "http" : "https"
                    StandardStream.output.print("listening on \(scheme)://\(address.withPort(port))")
                }
            }
        }
    }

    /// Returns the closure that reads the policy file again, and logs its warnings in the same form as a check of the
    /// file.
    private static func policyReader(
        _ configuration: InstallationConfiguration, _ logger: Logger
    ) -> (@Sendable () throws(ConfiguredFileError) -> PolicyText)? {
        guard let path = configuration.policyFile else { return nil }
        let isProduction = configuration.mode == .production
        return { () throws(ConfiguredFileError) in
            let text = try PolicyCommand.reload(path)
            for warning in text.warnings {
                logger.warning("a part of the policy has no effect", metadata: ["policy.place": "\(path):\(warning)"])
            }
            if isProduction { warn(text.policy, logger) }
            return text
        }
    }

    private static func warn(_ policy: Policy, _ logger: Logger) {
        if policy.softwareProviders {
            logger.warning("the policy accepts software keys as devices with protected keys")
        }
    }

    /// Logs a warning for each setting that is unsuitable for production.
    private static func warn(
        _ configuration: InstallationConfiguration, _ address: ListenAddress, _ keys: InstallationKeys, _ logger: Logger
    ) {
        if !address.isLoopback, configuration.server.tls.certificate == nil {
            logger.warning(
                "listening beyond the loopback interface without TLS: set tls.certificate and tls.key, or put a proxy in front"
            )
        }
        if configuration.sendsOverTLS, !TrustStore.isFound() {
            logger.warning(
                "no certificate authorities were found, so no gateway is reached over https: install ca-certificates")
        }
        guard configuration.mode == .production else { return }
        if configuration.masterKey == .dataFolder, configuration.database == nil {
            logger.warning(
                "the master key is in the data folder, beside the database: move it out and name its place"
            )
        }
        if !keys.unusedFiles.isEmpty {
            logger.warning(
                "the data folder has key files that are not used: move them away",
                metadata: ["files": "\(keys.unusedFiles.joined(separator: ", "))"])
        }
        warn(configuration.platform.policy, logger)
    }
}
