internal import Logging
internal import Primitives
internal import TrustedIdentity

extension Setting {
    /// All settings, in the order of the documentation.
    package static let all = general + events + push + keys

    private static let general: [Setting] = [
        .choice("mode", "mode", \.installation.mode),
        .path("data", "dataFolder", \.installation.dataFolder),
        tenant,
        .path("policy", "platform.policy", \.installation.policyFile),
        .choice("log-level", "logLevel", \.installation.logLevel),
        .choice("log-format", "logFormat", \.installation.logFormat),
        listen,
        managementListen,
        .file("tls.certificate", "server.tls.certificate", \.installation.server.tls.certificate),
        .file("tls.key", "server.tls.key", \.installation.server.tls.key),
        trustedProxies,
        .choice("proxy-header", "server.proxies.header", \.installation.server.proxies.header),
        .truth(
            "proxy-client-certificates", "server.proxies.sendClientCertificates",
            \.installation.server.proxies.sendClientCertificates),
        .number("proxy-hops", "server.proxies.hops", \.installation.server.proxies.hops),
        .number("connections", "server.limits.connections", \.installation.server.limits.connections),
        .number(
            "connections-per-address", "server.limits.connectionsPerAddress",
            \.installation.server.limits.connectionsPerAddress),
        .duration("idle-timeout", "server.limits.idleTimeout", \.installation.server.limits.idleTimeout),
        .number("header-fields", "server.limits.headerFields", \.installation.server.limits.headerFields),
        .number("header-field-bytes", "server.limits.headerFieldBytes", \.installation.server.limits.headerFieldBytes),
        .number("header-bytes", "server.limits.headerBytes", \.installation.server.limits.headerBytes),
        .duration("body-timeout", "server.limits.bodyTimeout", \.installation.server.limits.bodyTimeout),
        .duration("request-timeout", "server.limits.requestTimeout", \.installation.server.limits.requestTimeout),
        .text("default-domain", "server.defaultDomain", \.installation.server.defaultDomain),
        .choice("post-quantum", "platform.postQuantum", \.installation.platform.postQuantum),
        .number("pin-policy.minimum-length", "platform.pinPolicy.minimumLength", \.pinPolicy.minimumLength),
        .number("pin-policy.maximum-length", "platform.pinPolicy.maximumLength", \.pinPolicy.maximumLength),
        .truth("pin-policy.digits-only", "platform.pinPolicy.digitsOnly", \.pinPolicy.digitsOnly),
        .number("pin-policy.tries", "platform.pinPolicy.tries", \.pinPolicy.tries),
        .duration("challenge-lifetime", "platform.challengeLifetime", \.installation.platform.challengeLifetime),
        .number("requests-per-device", "platform.requestsPerDevice", \.installation.platform.requestsPerDevice),
        .number("requests-per-address", "platform.requestsPerAddress", \.installation.platform.requestsPerAddress),
        .duration("retention.receipts", "platform.retention.receipts", \.installation.platform.retention.receipts),
        .duration(
            "retention.revoked-devices", "platform.retention.revokedDevices",
            \.installation.platform.retention.revokedDevices),
        .duration(
            "retention.device-data", "platform.retention.deviceData", \.installation.platform.retention.deviceData),
        .duration(
            "retention.idle-sources", "platform.retention.idleSources", \.installation.platform.retention.idleSources),
        .duration(
            "audit-checkpoint-interval", "platform.auditCheckpointInterval",
            \.installation.platform.auditCheckpointInterval),
        .number("waiting-calls", "platform.waitingCalls", \.installation.platform.waitingCalls),
        .number("open-streams", "platform.openStreams", \.installation.platform.openStreams),
        .number(
            "open-streams-per-address", "platform.openStreamsPerAddress",
            \.installation.platform.openStreamsPerAddress),
        .number("waiting-writes", "waitingWrites", \.installation.waitingWrites),
        .duration("write-timeout", "writeTimeout", \.installation.writeTimeout),
        .truth(
            "require-synchronized-clock", "platform.requiresSynchronizedClock",
            \.installation.platform.requiresSynchronizedClock),
    ]

    private static let keys: [Setting] = [
        .keySource("master-key", "masterKey", \.installation.masterKey),
        .keySource("next-master-key", "nextMasterKey", \.installation.nextMasterKey),
        .keySource("change-key", "changeKey", \.installation.changeKey),
    ]

    private static let tenant = Setting(
        "tenant", fields: ["platform.tenant"], limits: ConfigurationDraft.limits["platform.tenant"] ?? ""
    ) { value, draft in
        draft.installation.platform.tenant = value
        draft.installation.isTenantNamed = true
        return nil
    } text: {
        $0.installation.platform.tenant
    }

    private static let listen = Setting(
        "listen", fields: ["server.host", "server.port"],
        limits: "HOST:PORT, with a port from \(ConfigurationDraft.limits["server.port"] ?? ""); 0 takes a free one"
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
        limits: "none, or HOST:PORT; with a certificate also beyond the loopback interface"
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

    private static let trustedProxies = Setting(
        "trusted-proxies", fields: ["server.proxies.networks"], limits: TrustedProxies.limits
    ) { value, draft in
        var networks: [AddressRange] = []
        if value != "none" {
            for text in value.split(separator: ",", omittingEmptySubsequences: false) {
                let name = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
                guard let network = AddressRange(String(name)) else {
                    return
                        "\(quoted(String(name))) is no network: write '192.0.2.1', '10.0.0.0/8' or '2001:db8::/32', for example"
                }
                networks.append(network)
            }
        }
        draft.installation.server.proxies.networks = networks
        return nil
    } text: {
        let networks = $0.installation.server.proxies.networks
        return networks.isEmpty ? "none" : networks.map(\.description).joined(separator: ",")
    }
}
