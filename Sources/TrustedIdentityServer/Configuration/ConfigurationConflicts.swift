/// The rules for values that are allowed individually and not together.
enum ConfigurationConflicts {
    /// Returns the problems of a draft.
    ///
    /// - Parameter place: Returns the place of the value of a setting, or nil for a default.
    static func problems(
        of draft: ConfigurationDraft, place: (String) -> ConfigurationPlace?
    ) -> [ConfigurationError.Problem] {
        var problems: [ConfigurationError.Problem] = []
        func refuse(_ keys: [String], _ message: String) {
            problems.append(.init(place: keys.lazy.compactMap(place).first ?? .standard, message: message))
        }
        let (least, greatest) = (draft.pinPolicy.minimumLength, draft.pinPolicy.maximumLength)
        if least > greatest {
            refuse(
                ["pin-policy.maximum-length", "pin-policy.minimum-length"],
                "pin-policy.minimum-length \(least) is above pin-policy.maximum-length \(greatest): change one of them")
        }
        let tls = draft.installation.server.tls
        if tls.isUsed, tls.certificate == nil || tls.key == nil {
            let (named, missing) = tls.key == nil ? ("tls.certificate", "tls.key") : ("tls.key", "tls.certificate")
            refuse([named], "\(named) is named and \(missing) is not: TLS needs both files")
        }
        if let management = draft.installation.management {
            if !management.isLoopback, tls.certificate == nil {
                refuse(
                    ["management-listen"],
                    "management-listen is beyond the loopback interface without TLS: set tls.certificate and tls.key")
            }
            if management == ListenAddress(host: draft.installation.server.host, port: draft.installation.server.port),
                management.port != 0
            {
                refuse(["management-listen"], "management-listen and listen are the same address: use another port")
            }
        }
        for gateway in gateways(draft.installation) {
            let (named, missing) = (gateway.settings.filter(\.isNamed), gateway.settings.filter { !$0.isNamed })
            guard let first = named.first, let last = missing.last else { continue }
            let others = missing.count == 1 ? "\(last.key) is not" : "\(list(missing.map(\.key))) are not"
            refuse(
                [first.key],
                "\(first.key) is named and \(others): \(gateway.name) needs \(list(gateway.settings.map(\.key)))")
        }
        let apns = draft.installation.apns
        if !apns.apps.isEmpty, apns.key == nil {
            refuse(["apns.apps"], "apns.apps is named and apns.key is not: further apps use the key of the first one")
        }
        let (master, next) = (draft.installation.masterKey, draft.installation.nextMasterKey)
        if next != .dataFolder, next == master {
            refuse(
                ["next-master-key"],
                "next-master-key has the source of the master key: give the new key a place of its own")
        }
        if let number = draft.installation.databasePassword {
            if draft.installation.database == nil {
                refuse(["database-password"], "database-password is named and database is not: name both, or neither")
            }
            // A descriptor is read to its end, and only once.
            if [master, next].contains(.descriptor(number)) {
                refuse(
                    ["database-password"],
                    "database-password has the source of a master key: give the password a descriptor of its own")
            }
        }
        let names = Setting.all.map(\.environmentName) + [ConfigurationReader.fileVariable]
        for (key, source) in [("master-key", master), ("next-master-key", next)] {
            if case .environment(let name) = source, names.contains(name) {
                refuse([key], "\(key) cannot be in \(name), the variable of a setting: use another one")
            }
        }
        return problems
    }

    /// The settings that a gateway of notifications needs together.
    private struct Gateway {
        let name: String
        let settings: [(key: String, isNamed: Bool)]
    }

    private static func gateways(_ configuration: InstallationConfiguration) -> [Gateway] {
        let (apns, webPush) = (configuration.apns, configuration.webPush)
        return [
            Gateway(
                name: "a webhook",
                settings: [
                    ("webhook.url", configuration.webhookURL != nil),
                    ("webhook.secret", configuration.webhookSecret != nil),
                ]),
            Gateway(
                name: "a webhook of events",
                settings: [
                    ("events.url", configuration.events.url != nil),
                    ("events.secret", configuration.events.secret != nil),
                ]),
            Gateway(
                name: "APNs",
                settings: [
                    ("apns.key", apns.key != nil), ("apns.key-id", apns.keyID != nil),
                    ("apns.team-id", apns.teamID != nil), ("apns.topic", apns.topic != nil),
                ]),
            Gateway(
                name: "Web Push",
                settings: [
                    ("web-push.key", webPush.key != nil), ("web-push.subject", webPush.subject != nil),
                    ("web-push.hosts", !webPush.hosts.isEmpty),
                ]),
        ]
    }

    /// Returns keys with commas and "and" between them.
    private static func list(_ keys: [String]) -> String {
        guard let last = keys.last, keys.count > 1 else { return keys.joined() }
        return keys.dropLast().joined(separator: ", ") + " and " + last
    }
}
