internal import Logging
internal import Primitives
internal import TrustedIdentity

extension Setting {
    /// All settings, in the order of the documentation.
    package static let all = general + events + push + keys

    private static let general: [Setting] = [
        .choice(
            "mode", "mode", \.installation.mode,
            "the purpose; production logs a warning for keys in the data folder, unused key files and a "
                + "policy with software keys"),
        .path("data", "dataFolder", \.installation.dataFolder, "the folder with the data"),
        tenant,
        database,
        databasePassword,
        .number(
            "database-connections", "databaseConnections", \.installation.databaseConnections,
            "the connections of a server to the database; a command of administration has 4"),
        .path(
            "policy", "platform.policy", \.installation.policyFile,
            "the policy file, which SIGHUP reads again; without it, the default policy, which policy print shows"),
        .choice("log-level", "logLevel", \.installation.logLevel, "the minimum level that is logged"),
        .choice("log-format", "logFormat", \.installation.logFormat, "the form of the log on standard error"),
        listen,
        managementListen,
        .file(
            "tls.certificate", "server.tls.certificate", \.installation.server.tls.certificate,
            "the certificates in PEM, the server's own first"),
        .file("tls.key", "server.tls.key", \.installation.server.tls.key, "the private key in PEM, without a password"),
        .list(
            "trusted-proxies", "server.proxies.networks", \.installation.server.proxies.networks,
            limits: TrustedProxies.limits,
            help: "the proxies in front of the server; the headers of other peers are ignored",
            problem: "is no network: write '192.0.2.1', '10.0.0.0/8' or '2001:db8::/32', for example",
            element: AddressRange.init),
        .choice(
            "proxy-header", "server.proxies.header", \.installation.server.proxies.header,
            "the header in which the proxies name their callers"),
        .truth(
            "proxy-client-certificates", "server.proxies.sendClientCertificates",
            \.installation.server.proxies.sendClientCertificates,
            "whether the proxies write the client certificate of their caller into Client-Cert, and remove "
                + "what the caller sends in it"),
        .number(
            "proxy-hops", "server.proxies.hops", \.installation.server.proxies.hops,
            "the maximum number of proxies between a caller and the server"),
        .number(
            "connections", "server.limits.connections", \.installation.server.limits.connections,
            "open connections; a further one replaces an idle one"),
        .number(
            "connections-per-address", "server.limits.connectionsPerAddress",
            \.installation.server.limits.connectionsPerAddress,
            "open connections of an address, or of 64 bits of an IPv6 address; trusted proxies have no such "
                + "limit"),
        .text(
            "default-domain", "server.defaultDomain", \.installation.server.defaultDomain,
            "the domain of users that are named without one"),
        publicAddress,
        .choice(
            "post-quantum", "platform.postQuantum", \.installation.platform.postQuantum,
            "the hybrid suite in activations"),
        .number(
            "pin-policy.minimum-length", "platform.pinPolicy.minimumLength", \.pinPolicy.minimumLength,
            "the minimum number of characters of a password"),
        .number(
            "pin-policy.maximum-length", "platform.pinPolicy.maximumLength", \.pinPolicy.maximumLength,
            "the maximum number of characters of a password, at least minimum-length"),
        .truth(
            "pin-policy.digits-only", "platform.pinPolicy.digitsOnly", \.pinPolicy.digitsOnly,
            "whether a password has digits only"),
        .number(
            "pin-policy.tries", "platform.pinPolicy.tries", \.pinPolicy.tries,
            "wrong passwords in a row before a lock"),
        .number(
            "cumulative-tries", "platform.cumulativeTries", \.installation.platform.cumulativeTries,
            "wrong passwords of a device before a lock, less one every three days"),
        .number(
            "requests-per-device", "platform.requestsPerDevice", \.installation.platform.requestsPerDevice,
            "requests of a device in a minute"),
        .number(
            "requests-per-address", "platform.requestsPerAddress", \.installation.platform.requestsPerAddress,
            "requests in a minute from an address that prove no device"),
        .duration(
            "retention.receipts", "platform.retention.receipts", \.installation.platform.retention.receipts,
            "the time for which receipts and decision records are kept"),
        .duration(
            "retention.device-data", "platform.retention.deviceData", \.installation.platform.retention.deviceData,
            "the time for which device data is kept"),
        .truth(
            "require-synchronized-clock", "platform.requiresSynchronizedClock",
            \.installation.platform.requiresSynchronizedClock,
            "whether the platform is ready only while the kernel reports a synchronized clock"),
    ]

    private static let keys: [Setting] = [
        .keySource("master-key", "masterKey", \.installation.masterKey, "the place of the master key"),
        .keySource(
            "next-master-key", "nextMasterKey", \.installation.nextMasterKey,
            "the place of the new master key during a replacement"),
    ]

    private static let tenant = Setting(
        "tenant", fields: ["platform.tenant"], limits: ConfigurationDraft.limits["platform.tenant"] ?? "",
        help: "goes into every key, so it never changes for a folder; a folder that has data keeps its own"
    ) { value, draft in
        draft.installation.platform.tenant = value
        draft.installation.isTenantNamed = true
        return nil
    } text: {
        $0.installation.platform.tenant
    }

    private static let publicAddress = Setting(
        "public-address", fields: ["platform.publicAddress"],
        limits: "none, or \(ConfigurationDraft.limits["platform.publicAddress"] ?? "")",
        help: "the address at which apps reach the platform, for activation links"
    ) { value, draft in
        draft.installation.platform.publicAddress = value == "none" ? nil : value
        return nil
    } text: {
        $0.installation.platform.publicAddress ?? "none"
    }

    private static let listen = Setting(
        "listen", fields: ["server.host", "server.port"],
        limits: "HOST:PORT, with a port from \(ConfigurationDraft.limits["server.port"] ?? ""); 0 takes a free one",
        help: "the address of the REST API"
    ) { value, draft in
        guard let address = ListenAddress(value) else {
            return "\(quoted(value)) is no address: write '127.0.0.1:8080' or '[::1]:8080', for example"
        }
        draft.installation.server.host = address.host
        draft.installation.server.port = address.port
        return nil
    } text: {
        ListenAddress(host: $0.installation.server.host, port: $0.installation.server.port).description
    }

    private static let managementListen = Setting(
        "management-listen", fields: ["management"],
        limits: "none, or HOST:PORT; with a certificate also beyond the loopback interface",
        help: "the address of the management listener"
    ) { value, draft in
        guard value != "none" else {
            draft.installation.management = nil
            return nil
        }
        guard let address = ListenAddress(value), address.port <= 65_535 else {
            return "\(quoted(value)) is no address: write 'none' or '127.0.0.1:9080', for example"
        }
        draft.installation.management = address
        return nil
    } text: {
        $0.installation.management?.description ?? "none"
    }
}
