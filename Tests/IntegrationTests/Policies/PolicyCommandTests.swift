import Foundation
import TestSupport
import Testing
import TrustedIdentityServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `trusted-identity policy` and `serve --policy`, as a user runs them.
@Suite(.enabled(if: BuiltProgram(name: "trusted-identity").isBuilt, "trusted-identity is not built"))
struct PolicyCommandTests {
    private let program = BuiltProgram(name: "trusted-identity")
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func explain(_ body: String, _ options: String...) async throws -> BuiltProgram.Result {
        try await program.run(["policy", "explain"] + options + [try folder.write("body.json", body)])
    }

    @Test func `a file without a problem is summed up`() async throws {
        let file = try folder.write("policy.yaml", PolicyFile.standard)
        let result = try await program.run(["policy", "check", file])
        #expect(result.status == 0 && result.errors == "")
        #expect(
            result.output == """
                policy             default
                login rules        1
                transaction rules  8
                event rules        those of logins

                """)
        let json = try await program.run(["policy", "check", file, "--json"])
        #expect(json.output == #"{"logins":1,"policy":"default","transactions":8}"# + "\n")
    }

    @Test func `each problem is printed with its place, and the exit code is that of wrong input`() async throws {
        let file = try folder.write("policy.yaml", "policy: p\nlogin: x\ncodes: {methods: voice}\n")
        for arguments in [["policy", "check", file], ["serve", "--data", folder.file("none"), "--policy", file]] {
            let result = try await program.run(arguments)
            #expect(result.status == 2 && result.output == "")
            let lines = result.errors.split(separator: "\n")
            #expect(lines.count == 4)
            #expect(lines.first?.hasPrefix("\(file):2:1: unknown key 'login': did you mean 'logins'?") == true)
            #expect(
                lines.dropFirst().first?.hasPrefix("\(file):3:18: 'voice' is not allowed here: use one of ") == true)
            #expect(lines.dropFirst(2).first == "trusted-identity: the policy file has 2 problems")
        }
        // The server has made nothing.
        #expect(!FileManager.default.fileExists(atPath: folder.file("none")))
    }

    @Test func `a rule that reads unknown device data is a warning with its place, and the file is accepted`()
        async throws
    {
        let file = try folder.write(
            "policy.yaml",
            """
            policy: data
            logins:
            - rule: rooted
              when:
                source: known
                device-data:
                  rooted: "true"
                  os: linux
                  networkInterfaces: tunnel
              then: refuse
            - rule: rest
              then: {method: password}
            """)
        let result = try await program.run(["policy", "check", file])
        #expect(result.status == 0 && result.output.hasPrefix("policy             data\n"))
        func warning(_ place: String, _ key: String) -> String {
            "\(file):\(place): warning: no device data that a policy reads has the name '\(key)', so that its value is never "
                + "known: see the article 'Device data' for the names\n"
        }
        #expect(result.errors == warning("8:7", "os") + warning("9:7", "networkInterfaces"))
        let explained = try await explain(#"{"objectType":"LoginInput"}"#, "--policy", file, "--json")
        #expect(explained.object["rule"] as? String == "rest" && explained.errors == result.errors)
    }

    @Test func `a file that cannot be read is an error`() async throws {
        let missing = try await program.run(["policy", "check", folder.file("none")])
        #expect(missing.status == 2)
        #expect(missing.errors == "trusted-identity: cannot open \(folder.file("none")): no such file or directory\n")
        let directory = try await program.run(["policy", "check", folder.path])
        #expect(directory.status == 2 && directory.errors.hasPrefix("trusted-identity: cannot read "))
        let long = try folder.write("long", String(repeating: "#", count: 70_000))
        #expect(try await program.run(["policy", "check", long]).errors.contains("is longer than 65536 bytes"))
        let binary = folder.file("binary")
        try Data([0xFF, 0xFE, 0x00]).write(to: URL(fileURLWithPath: binary))
        #expect(try await program.run(["policy", "check", binary]).errors.contains("is not UTF-8"))
    }

    @Test func `a login is explained, with and without numbers`() async throws {
        let login = #"{"objectType":"LoginInput"}"#
        let hidden = try await explain(login)
        #expect(hidden.status == 0, "\(hidden.errors)")
        #expect(
            hidden.output == """
                policy     default
                rule       remote login
                outcome    challenge
                method     password
                number     none: the site shows no numbers
                rejection  possession
                fallbacks  none
                push       allowed
                risk code  22

                """)
        let shown = try await explain(login, "--shows-numbers", "--json").object
        #expect(shown["rule"] as? String == "remote login" && shown["digits"] as? Int == 6)
        #expect(shown["number"] as? String == "required" && shown["riskResponseCode"] as? Int == 22)
        let strict = try await explain(login, "--shows-numbers", "--rejections", "3", "--json").object
        #expect(strict["outcome"] as? String == "refuse" && strict["reason"] as? String == "unknownSource")
        let trusted = try await explain(login, "--shows-numbers", "--not-me", "--known-source", "--json").object
        #expect(trusted["rule"] as? String == "strict" && trusted["pushes"] as? String == "muted")
    }

    @Test func `transactions, events and typed credentials are explained`() async throws {
        let payment = #""objectType":"AdaptiveTransactionValidationInput","amount":"25.00","currency":"EUR""#
        func rule(_ body: String, _ options: [String] = []) async throws -> String {
            let file = try folder.write("body.json", body)
            let result = try await program.run(["policy", "explain", "--json"] + options + [file])
            #expect(result.status == 0, "\(result.errors)")
            let object = result.object
            return [object["rule"], object["outcome"], object["method"] ?? object["reason"]]
                .compactMap { $0 as? String }.joined(separator: ": ")
        }
        #expect(try await rule("{\(payment)}") == "unnamed creditor: challenge: password")
        #expect(try await rule(#"{"objectType":"TransactionInput"}"#) == "unknown amount: challenge: password")
        let creditor = #"{\#(payment),"creditorIBAN":"DE89370400440532013000"}"#
        #expect(
            try await rule(creditor, ["--known-creditor", "--small-payments", "5"])
                == "transaction: challenge: password")
        #expect(
            try await rule(creditor, ["--known-creditor", "--small-payments", "4", "--small-sum", "100 EUR"])
                == "transaction: challenge: password")
        for text in [
            #""dataToDisplay":"Amount: 1,000,000.00 EUR""#,
            #""data":{"transactionMessage":{"dataFields":[{"key":{"text":"Payee"},"value":{"text":"Mallory"}}]}}"#,
        ] {
            let body = #"{\#(payment),"creditorName":"ACME",\#(text)}"#
            #expect(try await rule(body, ["--known-creditor"]) == "free text: challenge: password")
        }
        let typed = #"{\#(payment),"dataToDisplay":[{"type":"creditor","value":"ACME"}]}"#
        #expect(try await rule(typed, ["--known-creditor"]) == "small amount: challenge: possession")
        let misnamed = #"{\#(payment),"creditorName":"DE89 3704 0044 0532 0130 00"}"#
        #expect(try await rule(misnamed, ["--known-creditor"]) == "new creditor: challenge: password")
        #expect(try await rule(creditor) == "new creditor: challenge: password")
        #expect(try await rule(creditor, ["--known-creditor"]) == "small amount: challenge: possession")
        #expect(try await rule(#"{\#(payment),"data":{"standard":{}}}"#) == "unnamed creditor: accept")
        #expect(
            try await rule(#"{"objectType":"LoginInput","eventType":"change"}"#) == "remote login: challenge: password")
        let code = #"{"objectType":"LoginInput","credentials":{"authenticator":{"OTP":"12345678"}}}"#
        #expect(try await rule(code) == "remote login: accept")
        #expect(
            try await rule(code, ["--code-method", "possession"]) == "remote login: refuse: methodNotAllowed")
        #expect(
            try await rule(#"{"objectType":"LoginInput","credentials":{"passKey":"x"}}"#) == "remote login: accept")
    }

    @Test func `the age of the device is an option`() async throws {
        let file = try folder.write(
            "policy.yaml",
            """
            policy: shop
            logins:
            - rule: fresh
              when: {device-younger-than: 1d}
              then: refuse
            - rule: rest
              then: {method: password}
            """)
        func rule(_ options: String...) async throws -> String? {
            let arguments = ["--policy", file, "--json"] + options
            let body = try folder.write("body.json", #"{"objectType":"LoginInput"}"#)
            return try await program.run(["policy", "explain"] + arguments + [body]).object["rule"] as? String
        }
        #expect(try await rule("--device-age", "0s") == "fresh")
        #expect(try await rule("--device-age", "23h") == "fresh")
        #expect(try await rule("--device-age", "24h") == "rest")
        #expect(try await rule() == "rest")
        for age in ["1", "d", "-1d", "1w", "1.5h", "1234567890s", ""] {
            let body = try folder.write("body.json", #"{"objectType":"LoginInput"}"#)
            let result = try await program.run(["policy", "explain", "--device-age=\(age)", body])
            #expect(result.status == 2 && result.errors.contains("--device-age"), "\(age): \(result.errors)")
        }
    }

    @Test func `the help of policy explain names the method that is used without an option`() async throws {
        let help = try await program.run(["policy", "explain", "--help"]).output
        #expect(help.contains("password without this") && !help.contains("default: 1)"), "\(help)")
    }

    @Test func `a policy file decides instead of the default`() async throws {
        let file = try folder.write(
            "policy.yaml",
            """
            policy: office
            logins:
            - rule: outside
              when: {address-outside: 192.0.2.0/24}
              then: refuse
            - rule: inside
              then: {method: possession}
            """)
        func rule(_ address: String) async throws -> String? {
            let body = #"{"objectType":"LoginInput","clientIP":"\#(address)"}"#
            return try await explain(body, "--policy", file, "--json").object["rule"] as? String
        }
        #expect(try await rule("192.0.2.7") == "inside")
        #expect(try await rule("198.51.100.1") == "outside")
        #expect(try await rule("unknown") == "outside")
    }

    @Test(arguments: [
        ("", "body is not JSON: line 1, column 1: there is no JSON value"), ("{}", "objectType is required"),
        (#"{"objectType":"Nonsense"}"#, "objectType must be one of"),
        (#"{"objectType":"TransactionInput","amount":"1e5","currency":"EUR"}"#, "amount must be a decimal number"),
        (#"{"objectType":"TransactionInput","amount":"-1","currency":"EUR"}"#, "amount must be a decimal number"),
        (#"{"objectType":"TransactionInput","amount":"1.234","currency":"EUR"}"#, "amount must not have more decimal"),
        (#"{"objectType":"TransactionInput","amount":"1","currency":"XXX"}"#, "currency must be a code of ISO 4217"),
        (#"{"objectType":"TransactionInput","amount":"1"}"#, "currency must be present"),
        (#"{"objectType":"TransactionInput","amount":1}"#, "currency must be present"),
        (#"{"objectType":"TransactionInput","amount":[1]}"#, "amount must be"),
    ])
    func `a body that is no request is refused`(body: String, problem: String) async throws {
        let result = try await explain(body)
        #expect(result.status == 2 && result.output == "")
        #expect(result.errors.hasPrefix("trusted-identity: the body is not a request: \(problem)"), "\(result.errors)")
    }

    @Test func `a server decides by its policy file`() async throws {
        let file = try folder.write("policy.yaml", "policy: codes\ncodes: {applications: app2}\n")
        // With a short name, because the path of the socket in it has a low limit.
        let data = FileManager.default.temporaryDirectory.appending(path: "tp-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: data) }
        let server = try program.start(["serve", "--data", data, "--listen", "127.0.0.1:0", "--policy", file])
        let address = try await server.address()
        let made = try await program.run(["key", "create", "--data", data, "--scope", "admin", "--name", "ops"])
        let key = made.output.dropLast()
        func reason(_ application: Int) async throws -> String? {
            var request = URLRequest(url: address.appending(path: "v1/users/alice@master/login"))
            request.httpMethod = "POST"
            request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
            request.httpBody = Data(
                """
                {"objectType":"LoginInput",
                 "credentials":{"authenticator":{"OTP":"12345678","application":\(application)}}}
                """.utf8)
            let (data, _) = try await URLSession.shared.data(for: request)
            return (try JSONSerialization.jsonObject(with: data) as? [String: Any])?["declineReason"] as? String
        }
        #expect(try await reason(1) == "applicationNotAllowed")
        #expect(try await reason(2) == "unknownAccount")
        server.signal(SIGTERM)
        #expect(await server.result().status == 0)
    }
}
