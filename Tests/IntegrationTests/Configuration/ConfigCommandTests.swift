import Foundation
import TestSupport
import Testing
import TrustedIdentityServer

/// `trusted-identity config`, `serve --config` and administration with `--config`, as a user runs them.
@Suite(.enabled(if: BuiltProgram(name: "trusted-identity").isBuilt, "trusted-identity is not built"))
struct ConfigCommandTests {
    private let program = BuiltProgram(name: "trusted-identity")
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> BuiltProgram.Result {
        try await program.run(arguments, environment: environment)
    }

    @Test func `a file with three problems is refused with all of them, by each command, and nothing is made`()
        async throws
    {
        let data = folder.file("data")
        let file = try folder.write("p.yaml", "data: \(data)\nmodes: production\ntenant: a b\nconnections: many\n")
        for command in [["config", "check"], ["config", "show"], ["serve"], ["key", "list"], ["restored"]] {
            let result = try await program.run(command + ["--config", file])
            #expect(result.status == 2 && result.output == "")
            #expect(
                result.errors == """
                    \(file):2:1: unknown key 'modes': did you mean 'mode'?
                    \(file):3:9: tenant: 'a b' is outside of the limits: use 1 to 64 printable ASCII characters without spaces
                    \(file):4:14: connections: 'many' is no whole number: use 1 to 1000000
                    trusted-identity: the configuration has 3 problems
                    hint: trusted-identity config check, with the same flags and variables, checks it again

                    """)
        }
        #expect(!FileManager.default.fileExists(atPath: data))
    }

    @Test func `a flag with a problem is refused before anything is made`() async throws {
        let data = folder.file("data")
        for (value, problem) in [
            ("nowhere", "'nowhere' is no address: "), ("h:70000", "'h:70000' is outside of the limits: "),
        ] {
            let result = try await run("serve", "--data", data, "--listen", value)
            #expect(result.status == 2 && result.errors.hasPrefix("--listen: \(problem)"))
        }
        #expect(!FileManager.default.fileExists(atPath: data))
        let unnamed = try await run("serve")
        #expect(unnamed.status == 2)
        #expect(unnamed.errors.hasPrefix("trusted-identity: no data folder is named\nhint: --data names it, or the "))
    }

    @Test func `the problems of the policy file are reported in the same run`() async throws {
        let policy = try folder.write("policy.yaml", "policy: p\nlogin: x\n")
        let file = try folder.write("p.yaml", "policy: policy.yaml\nmode: none\n")
        let result = try await run("config", "check", "--config", file)
        #expect(result.status == 2)
        #expect(result.errors.contains("\(file):2:7: mode: 'none' is not allowed here"))
        #expect(result.errors.contains("\(folder.path)/policy.yaml:2:1: unknown key 'login'"))
        #expect(policy == folder.path + "/policy.yaml")
        let alone = try await run("config", "check", "--policy", policy)
        #expect(alone.status == 2 && alone.errors.contains("trusted-identity: the policy file has 1 problem\n"))
    }

    @Test func `a file that cannot be read is an error`() async throws {
        let missing = folder.file("none")
        let result = try await run("config", "check", "--config", missing)
        #expect(result.status == 2)
        #expect(result.errors == "trusted-identity: cannot open \(missing): no such file or directory\n")
        let variable = try await run("config", "check", environment: ["TRUSTED_IDENTITY_CONFIG": missing])
        #expect(variable.errors == result.errors)
        let directory = try await run("config", "check", "--config", folder.path)
        #expect(directory.status == 2 && directory.errors.hasPrefix("trusted-identity: cannot read \(folder.path): "))
        let long = try folder.write("long", String(repeating: "#", count: 256 * 1024 + 1))
        let tooLong = try await run("config", "check", "--config", long)
        #expect(tooLong.status == 2 && tooLong.errors == "trusted-identity: \(long) is longer than 262144 bytes\n")
        let binary = folder.file("binary")
        try Data([0xFF, 0xFE, 0x00]).write(to: URL(fileURLWithPath: binary))
        #expect(try await run("config", "check", "--config", binary).errors.contains("is not UTF-8"))
    }

    @Test func `each setting is shown with its value and its source`() async throws {
        let file = try folder.write("p.yaml", "mode: production\ndata: d\npin-policy:\n  tries: 3\n")
        let environment = ["TRUSTED_IDENTITY_CONFIG": file, "TRUSTED_IDENTITY_LISTEN": "[::1]:0"]
        let result = try await run("config", "show", "--pin-policy-digits-only", "false", environment: environment)
        #expect(result.status == 0, "\(result.errors)")
        let rows = result.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows.map(\.first) == Setting.all.map(\.key))
        for row in [
            ["mode", "production", "\(file):1"], ["data", "\(folder.path)/d", "\(file):2"],
            ["tenant", "default", "default"], ["policy", "-", "default"],
            ["listen", "[::1]:0", "environment", "TRUSTED_IDENTITY_LISTEN"],
            ["pin-policy.digits-only", "false", "flag", "--pin-policy-digits-only"],
            ["pin-policy.tries", "3", "\(file):4"],
            ["master-key", "data-folder", "default"],
        ] { #expect(rows.contains(row), "\(row)") }
        let json = try await program.run(
            ["config", "show", "--json", "--connections=7"], environment: environment)
        let objects = try #require(try json.json() as? [[String: String]])
        #expect(objects.count == Setting.all.count)
        #expect(
            objects.last { $0["key"] == "connections" } == [
                "key": "connections", "value": "7", "source": "flag --connections",
            ])
        #expect(objects.first { $0["key"] == "policy" } == ["key": "policy", "source": "default"])
    }

    @Test func `the help of serve has a flag for each setting`() async throws {
        let help = try await run("serve", "--help").output
        for setting in Setting.all { #expect(help.contains(setting.flag + " ") || help.contains(setting.flag + "/")) }
        #expect(help.contains("--config "))
    }

    @Test(
        arguments: [
            (["--listn", "h:1"], "unknown option '--listn': did you mean '--listen'?"),
            (["--waiting-calls", "7"], "unknown option '--waiting-calls': use one of --mode"),
            (["--listen"], "missing value for '--listen'"), (["now"], "unexpected argument 'now'"),
        ] as [([String], String)])
    func `a flag that is no setting is refused`(arguments: [String], problem: String) async throws {
        let result = try await program.run(["config", "check"] + arguments)
        #expect(result.status == 2 && result.errors.hasPrefix("trusted-identity: \(problem)"), "\(result.errors)")
    }

    @Test(
        arguments: [
            (["--tls-certificate", "/none.pem", "--tls-key", "/none.key"], "/none.pem has no certificate in PEM"),
            (
                ["--webhook-url", "https://push.example/", "--webhook-secret", "/none"],
                "the file /none of webhook.secret is missing"
            ),
            (
                ["--events-url", "https://push.example/", "--events-secret", "/none"],
                "the file /none of events.secret is missing"
            ),
        ] as [([String], String)])
    func `a file that serve could not use is found`(arguments: [String], problem: String) async throws {
        let result = try await program.run(["config", "check"] + arguments)
        #expect(result.status != 0 && result.output.isEmpty)
        #expect(result.errors.hasPrefix("trusted-identity: ") && result.errors.contains(problem), "\(result.errors)")
    }

    @Test func `keys are shown as their places, and a key instead of a source is not shown`() async throws {
        let key = "id:" + String(repeating: "5a", count: 32)
        let shown = try await run(
            "config", "show", "--master-key", "environment:MASTER", environment: ["MASTER": key])
        #expect(shown.status == 0 && shown.output.contains("environment:MASTER") && !shown.output.contains("5a5a"))
        let mistaken = try await run("config", "check", environment: ["TRUSTED_IDENTITY_MASTER_KEY": key])
        #expect(mistaken.status == 2 && mistaken.errors.hasPrefix("TRUSTED_IDENTITY_MASTER_KEY: this is no source"))
        #expect(!mistaken.errors.contains("5a5a"))
    }

    @Test func `the template is valid, and has every setting with its default`() async throws {
        let text = try await run("config", "template").output
        let path = try folder.write("template.yaml", text)
        let checked = try await run("config", "check", "--config", path)
        #expect(checked.status == 0 && checked.output == "valid\n" && checked.errors == "")
        #expect(text.contains("\n# data: PATH\n") && text.contains("\n# policy: PATH\n"))
        let effective = try ConfigurationReader(file: ConfigurationFile(path: path, text: text)).read()
        for (entry, setting) in zip(effective.entries, Setting.all) {
            #expect(entry.value == setting.defaultText)
            let isNamed = entry.place.source.hasPrefix(path + ":")
            #expect(isNamed == !["data", "policy"].contains(entry.key), "\(entry.key)")
        }
    }

    @Test func `a server and its administration use one file`() async throws {
        // With a short path, because the path of the socket in it has a low limit.
        let data = FileManager.default.temporaryDirectory.appending(path: "tc-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: data) }
        let file = try folder.write(
            "p.yaml", "data: \(data)\ntenant: bank\nlisten: 127.0.0.1:1\ndefault-domain: shop\nlog-level: error\n")
        let server = try program.start(
            ["serve", "--config", file], environment: ["TRUSTED_IDENTITY_LISTEN": "localhost:0"])
        let address = try await server.address()
        #expect(address.host == "localhost" && address.port != 1)
        let running = try await run("user", "show", "alice", "--config", file)
        #expect(running.status == 3 && running.errors.contains("there is no such user"))
        server.signal(SIGTERM)
        let result = await server.result()
        #expect(result.status == 0 && !result.errors.contains("listening"))
        #expect(try String(contentsOfFile: data + "/tenant", encoding: .utf8) == "bank\n")
        let stopped = try await run("key", "list", environment: ["TRUSTED_IDENTITY_CONFIG": file])
        #expect(stopped.status == 0 && stopped.output.contains("no keys") || stopped.output == "", "\(stopped)")
        let shown = try await run("config", "show", "--data", data)
        #expect(shown.output.contains("\(data)/tenant"))
        let other = try await run("key", "list", "--data", data, environment: ["TRUSTED_IDENTITY_TENANT": "shop"])
        #expect(other.status == 6 && other.errors.contains("the folder belongs to another tenant"))
    }
}
