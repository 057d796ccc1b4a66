import Foundation
import Logging
import Testing
import TrustedIdentity
import TrustedIdentityServer

/// The reading of a configuration from flags, variables and a file.
@Suite struct ConfigurationReaderTests {
    /// Two values of each setting besides its default, or one where there are two in all.
    private static let samples: [String: [String]] = [
        "mode": ["production", "development"], "data": ["/a", "/b"], "tenant": ["bank", "shop"],
        "database": ["postgres://h/d", "postgresql://r@h1:1,h2:2/d?sslmode=verify-full"],
        "database-password": ["descriptor:3", "descriptor:0"], "database-connections": ["4", "64"],
        "policy": ["/a.yaml", "/b.yaml"], "log-level": ["debug", "error"], "log-format": ["json", "text"],
        "management-listen": ["127.0.0.1:9080", "[::1]:0"], "listen": ["[::1]:1", "localhost:65535"],
        "tls.certificate": ["/c.pem", "/d.pem"], "tls.key": ["/k.pem", "/l.pem"],
        "connections": ["1", "1000000"], "connections-per-address": ["1", "1000000"],
        "trusted-proxies": ["10.0.0.0/8,::1", "192.0.2.1"], "proxy-header": ["forwarded", "x-forwarded-for"],
        "proxy-hops": ["2", "16"],
        "proxy-client-certificates": ["true", "false"], "default-domain": ["bank", "a-b.c"],
        "public-address": ["https://id.example", "http://127.0.0.1:8080/a"],
        "post-quantum": ["off", "required"],
        "pin-policy.minimum-length": ["4", "12"], "pin-policy.maximum-length": ["6", "64"],
        "pin-policy.digits-only": ["false", "true"], "pin-policy.tries": ["3", "4"],
        "cumulative-tries": ["10", "50"], "requests-per-device": ["1", "6000"],
        "requests-per-address": ["1", "60000"], "retention.receipts": ["1d", "3653d"],
        "retention.device-data": ["1d", "400d"],
        "require-synchronized-clock": ["true", "false"],
        "events.url": ["https://bank.example/a", "http://127.0.0.1:1/"], "events.secret": ["/s", "/t"],
        "webhook.url": ["https://push.example/a", "http://127.0.0.1:1/"], "webhook.secret": ["/s", "/t"],
        "apns.key": ["/a.p8", "/b.p8"], "apns.key-id": ["ABC123DEFG", "0000000000"],
        "apns.team-id": ["DEF123GHIJ", "0000000000"], "apns.topic": ["com.example.app", "a"],
        "apns.apps": ["shop=com.example.shop,b2=b.c", "a=b"],
        "apns.environment": ["development", "production"], "apns.alert": ["Öffnen", "a b"],
        "fcm.service-account": ["/f.json", "/g.json"], "fcm.collapse-key": ["approval", "a-b.c"],
        "fcm.apps": ["shop=/s.json,b2=/b.json", "a=/c.json"], "web-push.key": ["/w.pem", "/v.pem"],
        "web-push.subject": ["mailto:a@b.example", "https://a.example"],
        "web-push.hosts": ["push.example,*.a.example", "b.example"],
        "master-key": ["file:/m", "environment:M"],
        "next-master-key": ["file:/n", "environment:N"],
    ]

    private static let settings = Setting.all.map(\.key)

    private static let apns = [
        "apns.key": "/1", "apns.key-id": "0123456789", "apns.team-id": "9876543210", "apns.topic": "b",
    ]

    private static let webPush = [
        "web-push.key": "/1", "web-push.subject": "mailto:c@d.example", "web-push.hosts": "c.example",
    ]

    /// Returns the other settings that a gateway needs.
    private static func partners(of key: String) -> [String: String] {
        let needed = key == "apns.apps" ? apns : [apns, webPush].first { $0[key] != nil } ?? [:]
        return needed.filter { $0.key != key }
    }

    private static func setting(_ key: String) throws -> Setting { try #require(Setting.all.first { $0.key == key }) }

    private static func file(_ text: String, path: String = "/etc/p.yaml") -> ConfigurationFile {
        ConfigurationFile(path: path, text: text)
    }

    /// The YAML of a setting, on the first line or on the second line.
    private static func yaml(_ key: String, _ value: String) -> String {
        let parts = key.split(separator: ".")
        return parts.count == 1 ? "\(key): '\(value)'" : "\(parts[0]):\n  \(parts[1]): '\(value)'"
    }

    private func entry(_ key: String, _ reader: ConfigurationReader) throws -> EffectiveConfiguration.Entry {
        try #require(try reader.read().entries.first { $0.key == key })
    }

    private func problems(
        _ text: String? = nil, flags: [String: String] = [:], environment: [String: String] = [:]
    ) -> [String] {
        do throws(ConfigurationError) {
            _ = try ConfigurationReader(flags: flags, environment: environment, file: text.map { Self.file($0) }).read()
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func `every field of a platform and a server has a setting or is fixed, and every limit has a field`() {
        func fields(_ value: Any, _ prefix: String) -> Set<String> {
            Set(Mirror(reflecting: value).children.compactMap { $0.label.map { prefix + $0 } })
        }
        let pinPolicy = fields(PlatformConfiguration().pinPolicy, "platform.pinPolicy.")
        let platform = fields(PlatformConfiguration(), "platform.").subtracting([
            "platform.pinPolicy", "platform.retention",
        ])
        .union(pinPolicy).union(fields(Retention(), "platform.retention."))
        let proxies = fields(TrustedProxies(), "server.proxies.")
        let server = fields(ServerConfiguration(), "server.").subtracting([
            "server.proxies", "server.tls", "server.limits",
        ])
        .union(fields(ConnectionLimits(), "server.limits."))
        .union(proxies).union(fields(TLSFiles(), "server.tls."))
        let own = fields(InstallationConfiguration(), "").subtracting(["apns", "fcm", "webPush", "events"])
            .union(fields(InstallationConfiguration().apns, "apns."))
            .union(fields(InstallationConfiguration().fcm, "fcm."))
            .union(fields(InstallationConfiguration().webPush, "webPush."))
            .union(fields(InstallationConfiguration().events, "events."))
        let settings = Set(Setting.all.flatMap(\.fields))
        // Whether events are recorded comes with the address of their receiver. The others are fixed in the program, and
        // code that embeds the platform or the server may set them.
        let others: Set = [
            "passwordHash", "answerInterval", "waitingEvents", "recordsEvents", "challengeLifetime",
            "retention.revokedDevices", "retention.idleSources", "auditCheckpointInterval", "waitingCalls",
            "openStreams", "openStreamsPerAddress",
        ]
        #expect(platform.subtracting(settings) == Set(others.map { "platform." + $0 }))
        let fixed: Set = [
            "idleTimeout", "headerFields", "headerFieldBytes", "headerBytes", "bodyTimeout", "requestTimeout",
        ]
        #expect(server.subtracting(settings) == Set(fixed.map { "server.limits." + $0 }))
        // The path of the policy file and whether the tenant is named come with the settings of their values.
        #expect(own.subtracting(settings) == ["platform", "server", "policyFile", "isTenantNamed"])
        #expect(settings.isSubset(of: platform.union(server).union(own)))
        #expect(Set(PlatformConfiguration.limits.map { "platform.\($0.field)" }).isSubset(of: platform))
        #expect(Set(ServerConfiguration.limits.map { "server.\($0.field)" }).isSubset(of: server))
    }

    @Test func `without a source, everything is the default`() throws {
        let effective = try ConfigurationReader().read()
        #expect(effective.configuration == InstallationConfiguration())
        #expect(effective.entries.map(\.key) == Self.settings)
        #expect(effective.entries.allSatisfy { $0.place == .standard })
    }

    @Test(arguments: settings)
    func `a flag goes before a variable, a variable before the file, and the file before the default`(key: String)
        throws
    {
        let setting = try Self.setting(key)
        let values = try #require(Self.samples[key])
        let pairs = [
            "tls.certificate": ["tls.key": "/k"], "tls.key": ["tls.certificate": "/c"],
            "webhook.url": ["webhook.secret": "/s"], "webhook.secret": ["webhook.url": "https://a/"],
            "events.url": ["events.secret": "/s"], "events.secret": ["events.url": "https://a/"],
            "database-password": ["database": "postgres://h/d"],
        ]
        let pair = (pairs[key] ?? [:]).merging(Self.partners(of: key)) { $1 }
        let file = Self.file(Self.yaml(key, values[0]))
        let place = try entry(key, ConfigurationReader(flags: pair, file: file))
        #expect(place.value == values[0] && place.place.source.hasPrefix("/etc/p.yaml:"))
        #expect(try entry(key, ConfigurationReader()).value == setting.defaultText)

        let variable = [setting.environmentName: values[1]]
        let inherited = try entry(key, ConfigurationReader(flags: pair, environment: variable, file: file))
        #expect(inherited.value == values[1] && inherited.place.source == "environment \(setting.environmentName)")

        let flags = pair.merging([key: values[0]]) { $1 }
        let given = try entry(key, ConfigurationReader(flags: flags, environment: variable, file: file))
        #expect(given.value == values[0] && given.place.source == "flag \(setting.flag)")
        let overFile = try entry(
            key, ConfigurationReader(flags: pair.merging([key: values[1]]) { $1 }, file: file))
        #expect(overFile.value == values[1] && overFile.place.source == "flag \(setting.flag)")
    }

    @Test(arguments: settings)
    func `a setting changes its field and no other one`(key: String) throws {
        let values = try #require(Self.samples[key])
        // A single file of a pair is an error, so the pair is compared with itself.
        let files = key.hasPrefix("tls.") ? ["tls.certificate": "/1", "tls.key": "/2"] : [:]
        let webhook =
            key.hasPrefix("webhook.")
            ? ["webhook.url": "https://a/", "webhook.secret": "/1"]
            : key.hasPrefix("events.")
                ? ["events.url": "https://a/", "events.secret": "/1"]
                : key == "database-password" ? ["database": "postgres://a/b"] : files
        let services = key.hasPrefix("apns.") ? Self.apns : key.hasPrefix("web-push.") ? Self.webPush : [:]
        let pair = webhook.merging(services) { $1 }
        let before = try ConfigurationReader(flags: pair).read()
        let after = try ConfigurationReader(flags: pair.merging([key: values[0]]) { $1 }).read()
        #expect(before.configuration != after.configuration)
        let changed = zip(before.entries, after.entries).filter { $0.value != $1.value }.map(\.0.key)
        #expect(changed == [key])
        #expect(after.entries.first { $0.key == key }?.value == values[0])
    }

    @Test func `the names of a setting follow from its key`() throws {
        let tries = try Self.setting("pin-policy.tries")
        #expect(tries.flag == "--pin-policy-tries" && tries.environmentName == "TRUSTED_IDENTITY_PIN_POLICY_TRIES")
        #expect(Set(Setting.all.map(\.flag)).count == Setting.all.count)
        #expect(Set(Setting.all.map(\.environmentName)).count == Setting.all.count)
    }

    @Test func `paths in a file are relative to its folder, and others are not changed`() throws {
        let text = "data: ./d\npolicy: ../p.yaml\nmaster-key: file:m.key\nnext-master-key: file:/etc/n.key"
        let configuration = try ConfigurationReader(file: Self.file(text, path: "conf/p.yaml")).read().configuration
        #expect(configuration.dataFolder == "conf/./d" && configuration.policyFile == "conf/../p.yaml")
        #expect(configuration.masterKey == .file("conf/m.key") && configuration.nextMasterKey == .file("/etc/n.key"))
        let beside = try ConfigurationReader(file: Self.file(text, path: "p.yaml")).read().configuration
        #expect(beside.dataFolder == "./d")
        let apps = "fcm: {apps: 'shop=s.json,bank=/etc/b.json'}"
        let fcm = try ConfigurationReader(file: Self.file(apps, path: "conf/p.yaml")).read().configuration.fcm
        #expect(fcm.apps.map(\.description) == ["shop=conf/s.json", "bank=/etc/b.json"])
        let flags = try ConfigurationReader(flags: ["data": "./d"]).read().configuration
        #expect(flags.dataFolder == "./d")
    }

    @Test func `all problems of all sources are reported at once, each with its place`() {
        let text = "listen: nowhere\nmoed: production\npin-policy:\n  tries: 9\n"
        let found = problems(
            text, flags: ["log-level": "loud"],
            environment: ["TRUSTED_IDENTITY_CONNECTIONS": "0", "TRUSTED_IDENTITY_LISTENS": "x", "PATH": "/bin"])
        #expect(
            found == [
                "--log-level: 'loud' is not allowed here: use trace, debug, info, notice, warning, error or critical",
                "TRUSTED_IDENTITY_CONNECTIONS: '0' is outside of the limits: use 1 to 1000000",
                "TRUSTED_IDENTITY_LISTENS: unknown variable: did you mean 'TRUSTED_IDENTITY_LISTEN'?",
                "/etc/p.yaml:1:9: listen: 'nowhere' is no address: write '127.0.0.1:8080' or '[::1]:8080', for example",
                "/etc/p.yaml:2:1: unknown key 'moed': did you mean 'mode'?",
                "/etc/p.yaml:4:10: pin-policy.tries: '9' is outside of the limits: use 3 to 5",
            ])
    }

    @Test func `a value that another source goes before is checked, too`() {
        #expect(
            problems("log-level: loud", flags: ["log-level": "info"]).first?.hasPrefix("/etc/p.yaml:1:12: log-level: ")
                == true)
    }

    @Test(arguments: [
        ("", "1:1: the file is empty: write 'KEY: VALUE'"), ("- mode", "1:1: this is not a mapping"),
        ("mode: [production]", "1:7: mode: this is not a single value"), ("mode:", "1:6: mode: the value is missing"),
        (
            "pin-policy: 4",
            "1:13: this is not a mapping: write 'KEY: VALUE' with the keys minimum-length, maximum-length"
        ),
        ("tls:\n\tcertificate: /c", "2:1: this is not YAML: found character that cannot start any token"),
        ("nonsense: 4", "1:1: unknown key 'nonsense': use one of mode, data, tenant"),
        ("pin-policy.tries: 4", "1:1: unknown key 'pin-policy.tries'"),
        ("pin-policy: {try: 4}", "1:14: unknown key 'try': use one of minimum-length"),
        ("pin-policy: {trys: 4}", "1:14: unknown key 'trys': did you mean 'tries'?"),
        ("mode: production\ntenant: a\nmode: development", "3:1: the key 'mode' occurs more than once in this mapping"),
        ("pin-policy:\n  tries: 3\n  tries: 4", "3:3: the key 'tries' occurs more than once in this mapping"),
        ("mode: production\n  data: x", "2:7: this is not YAML"), ("data: &a x", "1:7: anchors and aliases are not"),
        (
            "pin-policy:\n  digits-only: yes",
            "2:16: pin-policy.digits-only: 'yes' is not allowed here: use true or false"
        ),
        (
            "trusted-proxies: 10.0.0.1/8",
            "1:18: trusted-proxies: '10.0.0.1/8' is no network: write '192.0.2.1', '10.0.0.0/8' or '2001:db8::/32'"
        ),
        ("trusted-proxies: '::1,'", "1:18: trusted-proxies: '' is no network"),
        ("tls:\n  certificate: c.pem", "2:16: tls.certificate is named and tls.key is not: TLS needs both files"),
        ("tls:\n  key: k.pem", "2:8: tls.key is named and tls.certificate is not: TLS needs both files"),
        (
            "webhook:\n  url: https://push.example/",
            "2:8: webhook.url is named and webhook.secret is not: a webhook needs webhook.url and webhook.secret"
        ),
        ("webhook:\n  secret: s", "2:11: webhook.secret is named and webhook.url is not: a webhook needs webhook.url"),
        (
            "apns:\n  key: k",
            "2:8: apns.key is named and apns.key-id, apns.team-id and apns.topic are not: APNs needs apns.key, apns.key-id"
        ),
        (
            "apns: {key: k, key-id: ABC123DEFG, team-id: DEF123GHIJ}",
            "1:13: apns.key is named and apns.topic is not: APNs needs apns.key, apns.key-id, apns.team-id and apns.topic"
        ),
        ("apns: {key-id: abc}", "1:16: apns.key-id: 'abc' is not allowed here: use none, or ten capital letters"),
        ("apns: {topic: a/b}", "1:15: apns.topic: 'a/b' is not allowed here: use none, or 1 to 155 letters"),
        (
            "web-push: {hosts: push.example}",
            "1:19: web-push.hosts is named and web-push.key and web-push.subject are not: Web Push needs web-push.key"
        ),
        (
            "apns: {apps: 'shop=b.c'}",
            "1:14: apns.apps is named and apns.key is not: further apps use the key of the first one"
        ),
        ("apns: {apps: 'Shop=b.c'}", "1:14: apns.apps: 'Shop=b.c' is no list of apps: write 'business=com"),
        ("apns: {apps: 'a=b,a=c'}", "1:14: apns.apps: 'a=b,a=c' is no list of apps"),
        ("apns: {apps: 'a=b/c'}", "1:14: apns.apps: 'a=b/c' is no list of apps"),
        ("fcm: {apps: 'a=/1,'}", "1:13: fcm.apps: 'a=/1,' is no list of apps"),
        ("fcm: {collapse-key: 'a b'}", "1:21: fcm.collapse-key: 'a b' is not allowed here: use none, or 1 to 64"),
        // Without quotes it is an alias, and no anchor can be written.
        ("web-push: {hosts: *.a.example}", "1:20: this is not YAML"),
        ("web-push: {hosts: &.a *.a}", "1:19: anchors and aliases are not supported"),
        ("web-push: {hosts: 'a.example,127.0.0.1'}", "1:19: web-push.hosts: '127.0.0.1' is no host of a push service"),
        ("web-push: {hosts: 'a.example,'}", "1:19: web-push.hosts: '' is no host of a push service"),
        ("web-push: {subject: a@b}", "1:21: web-push.subject: 'a@b' is not allowed here: use none, or mailto:"),
        ("apns: {environment: sandbox}", "1:21: apns.environment: 'sandbox' is not allowed here: use production or"),
        (
            "webhook:\n  url: http://push.example/",
            "2:8: webhook.url: 'http://push.example/' is no address of a webhook"
        ),
        ("database-connections: 3", "1:23: database-connections: '3' is outside of the limits: use 4 to 64"),
        ("database-connections: 65", "1:23: database-connections: '65' is outside of the limits: use 4 to 64"),
        ("database-connections: some", "1:23: database-connections: 'some' is no whole number: use 4 to 64"),
        ("database: mysql://h/d", "1:11: database: this is not the URI of a database: write 'postgres://role@db"),
        ("database: 'postgres://h/a b'", "1:11: database: this is not the URI of a database"),
        ("database: /var/run/postgresql", "1:11: database: this is not the URI of a database"),
        ("database: 'postgres://h/d?a%ZZ=1'", "1:11: database: this is not the URI of a database"),
        ("database-password: file:/p", "1:20: database-password: this is not the place of a password: use none or"),
        ("database-password: descriptor:1", "1:20: database-password: this is not the place of a password"),
        ("database-password: descriptor:3", "1:20: database-password is named and database is not: name both"),
        (
            "database: postgres://h/d\ndatabase-password: descriptor:3\nnext-master-key: descriptor:3",
            "2:20: database-password has the source of a master key: give the password a descriptor of its own"
        ),
        ("connections: 0", "1:14: connections: '0' is outside of the limits: use 1 to 1000000"),
        ("proxy-header: via", "1:15: proxy-header: 'via' is not allowed here: use x-forwarded-for or forwarded"),
        ("proxy-hops: 17", "1:13: proxy-hops: '17' is outside of the limits: use 1 to 16"),
        ("connections: -1", "1:14: connections: '-1' is no whole number: use 1 to 1000000"),
        ("retention: {receipts: 300}", "1:23: retention.receipts: '300' is no duration: write '90s'"),
        ("retention: {receipts: 4000d}", "1:23: retention.receipts: '4000d' is outside of the limits: use 1d to 3653d"),
        ("listen: h:65536", "1:9: listen: 'h:65536' is outside of the limits: use HOST:PORT"),
        ("management-listen: h", "1:20: management-listen: 'h' is no address: write 'none' or '127.0.0.1:9080'"),
        ("management-listen: 0.0.0.0:9080", "1:20: management-listen is beyond the loopback interface without TLS"),
        ("management-listen: 127.0.0.1.example:9080", "1:20: management-listen is beyond the loopback interface"),
        ("management-listen: 127.1:9080", "1:20: management-listen is beyond the loopback interface without TLS"),
        ("management-listen: 127.0.0.1:8080", "1:20: management-listen and listen are the same address"),
        ("default-domain: Master", "1:17: default-domain: 'Master' is outside of the limits: use 1 to 64 of a to z"),
        ("tenant: ü", "1:9: tenant: 'ü' is outside of the limits: use 1 to 64 printable ASCII"),
        (
            "pin-policy:\n  maximum-length: 5",
            "2:19: pin-policy.minimum-length 6 is above pin-policy.maximum-length 5: change one of them"
        ),
        (
            "master-key: file:/m\nnext-master-key: file:/m",
            "2:18: next-master-key has the source of the master key: give the new key a place of its own"
        ),
        ("master-key: descriptor:1", "1:13: master-key: this is no source of a key"),
        (
            "master-key: environment:TRUSTED_IDENTITY_DATA",
            "1:13: master-key cannot be in TRUSTED_IDENTITY_DATA, the variable of a setting"
        ),
    ])
    func `a problem in a file names line, column and remedy`(text: String, problem: String) {
        let found = problems(text)
        #expect(found.first?.hasPrefix("/etc/p.yaml:\(problem)") == true, "\(found)")
    }

    @Test func `a text that is longer than the limit is refused`() {
        let fits = "# " + String(repeating: "x", count: ConfigurationFile.maximumBytes - 20) + "\nmode: production"
        #expect(problems(fits) == [])
        #expect(problems(fits + "\n#####") == ["/etc/p.yaml:1:1: the file is too long: use at most 256 KiB"])
    }

    @Test func `a key instead of its source is not shown`() {
        let key = "id:" + String(repeating: "5a", count: 32)
        let found = problems(
            "next-master-key: \(key)", flags: ["master-key": key], environment: ["TRUSTED_IDENTITY_MASTER_KEY": key])
        #expect(found.count == 3)
        for problem in found { #expect(!problem.contains("5a5a") && problem.contains("this is no source of a key")) }
    }

    @Test(arguments: [
        "postgres://role:secret@h/d", "postgresql://role:@h/d", "postgres://:secret@h",
        "postgres://h/d?password=secret",
        "postgres://?password=secret", "postgres://a?b@h/d?x=1&%70assword=secret", "postgres://h/d?PASSWORD=secret",
        "postgres://h/d?sslpassword=secret",
    ])
    func `a URI with a password is refused, and is not shown`(uri: String) {
        let found = problems(
            "database: '\(uri)'", flags: ["database": uri], environment: ["TRUSTED_IDENTITY_DATABASE": uri])
        #expect(found.count == 3)
        for problem in found {
            #expect(problem.contains("the URI has a password: name its place with database-password, or put it into"))
            #expect(problem.contains("libpq's password file") && !problem.contains("secret"))
        }
    }

    @Test(arguments: [
        "postgres://", "postgres://h", "postgres://role@h:5432/d", "postgresql://h1:1,h2:2/d?target_session_attrs=any",
        "postgres:///d?host=/var/run/postgresql", "postgres://[::1]:5432/d?passfile=/p", "postgres://h/a:b@c",
    ])
    func `a URI without a password is a database`(uri: String) throws {
        #expect(try ConfigurationReader(flags: ["database": uri]).read().configuration.database == uri)
    }

    @Test func `the variable of a key may have the prefix of the settings`() throws {
        let environment = ["TRUSTED_IDENTITY_M": "x", "TRUSTED_IDENTITY_C": "y", "TRUSTED_IDENTITY_CONFIG": "/p"]
        let flags = [
            "master-key": "environment:TRUSTED_IDENTITY_M", "next-master-key": "environment:TRUSTED_IDENTITY_C",
        ]
        let effective = try ConfigurationReader(flags: flags, environment: environment).read()
        #expect(effective.configuration.masterKey == .environment("TRUSTED_IDENTITY_M"))
        #expect(problems(environment: environment).count == 2)
    }

    @Test func `the source of a key has one of four forms`() {
        for text in ["data-folder", "file:/a b", "environment:A_1", "descriptor:0", "descriptor:3"] {
            #expect(KeySource(text)?.description == text)
        }
        for text in [
            "", "file:", "/a", "file", "environment:", "environment:1A", "environment:A=B", "descriptor:",
            "descriptor:1", "descriptor:2", "descriptor:-3", "descriptor:99999", "data-folder:", "fd:3",
        ] { #expect(KeySource(text) == nil, "\(text)") }
    }
}
