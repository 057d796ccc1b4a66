import Foundation
import Primitives
import TestSupport
import Testing
import TrustedIdentity

/// The command-line authenticator, as its users run it.
@Suite struct AuthenticatorTests {
    static let password = "482915\n"
    let folder: TemporaryFolder
    let program = BuiltProgram(name: "authenticator")

    init() throws {
        folder = try TemporaryFolder()
    }

    private var store: [String] { ["--store", folder.file("store")] }

    /// Runs the program on this test's store.
    private func run(_ arguments: [String], descriptors: [Int: String] = [:]) async throws -> BuiltProgram.Result {
        try await program.run(arguments + store, descriptors: descriptors)
    }

    @Test func `a device is activated, used and deleted`() async throws {
        try await LivePlatform.running(in: folder) { live in
            let platform = ["--platform", live.address.absoluteString, "--json"]
            let code = try await live.register("alice")
            let activated = try await run(
                ["activate", "alice", "--activation-password-fd", "3", "--password-fd", "4"] + platform,
                descriptors: [3: code + "\n", 4: Self.password])
            #expect(activated.status == 0, "\(activated.errors)")
            let user = try #require(activated.json() as? [String: Any])
            #expect(user["user"] as? String == "alice@master")
            #expect(user["state"] as? String == "ready")
            #expect((user["serialNumbers"] as? [String])?.count == 2)

            #expect(try await run(["register-notifications", "alice"] + platform).status == 0)
            for wrong in [["--identifier", "0a"], ["--kind", "fcm"], ["--app", "shop"]] {
                #expect(try await run(["register-notifications", "alice"] + wrong + platform).status == 2)
            }

            let made = try await run(
                ["otp", "alice", "--password-fd", "3"] + platform, descriptors: [3: Self.password])
            #expect(made.status == 0, "\(made.errors)")
            let fields = try #require(made.json() as? [String: Any])
            let oneTimePassword = try #require(fields["oneTimePassword"] as? String)
            #expect(oneTimePassword.count == 8)
            #expect(Int(oneTimePassword) != nil)
            #expect((1...30).contains(fields["expiresIn"] as? Int ?? 0))
            let login = try await live.logIn("alice", code: oneTimePassword)
            #expect(login.status == "accepted")
            #expect(login.hostCode != nil && login.hostCode == fields["hostCode"] as? String)

            let synchronized = try await run(["synchronize", "alice"] + platform)
            #expect(synchronized.status == 0, "\(synchronized.errors)")
            let limits = try #require(synchronized.json() as? [String: Any])
            #expect(limits["remainingTries"] as? Int == 5)
            #expect(limits["devices"] as? Int == 1 && limits["maximumDevices"] as? Int == 5)

            let users = try await run(["users", "--json"])
            #expect((try users.json() as? [[String: Any]])?.map { $0["user"] as? String } == ["alice@master"])
            let shown = try await run(["users", "show", "alice", "--json"])
            #expect((try shown.json() as? [String: Any])?["state"] as? String == "ready")

            #expect(try await run(["users", "delete", "alice"] + platform).status == 0)
            #expect(try await run(["users"]).output == "No users.\n")
        }
    }

    @Test func `a store keeps the platform of its activations, and an option wins`() async throws {
        try await LivePlatform.running(in: folder) { live in
            @discardableResult func activate(_ user: String, at platform: String) async throws -> String {
                let code = try await live.register(user)
                let activated = try await run(
                    ["activate", user, "--platform", platform, "--activation-password-fd", "3", "--password-fd", "4"],
                    descriptors: [3: code, 4: Self.password])
                #expect(activated.status == 0, "\(activated.errors)")
                return activated.errors
            }
            func isSynchronized(_ user: String, _ options: [String] = []) async throws -> Bool {
                let made = try await run(["otp", user, "--method", "possession"] + options)
                #expect(made.status == 0, "\(made.errors)")
                return !made.errors.contains("was not synchronized")
            }
            let (first, second) = (live.address.absoluteString, live.address.absoluteString + "/")
            try await activate("alice", at: first)
            #expect(try await isSynchronized("alice"))
            #expect(try await !isSynchronized("alice", Self.down))

            // Both addresses are of one platform. A second user does not change which one the store keeps.
            let note = try await activate("bob", at: second)
            #expect(note.contains("note: the store keeps the platform \(first);"), "\(note)")
            #expect(try await isSynchronized("alice"))
            #expect(try await isSynchronized("bob", ["--platform", second]))

            // A store without users keeps the platform of the next one, also where its activation is interrupted.
            for user in ["alice", "bob"] { #expect(try await run(["users", "delete", user]).status == 0) }
            let interrupted = try await run(
                ["activate", "carol", "--activation-password-fd", "3", "--password-fd", "4"] + Self.down,
                descriptors: [3: live.register("carol"), 4: Self.password])
            #expect(interrupted.status == 5)
            let kept = try String(contentsOfFile: folder.file("store") + "/platform", encoding: .utf8)
            #expect(kept == Self.down[1] + "\n")
            try await activate("dora", at: second)
            #expect(try await isSynchronized("dora"))
        }
    }

    @Test func `a method is enrolled with software keys, counts as possession, and is removed`() async throws {
        try await LivePlatform.running(in: folder) { live in
            try await activate(live)
            let platform = ["--platform", live.address.absoluteString]
            let enrolled = try await run(
                ["enroll", "alice", "biometric", "--password-fd", "3"] + platform, descriptors: [3: Self.password])
            #expect(enrolled.status == 0, "\(enrolled.errors)")
            #expect(enrolled.output == "alice@master has enrolled biometric, without a check of a person.\n")
            let made = try await run(["otp", "alice", "--method", "biometric", "--json"] + platform)
            #expect(made.status == 0, "\(made.errors)")
            let code = try #require((try made.json() as? [String: Any])?["oneTimePassword"] as? String)
            let login = try await live.logIn("alice", code: code)
            #expect(login.status == "refused")
            let removed = try await run(["remove-method", "alice", "biometric"] + platform)
            #expect(removed.status == 0, "\(removed.errors)")
            #expect(removed.output == "alice@master has removed biometric.\n")
            let everywhere = try await run(
                ["remove-method", "alice", "biometric", "--everywhere", "--password-fd", "3"] + platform,
                descriptors: [3: Self.password])
            #expect(everywhere.status == 0, "\(everywhere.errors)")
            #expect(everywhere.output == "alice@master has removed biometric on all devices.\n")
            let password = try await run(
                ["otp", "alice", "--method", "biometric", "--password-fd", "3", "--json"] + platform,
                descriptors: [3: Self.password])
            #expect(password.status == 0 && password.errors.contains("password is used instead"), "\(password.errors)")
        }
    }

    @Test func `a password is changed, and a wrong present one is refused`() async throws {
        try await LivePlatform.running(in: folder) { live in
            try await activate(live)
            let change =
                ["change-password", "alice", "--password-fd", "3", "--platform", live.address.absoluteString]
            let wrong = try await run(change, descriptors: [3: "739152\n739164\n"])
            #expect(wrong.status == 3 && wrong.output.isEmpty)
            let same = try await run(change, descriptors: [3: Self.password + Self.password])
            #expect(same.status == 2 && same.errors.contains("current password"), "\(same.errors)")
            let changed = try await run(change, descriptors: [3: Self.password + "739164\n"])
            #expect(changed.status == 0, "\(changed.errors)")
            #expect(changed.output == "The password of alice@master is changed.\n")
            #expect(changed.errors == "passwordChange 1/2\npasswordChange 2/2\n")
            for (password, status) in [(Self.password, "failed"), ("739164\n", "accepted")] {
                let made = try await run(
                    ["otp", "alice", "--password-fd", "3", "--json", "--platform", live.address.absoluteString],
                    descriptors: [3: password])
                let code = try #require((try made.json() as? [String: Any])?["oneTimePassword"] as? String)
                let login = try await live.logIn("alice", code: code)
                #expect(login.status == status)
            }
            let back = try await run(change + ["--json"], descriptors: [3: "739164\n" + Self.password])
            #expect((try back.json() as? [String: Any])?["user"] as? String == "alice@master")
        }
    }

    @Test func `a device that wrong passwords have locked is unlocked, and a mistyped code is found before`()
        async throws
    {
        try await LivePlatform.running(in: folder) { live in
            try await activate(live)
            let platform = ["--platform", live.address.absoluteString]
            let wrong = ["change-password", "alice", "--password-fd", "3"] + platform
            for _ in 1...4 { #expect(try await run(wrong, descriptors: [3: "739152\n"]).status == 3) }
            let locked = try await run(wrong, descriptors: [3: "739152\n"])
            #expect(locked.status == 3 && locked.errors.contains("ask for an unlock code"), "\(locked.errors)")
            #expect(locked.errors.hasSuffix("\ncode: userLocked (409)\n"))
            let unlock = ["unlock", "alice", "--unlock-code-fd", "3", "--password-fd", "4"] + platform
            let mistyped = try await run(unlock, descriptors: [3: "2B7", 4: "739164\n"])
            #expect(
                mistyped.status == 2 && mistyped.errors.contains("unlock code has 12 characters"), "\(mistyped.errors)")
            let code = try await live.issueUnlockCode("alice")
            let unlocked = try await run(unlock, descriptors: [3: code + "\n", 4: "739164\n"])
            #expect(unlocked.status == 0, "\(unlocked.errors)")
            #expect(unlocked.output == "alice@master is unlocked on this device.\n")
            // The wrong passwords are reported with the first step.
            #expect(unlocked.errors.hasPrefix("unlock 1/2\nwarning: "), "\(unlocked.errors)")
            #expect(unlocked.errors.hasSuffix("\nunlock 2/2\n"), "\(unlocked.errors)")
            let used = try await run(unlock, descriptors: [3: code, 4: "739164\n"])
            #expect(used.status == 3 && used.errors.hasSuffix("\ncode: unlockCodeRefused (618)\n"), "\(used.errors)")
            let made = try await run(
                ["otp", "alice", "--password-fd", "3", "--json"] + platform, descriptors: [3: "739164\n"])
            let password = try #require((try made.json() as? [String: Any])?["oneTimePassword"] as? String)
            let login = try await live.logIn("alice", code: password)
            #expect(login.status == "accepted")
        }
    }

    @Test func `a user moves to another store, and the first one is revoked`() async throws {
        try await LivePlatform.running(in: folder) { live in
            try await activate(live)
            let platform = ["--platform", live.address.absoluteString, "--json"]
            let moved = try await run(
                ["move", "alice", "--password-fd", "3"] + platform, descriptors: [3: Self.password])
            #expect(moved.status == 0 && moved.errors == "move 1/1\n", "\(moved.errors)")
            let move = try #require(try moved.json() as? [String: Any])
            #expect((move["expiresAt"] as? String)?.hasSuffix("Z") == true)
            let code = try #require(move["activationPassword"] as? String)
            let activated = try await program.run(
                ["activate", "alice", "--activation-password-fd", "3", "--password-fd", "4"] + platform
                    + ["--store", folder.file("other")],
                descriptors: [3: code + "\n", 4: "739164\n"])
            #expect(activated.status == 0, "\(activated.errors)")
            let refused = try await run(
                ["change-password", "alice", "--password-fd", "3"] + platform, descriptors: [3: Self.password])
            #expect(refused.status == 3 && refused.errors.contains("revoked"), "\(refused.errors)")
        }
    }

    @Test func `a link of another kind, of another platform or without a secret is refused`() async throws {
        let link =
            "swift-orchestration:activate?at=https://id.example&tenant=37a8eec1ce19687d&user=alice@master&handle=7Q2"
        let secret = ["--activation-password-fd", "3", "--password-fd", "4"]
        let descriptors = [3: "A-BCDE-FGHJ\n", 4: Self.password]
        let altered = try await run(["activate", link + "&x"] + secret, descriptors: descriptors)
        #expect(altered.status == 2 && altered.errors.contains("was altered"), "\(altered.errors)")
        let elsewhere = try await run(
            ["activate", link, "--platform", "https://other.example"] + secret, descriptors: descriptors)
        #expect(elsewhere.status == 2 && elsewhere.errors.contains("https://id.example"), "\(elsewhere.errors)")
        let tenant = try await run(["activate", link, "--tenant", "bank"] + secret, descriptors: descriptors)
        #expect(tenant.status == 2 && tenant.errors.contains("alice@master"), "\(tenant.errors)")
    }

    @Test func `transcripts are appended to a file, also of a flow that failed, and shown as a table`() async throws {
        let file = folder.file("support.jsonl")
        try await LivePlatform.running(in: folder) { live in
            try await activate(live)
            let platform = ["--platform", live.address.absoluteString, "--transcript", file]
            let made = try await run(
                ["otp", "alice", "--password-fd", "3"] + platform, descriptors: [3: Self.password])
            #expect(made.status == 0, "\(made.errors)")
        }
        let failed = try await run([
            "register-notifications", "alice", "--platform", "http://127.0.0.1:1", "--transcript", file,
        ])
        #expect(failed.status == 5)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let table = try await program.run(["transcript", file])
        #expect(table.status == 0)
        for text in [
            "flow            oneTimePassword", "event     oneTimePasswordReady",
            "end       succeeded: oneTimePasswordMade",
            "flow            notificationRegistration", "transport: unreachable",
        ] { #expect(table.output.contains(text), "\(text)") }
        let json = try await program.run(["transcript", file, "--json"])
        let transcripts = try #require(json.json() as? [[String: Any]])
        #expect(transcripts.map { $0["flow"] as? String } == ["oneTimePassword", "notificationRegistration"])
        for text in [table.output, json.output] { #expect(!text.contains("alice") && !text.contains("482915")) }

        let noted = try String(contentsOfFile: file, encoding: .utf8) + "{\"flow\":1}\n"
        try noted.write(toFile: file, atomically: false, encoding: .utf8)
        let damaged = try await program.run(["transcript", file])
        #expect(damaged.status == 1 && damaged.errors.contains("line 3 of"))
        #expect(try await program.run(["transcript", folder.file("none")]).status == 1)
        let unwritable = try await run(["otp", "alice", "--transcript", folder.file("none/x")])
        #expect(unwritable.status == 2 && unwritable.errors.contains("of --transcript is not a file of this user"))
    }

    @Test func `without a terminal, a keypad is an error that says so`() async throws {
        try await LivePlatform.running(in: folder) { live in
            try await activate(live)
            let platform = ["--platform", live.address.absoluteString]
            let made = try await run(["otp", "alice", "--keypad"] + platform)
            #expect(made.status == 2 && made.errors.contains("there is no terminal"))
            let both = try await run(
                ["otp", "alice", "--keypad", "--password-fd", "3"] + platform, descriptors: [3: Self.password])
            #expect(both.status == 2 && both.errors.contains("leave out --password-fd"))
        }
    }

    @Test func `watch prints the events of an account, and ends when the device is revoked`() async throws {
        try await LivePlatform.running(in: folder) { live in
            try await activate(live)
            let account = try AccountName(userID: "alice", domain: "master")
            let report = try #require(try await live.platform.account(account))
            try await live.platform.revokeDevice(report.devices[0].id, of: account)
            let watch = ["watch", "alice", "--platform", live.address.absoluteString]
            let watched = try await run(watch + ["--json"])
            #expect(watched.status == 3 && watched.errors.contains("code: revoked (609)"), "\(watched.errors)")
            #expect(watched.output == #"{"event":"loaded","state":"ready"}"# + "\n" + #"{"event":"deleted"}"# + "\n")
            let again = try await run(watch)
            #expect(again.status == 3 && again.output == "loaded deleted\n")
            #expect(try await run(watch + ["--interval", "0"]).status == 2)
        }
    }

    @Test func `a transaction is signed, and a challenge answered`() async throws {
        try await LivePlatform.running(in: folder) { live in
            let platform = ["--platform", live.address.absoluteString]
            try await activate(live)
            let account = try AccountName(userID: "alice", domain: "master")
            let sign =
                ["sign", "alice", "--password-fd", "3", "--field", "Amount=10 EUR", "--field", "=a=b"] + platform
            let made = try await run(sign + ["--json"], descriptors: [3: Self.password])
            #expect(made.status == 0, "\(made.errors)")
            let json = try #require(made.json() as? [String: Any])
            let fields = try #require(json["fields"] as? [[String: String]])
            #expect(fields == [["label": "Amount", "value": "10 EUR"], ["value": "a=b"]])
            let signed = [DataField(label: "Amount", value: "10 EUR"), DataField(value: "a=b")]
            func decide(_ signature: String) async throws -> LoginDecision {
                try await live.platform.validate(
                    LocalTransaction(account: account, fields: signed, signature: signature))
            }
            let accepted = try await decide(try #require(json["signature"] as? String))
            #expect(accepted.status == .accepted && accepted.hostCode == json["hostCode"] as? String)

            let text = try await run(sign, descriptors: [3: Self.password])
            let lines = text.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.prefix(4) == ["   label   value", "1  Amount  10 EUR", "2          a=b", ""])
            #expect(lines.dropFirst(4).map { $0.prefix(9) } == ["signature", "host code", "valid    ", ""])
            let second = try #require(lines.dropFirst(4).first?.split(separator: " ").last)
            #expect(try await decide(String(second)).status == .accepted)

            let challenge = try await live.platform.generateChallenge(for: account, checkDigit: true)
            let answer = try await run(
                ["otp", "alice", "--app", "app3", "--challenge", challenge.digits, "--password-fd", "3", "--json"]
                    + platform, descriptors: [3: Self.password])
            let code = try #require((try answer.json() as? [String: Any])?["oneTimePassword"] as? String)
            let login = try await live.platform.login(
                .init(account: account, credential: .challengeResponse(code, requestID: challenge.requestID)))
            #expect(login.status == .accepted)
        }
    }

    @Test func `a file and a text are sealed`() async throws {
        try await LivePlatform.running(in: folder) { live in
            let platform = ["--platform", live.address.absoluteString]
            try await activate(live)
            let file = URL(filePath: folder.file("contract.txt"))
            try Data("the contract".utf8).write(to: file)
            let account = try AccountName(userID: "alice", domain: "master")
            let made = try await run(
                ["seal", "alice", "--file", file.path, "--password-fd", "3", "--json"] + platform,
                descriptors: [3: Self.password])
            #expect(made.status == 0, "\(made.errors)")
            let json = made.object
            #expect(json["name"] as? String == "contract.txt" && json["text"] == nil && json["counter"] as? Int == 0)
            let digest = try #require(json["digest"] as? String)
            let accepted = try await live.platform.validate(
                LocalSeal(
                    account: account, data: .digest(Hex.decode(digest), name: "contract.txt"),
                    seal: #require(json["seal"] as? String)))
            #expect(accepted.status == .accepted && accepted.hostCode == json["hostCode"] as? String)

            let text = try await run(
                ["seal", "alice", "--text", "I agree", "--password-fd", "3"] + platform,
                descriptors: [3: Self.password])
            let lines = text.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.first == "text     I agree")
            #expect(lines.dropFirst(3).map { $0.prefix(9) } == ["seal     ", "host code", "valid    ", ""])
            let seal = try #require(lines.dropFirst(3).first?.split(separator: " ").last)
            let second = try await live.platform.validate(
                LocalSeal(account: account, data: .text("I agree"), seal: String(seal)))
            #expect(second.status == .accepted)
        }
    }

    @Test(arguments: [
        ([], "--text or --file"), (["--text", "a", "--file", "b"], "one of them only"),
        (["--text", ""], "the text is empty"), (["--file", "/nowhere"], "the file cannot be read"),
        (["--file", "/tmp"], "it is not a regular file"),
    ])
    func `data that cannot be sealed is exit code 2, and the error says why`(
        data: [String], message: String
    ) async throws {
        try await activate()
        let result = try await run(
            ["seal", "alice", "--password-fd", "3"] + data + Self.down, descriptors: [3: Self.password])
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test func `an IBAN in groups is signed without white space, and another value as it is`() async throws {
        try await activate()
        let made = try await run(
            ["sign", "alice", "--field", "To= BE68 5390 0754 7034\u{A0}", "--field", "=a b", "--json"]
                + ["--password-fd", "3"] + Self.down, descriptors: [3: Self.password])
        #expect(made.status == 0, "\(made.errors)")
        #expect(
            made.object["fields"] as? [[String: String]] == [
                ["label": "To", "value": "BE68539007547034"], ["value": "a b"],
            ])
    }

    @Test(arguments: [
        (["--field", "Amount=12345678901234567"], "field 1: the value is longer than 16 characters or 64 bytes"),
        (["--field", "a=1", "--field", "b\u{202E}=1"], "field 2: the label has a character that is not allowed"),
        (["--field", "="], "field 1: the value is empty"),
        (Array(repeating: ["--field", "a=1"], count: 9).flatMap(\.self), "there must be 1 to 8 fields"),
        ([], "--field"),
    ])
    func `fields outside their limits are exit code 2, and the error names them`(
        fields: [String], message: String
    ) async throws {
        let result = try await run(["sign", "alice"] + fields)
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test func `a code is printed without a network, and two programs may use one store`() async throws {
        try await activate()
        async let first = run(["otp", "alice", "--password-fd", "3"] + Self.down, descriptors: [3: Self.password])
        async let second = run(["otp", "alice", "--method", "possession", "--json"] + Self.down)
        let (password, none) = (try await first, try await second)
        #expect(password.status == 0)
        #expect(password.output.contains("one-time password"))
        #expect(password.output.contains("seconds left"))
        // Without a terminal nothing counts down.
        #expect(!password.output.contains { $0 == "\r" || $0 == "\u{1B}" } && password.output.hasSuffix("\n"))
        #expect(password.errors.contains("warning: "))
        #expect(none.status == 0)
        #expect((try none.json() as? [String: Any])?["oneTimePassword"] != nil)
    }

    @Test(arguments: [
        ["activate"], ["activate", "alice", "--unknown"], ["otp", "alice", "--method", "smell"],
        ["otp", "alice", "--app", "app9"], ["unknown"], ["otp", "alice", "--password-fd", "x"],
        ["users", "delete", "alice", "--platform", "http://id.example.com"], ["users", "show", "a/b"],
        ["activate", "alice", "--resume", "--activation-password-fd", "3"],
    ])
    func `wrong usage is exit code 2 with a hint`(arguments: [String]) async throws {
        let result = try await program.run(arguments + (arguments.first == "unknown" ? [] : store))
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        let first = result.errors.split(separator: "\n").first ?? ""
        #expect(first.hasPrefix("authenticator: "))
        #expect(first.dropFirst(15).first?.isUppercase == false)
    }

    @Test(arguments: [
        ("authenticator", ["aprove", "alice", "--number", "1"], "aprove", "approve"),
        ("authenticator", ["users", "shwo", "alice"], "shwo", "show"),
        ("trusted-identity", ["sevre"], "sevre", "serve"), ("trusted-identity", ["key", "lsit"], "lsit", "list"),
    ])
    func `a mistyped subcommand has a suggestion`(
        program: String, arguments: [String], typed: String, meant: String
    ) async throws {
        let result = try await BuiltProgram(name: program).run(arguments)
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.errors == "\(program): unknown command '\(typed)'\nhint: did you mean '\(meant)'?\n")
    }

    @Test func `a word that is near no subcommand is unknown, and the hint names the help`() async throws {
        let result = try await program.run(["elephant"])
        #expect(result.errors.hasPrefix("authenticator: unknown command 'elephant'\nhint: see 'authenticator --help'"))
        // An argument of a default subcommand is not one of these words.
        let other = try await program.run(["device-data", "shwo", "--unknown"])
        #expect(other.status == 2 && other.errors.contains("nknown option '--unknown'"), "\(other.errors)")
    }

    @Test(arguments: ["--activation-password-fd", "--password-fd"])
    func `a descriptor that is not open is an error`(option: String) async throws {
        let other = option == "--activation-password-fd" ? "--password-fd" : "--activation-password-fd"
        let result = try await LivePlatform.running(in: folder) { live in
            let code = try await live.register("alice")
            return try await run(
                ["activate", "alice", option, "9", other, "3", "--platform", live.address.absoluteString],
                descriptors: [3: option == "--activation-password-fd" ? Self.password : code])
        }
        #expect(result.status == 2)
        #expect(result.errors.contains("authenticator: "))
    }

    @Test(arguments: ["", "\n"])
    func `an empty secret is an error`(secret: String) async throws {
        let code = try await run(
            ["activate", "alice", "--activation-password-fd", "3"] + Self.down, descriptors: [3: secret])
        #expect(code.status == 2)
        try await activate()
        let password = try await run(
            ["otp", "alice", "--password-fd", "3"] + Self.down, descriptors: [3: secret])
        #expect(password.status == 2)
        #expect(password.output.isEmpty)
    }

    @Test func `a mistyped or weak secret is exit code 2, and a wrong one is exit code 3`() async throws {
        try await LivePlatform.running(in: folder) { live in
            let platform = ["--platform", live.address.absoluteString]
            let code = try await live.register("alice")
            let activate = ["activate", "alice", "--activation-password-fd", "3", "--password-fd", "4"] + platform
            let mistyped = code.dropLast() + (code.hasSuffix("0") ? "1" : "0")
            let attempts = [
                (String(mistyped), Self.password), (code, "111111\n"), ("7", Self.password),
            ]
            for (code, password) in attempts {
                let result = try await run(activate, descriptors: [3: code, 4: password])
                #expect(result.status == 2)
                #expect(result.errors.contains("authenticator: "))
            }
            let other = try await live.register("bob")
            let wrong = try await run(activate, descriptors: [3: other, 4: Self.password])
            #expect(wrong.status == 3)
            let right = try await run(activate, descriptors: [3: code, 4: Self.password])
            #expect(right.status == 0, "\(right.errors)")
        }
    }

    @Test func `a platform that is down is exit code 5`() async throws {
        let result = try await run(
            ["activate", "alice", "--activation-password-fd", "3"] + Self.down, descriptors: [3: Self.wellFormedCode()])
        #expect(result.status == 5)
        #expect(result.errors.contains("cannot be reached"))
        #expect(result.errors.contains("\nhint: "))
    }

    @Test func `a store that cannot be used is exit code 6, and the error names the path and the cause`() async throws {
        let path = try folder.write("store", "not a folder")
        let result = try await run(["users"])
        #expect(result.status == 6)
        #expect(
            result.errors.hasPrefix(
                "authenticator: the data of this app cannot be read or written: \(path): not a directory\nhint: "))
        #expect(result.errors.hasSuffix("\ncode: storeUnavailable (207)\n"))
    }

    @Test func `an unknown user is exit code 1`() async throws {
        for command in [
            ["activate", "--resume"], ["users", "show"], ["users", "delete"], ["otp", "--method", "possession"],
            ["register-notifications"], ["synchronize"],
        ] {
            let result = try await run(command + ["nobody"])
            #expect(result.status == 1)
            #expect(result.errors.contains("hint: see 'authenticator users'"))
        }
    }

    @Test func `commands that only read the store ignore the platform's address`() async throws {
        for platform in ["http://id.example.com", "no address at all", ""] {
            let list = try await run(["users", "--platform", platform])
            #expect(list.status == 0, "\(list.errors)")
            #expect(list.output == "No users.\n")
            #expect(try await run(["users", "show", "nobody", "--platform", platform]).status == 1)
        }
    }

    @Test func `the default folder is the one of XDG, and a command that reads neither makes nor changes it`()
        async throws
    {
        let environment = ["XDG_DATA_HOME": folder.file("data")]
        #expect(try await program.run(["users"], environment: environment).output == "No users.\n")
        #expect(try folder.files().isEmpty)
        let missing = try await program.run(["otp", "alice"], environment: environment)
        #expect(missing.status == 1 && FileManager.default.fileExists(atPath: folder.file("data/authenticator")))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.file("data/authenticator"))
        #expect(try await program.run(["users"], environment: environment).status == 0)
        #expect(try folder.mode("data/authenticator") == 0o755)
    }

    @Test func `salts are two random values of 64 hexadecimal digits`() async throws {
        let text = try await program.run(["salts"])
        #expect(text.status == 0)
        let lines = try #require(
            text.output.wholeMatch(of: /authenticator: ([0-9a-f]{64})\nstorage: ([0-9a-f]{64})\n/))
        let json = try await program.run(["salts", "--json"])
        let salts = try #require(json.json() as? [String: String])
        #expect(Set(salts.keys) == ["authenticator", "storage"])
        let values = salts.values.map { $0 } + [String(lines.1), String(lines.2)]
        #expect(values.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{64}/) != nil })
        #expect(Set(values).count == 4)
    }

    @Test func `the help names the exit codes`() async throws {
        let result = try await program.run(["--help"])
        #expect(result.status == 0)
        #expect(result.output.contains("0 done"))
        #expect(result.output.contains("6 storage"))
    }

    private static let down = ["--platform", "http://127.0.0.1:1"]

    /// Activates alice at a platform of this test.
    private func activate() async throws {
        try await LivePlatform.running(in: folder) { try await activate($0) }
    }

    private func activate(_ live: LivePlatform) async throws {
        let code = try await live.register("alice")
        let result = try await run(
            ["activate", "alice", "--activation-password-fd", "3", "--password-fd", "4"]
                + ["--platform", live.address.absoluteString],
            descriptors: [3: code, 4: Self.password])
        #expect(result.status == 0, "\(result.errors)")
    }

    /// Returns a well-formed activation password that no platform knows.
    private static func wellFormedCode() async throws -> String {
        try await LivePlatform.running(in: TemporaryFolder()) { try await $0.register("alice") }
    }
}
