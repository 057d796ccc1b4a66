import CommandLine
import Foundation
import Orchestration
import TestSupport
import Testing

/// Logins and payments at the command-line authenticator, against the program of the platform.
@Suite(.enabled(if: ServedPlatform.platform.isBuilt && ServedPlatform.authenticator.isBuilt, "programs are not built"))
struct AuthenticatorApprovalTests {
    @Test func `a login is approved with the number of the site, and the receipt is verified offline`() async throws {
        try await served { live in
            let number = try #require(try await live.login("r1")["numberToMatch"] as? String)
            let list = try await live.run(["approvals", "alice", "--json"])
            let waiting = try #require(try list.json() as? [[String: Any]], "\(list.errors)")
            #expect(waiting.map { $0["kind"] as? String } == ["login"])
            #expect((1...120).contains(waiting.first?["secondsLeft"] as? Int ?? 0))
            let id = try #require(waiting.first?["id"] as? String)
            let table = try await live.run(["approvals", "alice"])
            #expect(table.output.contains(/ID +KIND   SECONDS LEFT  ANNOUNCED\n[0-9a-f]{32}  login  [0-9]{1,3} +yes\n/))

            let receipt = live.folder.file("login.receipt")
            let used = try live.folder.write("used", "")
            // What a pointer opens has the id of the list, too.
            let pointer = try #require(try await live.session("r1")["requestMessage"] as? String)
            let scanned = try await live.run(["scan"], [0: pointer + "\nskip\n"])
            #expect(scanned.errors.contains("\nid          \(id)\nrequest id  r1\n"), "\(scanned.errors)")
            for (options, message) in [
                ([], "hint: give it with --number"), (["--number", "12345"], "the number of the site has 6 digits"),
                (["--number", "12345x"], "the number of the site has 6 digits"),
                (["--number", number, "--receipt", used], "exists already"),
            ] {
                let refused = try await live.run(["approve", "alice"] + options)
                #expect(refused.status == 2 && refused.output.isEmpty)
                #expect(refused.errors.contains(message), "\(refused.errors)")
            }
            #expect(try await live.session("r1")["sessionStatus"] as? String == "pending")

            let approved = try await live.run(
                ["approve", "alice", " \(id)\n", "--number", number, "--receipt", receipt, "--json"]
                    + ["--password-fd", "3"],
                [3: ServedPlatform.password])
            #expect(approved.status == 0, "\(approved.errors)")
            #expect(approved.errors.contains("Log in at the shop"))
            #expect(approved.object["decision"] as? String == "approved")
            #expect(approved.object["verifiedMethod"] as? String == "password")
            #expect(approved.object["user"] as? String == "alice@master")
            let session = try await live.session("r1")
            #expect(session["sessionStatus"] as? String == "accepted")
            let text = try String(contentsOfFile: receipt, encoding: .utf8)
            #expect(try live.folder.mode("login.receipt") == 0o600)
            #expect(text == "\(session["receipt"] as? String ?? "")\n")
            #expect(approved.object["receipt"] as? String == session["receipt"] as? String)

            let keys = try await live.platformKeys()
            let verified = try await ServedPlatform.authenticator.run(
                ["receipt", "verify", receipt, "--platform-keys", keys, "--json"])
            #expect(verified.status == 0, "\(verified.errors)")
            #expect(verified.object["outcome"] as? String == "approved")
            #expect(verified.object["number"] as? String == number)
            #expect(verified.object["requestID"] as? String == "r1")

            let statements = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: keys)))
            let latest = try #require(((statements as? [String: Any])?["statements"] as? [[String: Any]])?.last)
            let fingerprint = try #require(latest["fingerprint"] as? String)
            let confirmed = try await ServedPlatform.authenticator.run(
                ["receipt", "verify", receipt, "--platform-keys", keys, "--fingerprint", fingerprint])
            #expect(confirmed.status == 0 && confirmed.errors.isEmpty, "\(confirmed.errors)")
            #expect(!confirmed.output.contains("not verified"))

            #expect(try await live.run(["approvals", "alice"]).output == "Nothing waits.\n")
            let answered = try await live.run(["approve", "alice", id, "--number", number])
            #expect(answered.status == 4)
            #expect(answered.errors.hasPrefix("authenticator: this was answered already"), "\(answered.errors)")
        }
    }

    @Test func `an administrator sees a pending request, with the code that a device scans`() async throws {
        try await served { live in
            let login = try await live.login("r1")
            let show = ["approval", "show", "r1"]
            let json = try await live.administer(show + ["--json"]).json() as? [String: Any]
            #expect(json?["user"] as? String == "alice@master" && json?["kind"] as? String == "login")
            let pointer = try #require(json?["qrText"] as? String)
            let text = try #require(login["requestMessage"] as? String)
            #expect(try OrchestrationCommand(qrText: pointer) == OrchestrationCommand(text: text))
            for colors in QRCode.TerminalColors.allCases {
                let shown = try await live.administer(show + ["--qr", colors.rawValue])
                #expect(shown.status == 0 && shown.output.contains("alice@master"), "\(shown.errors)")
                #expect(shown.output.hasSuffix("\n\n" + (try QRCode(pointer).terminalText(colors)) + "\n"))
            }
            let unknown = try await live.administer(["approval", "show", "r2"])
            #expect(unknown.status == 3 && unknown.errors.contains("no pending approval request has this id"))
            #expect(try await live.administer(show + ["--qr", "own", "--json"]).status == 2)
        }
    }

    @Test func `a wrong password leaves the request, and a wrong number ends it`() async throws {
        try await served { live in
            let number = try #require(try await live.login("r1")["numberToMatch"] as? String)
            let approve = ["approve", "alice", "--password-fd", "3", "--number"]
            let mistyped = try await live.run(approve + [number], [3: "482916\n"])
            #expect(mistyped.status == 3 && mistyped.output.isEmpty)
            #expect(mistyped.errors.contains("authenticator: canceled\nhint: "), "\(mistyped.errors)")
            #expect(try await live.session("r1")["sessionStatus"] as? String == "pending")

            let other = String(number.reversed()) == number ? "000001" : String(number.reversed())
            let wrong = try await live.run(approve + [other], [3: ServedPlatform.password])
            #expect(wrong.status == 3)
            #expect(
                wrong.errors.hasSuffix(
                    "authenticator: this is not the number that the site shows\nhint: the request has ended\n"
                        + "code: wrongNumber (508)\n"),
                "\(wrong.errors)")
            let session = try await live.session("r1")
            #expect(session["sessionStatus"] as? String == "refused")
            #expect(session["declineReason"] as? String == "wrongNumber")
        }
    }

    @Test func `a login is rejected with a reason`() async throws {
        try await served { live in
            let nothing = try await live.run(["reject", "alice", "--reason", "canceled"])
            #expect(nothing.status == 4 && nothing.errors == "authenticator: nothing waits for an answer\n")
            for options in [[], ["--reason", "other"], ["x", "--reason", "notMe"]] {
                let wrong = try await live.run(["reject", "alice"] + options)
                #expect(wrong.status == 2 && wrong.errors.hasPrefix("authenticator: "), "\(wrong.errors)")
            }
            let unknown = try await live.run(
                ["reject", "alice", String(repeating: "0", count: 32), "--reason", "notMe"])
            #expect(unknown.status == 4)

            _ = try await live.login("r1", source: "a")
            _ = try await live.login("r2", source: "b")
            let two = try await live.run(["reject", "alice", "--reason", "notMe"])
            #expect(two.status == 2 && two.errors.contains("2 requests wait; name one of them"), "\(two.errors)")
            try await live.send("DELETE", "v1/sessions/r2")

            let result = try await live.run(
                ["reject", "alice", "--reason", "wrongData", "--password-fd", "3"], [3: ServedPlatform.password])
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output == "Rejected (wrongData).\n")
            #expect(try await live.session("r1")["declineReason"] as? String == "wrongData")
        }
    }

    @Test func `not me with the password starts the strict mode, and without it the step-up`() async throws {
        try await served { live in
            let reject = ["reject", "alice", "--reason", "notMe"]
            _ = try await live.login("r1", source: "a")
            let weak = try await live.run(reject)
            #expect(weak.status == 0 && weak.output == "Rejected (notMe).\n", "\(weak.errors)")
            let stepUp = try await live.administer(["user", "show", "alice"])
            #expect(stepUp.output.contains(/step-up +until/) && !stepUp.output.contains("strict mode"), "\(stepUp)")

            _ = try await live.login("r2", source: "a")
            let byPassword = reject + ["--with-password", "--password-fd", "3"]
            let mistyped = try await live.run(byPassword, [3: "482916\n"])
            #expect(mistyped.status == 3 && mistyped.output.isEmpty, "\(mistyped.errors)")
            #expect(try await live.session("r2")["sessionStatus"] as? String == "pending")
            let proven = try await live.run(byPassword, [3: ServedPlatform.password])
            #expect(proven.status == 0 && proven.output == "Rejected (notMe).\n", "\(proven.errors)")
            let strict = try await live.administer(["user", "show", "alice"])
            #expect(strict.output.contains(/strict mode +until/), "\(strict)")
            let json = try await live.administer(["user", "show", "alice", "--json"]).object
            #expect(json["strictUntil"] is String && json["stepUpUntil"] is String)
        }
    }

    @Test(arguments: ["text", "hexadecimal", "QR code"], [true, false])
    func `a pointer is scanned in any text form, from a file and from standard input`(
        form: String, isFile: Bool
    ) async throws {
        try await served { live in
            let reply = try await live.login("r1")
            let number = try #require(reply["numberToMatch"] as? String)
            let pointer = try OrchestrationCommand(text: try #require(reply["requestMessage"] as? String))
            let text =
                switch form {
                case "text": pointer.text
                case "hexadecimal": pointer.bytes.map { String(format: "%02x", $0) }.joined()
                default: pointer.qrText
                }
            let scan = ["scan"] + (isFile ? [try live.folder.write("pointer", "\n \(text)  \n")] : [])
            let first = isFile ? "" : " \t\(text)\u{A0}\r\n"
            let skipped = try await live.run(scan, [0: first + "what\napprove 12\nskip\n"])
            #expect(skipped.status == 3)
            #expect(skipped.errors.contains("Please answer approve, reject with a reason, or skip.\n"))
            #expect(skipped.errors.contains("the number of the site has 6 digits.\n"))
            #expect(
                skipped.errors.hasSuffix("authenticator: nothing was decided\ncode: undecided (501)\n"),
                "\(skipped.errors)")
            let receipt = live.folder.file("receipt")
            let result = try await live.run(
                scan + ["--password-fd", "3", "--receipt", receipt],
                [0: first + "approve \(number)\n", 3: ServedPlatform.password])
            #expect(result.status == 0 && result.output == "Approved.\n", "\(result.errors)")
            #expect(FileManager.default.fileExists(atPath: receipt))
            let again = try await live.run(scan, [0: first])
            #expect(again.status == 4, "\(again.errors)")
        }
    }

    @Test func `a request that waits is shown as a QR code, for light and dark terminals`() async throws {
        try await served { live in
            let reply = try await live.login("r1")
            let pointer = try OrchestrationCommand(text: try #require(reply["requestMessage"] as? String))
            let code = try QRCode(pointer.qrText)
            for colors in QRCode.TerminalColors.allCases {
                let result = try await live.run(["approvals", "alice", "--qr", colors.rawValue])
                #expect(result.status == 0, "\(result.errors)")
                #expect(result.output.hasSuffix("\n" + code.terminalText(colors) + "\n"))
            }
            let both = try await live.run(["approvals", "alice", "--qr", "dark", "--json"])
            #expect(both.status == 2 && both.errors.contains("--json cannot hold"), "\(both.errors)")
            #expect(try await live.run(["approvals", "alice", "--qr", "blue"]).status == 2)
        }
    }

    @Test func `what is no pointer of this platform is not opened`() async throws {
        try await served { live in
            let reply = try await live.login("r1")
            let pointer = try OrchestrationCommand(text: try #require(reply["requestMessage"] as? String)).bytes
            // The sixth byte belongs to the tenant, and the last one to the id.
            for place in [5, pointer.count - 1] {
                var other = pointer
                other[place] ^= 1
                let result = try await live.run(["scan"], [0: try OrchestrationCommand(bytes: other).text])
                #expect(result.status == 4)
                #expect(result.errors.contains("there is no such request for you on this device"), "\(result.errors)")
            }
            for text in ["no pointer\n", "", "\n", "00ff\n", String(repeating: "A", count: 140_000)] {
                let result = try await live.run(["scan"], [0: text])
                #expect(result.status == 2 && result.output.isEmpty, "\(result.errors)")
            }
            let long = try live.folder.write("long", String(repeating: "A", count: 140_000))
            #expect(try await live.run(["scan", long]).status == 2)
            #expect(try await live.run(["scan", live.folder.file("none")]).status == 1)
            #expect(try await live.session("r1")["sessionStatus"] as? String == "pending")
        }
    }

    @Test func `listen shows what comes and takes each decision, in lines where there is no terminal`() async throws {
        try await served { live in
            let number = try #require(try await live.login("r1")["numberToMatch"] as? String)
            let once = try await live.run(
                ["listen", "alice", "--once", "--password-fd", "3"],
                [0: "approve \(number)\n", 3: ServedPlatform.password])
            #expect(once.status == 0 && once.output == "Approved.\n", "\(once.errors)")
            #expect(once.errors.hasPrefix("Waiting for requests of alice.\n"))
            #expect(once.errors.contains("\"Log in at the shop\"\n"))
            #expect(once.errors.contains("\napprove NUMBER, reject notMe|canceled|wrongData, or skip:\n"))
            #expect(once.errors.hasSuffix("\n") && !once.errors.contains { $0 == "\u{1B}" || $0 == "\r" })

            // A wrong number ends one request, and the program goes on with the next one until it is interrupted.
            let second = try #require(try await live.login("r2", source: "a")["numberToMatch"] as? String)
            _ = try await live.login("r3", source: "b")
            let wrong = second == "000000" ? "000001" : "000000"
            let more = try ServedPlatform.authenticator.start(
                ["listen", "alice", "--json", "--password-fd", "3"] + live.options,
                descriptors: [
                    0: "approve \(wrong)\nreject canceled\n", 3: ServedPlatform.password + ServedPlatform.password,
                ])
            try await Patience.wait(for: "rejection") {
                try #require(more.isRunning, "\(more.errors)")
                return more.output.contains(#""decision":"rejected""#)
            }
            more.signal(SIGINT)
            let end = await more.result()
            #expect(end.status == 128 + SIGINT)
            #expect(end.errors.contains("authenticator: this is not the number that the site shows\n"))
            let lines = try end.output.split(separator: "\n").map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
            #expect(lines.map { $0["requestID"] as? String } == ["r2", "r3", nil])
            #expect(lines.map { $0["digits"] as? Int } == [6, 6, nil])
            #expect(lines.last?["reason"] as? String == "canceled")
            #expect(try await live.session("r2")["declineReason"] as? String == "wrongNumber")
            #expect(try await live.session("r3")["declineReason"] as? String == "canceled")
        }
    }

    @Test func `listen ends when its input has no line for a question`() async throws {
        try await served { live in
            _ = try await live.login("r1")
            let end = try await live.run(["listen", "alice"])
            #expect(end.status == 0 && end.output.isEmpty)
            #expect(
                end.errors.hasSuffix("or skip:\nauthenticator: nothing was decided\ncode: undecided (501)\n"),
                "\(end.errors)")
            let once = try await live.run(["listen", "alice", "--once"])
            #expect(once.status == 3, "\(once.errors)")
            #expect(try await live.session("r1")["sessionStatus"] as? String == "pending")
        }
    }

    @Test func `a request that ends meanwhile is exit code 4, with the reason`() async throws {
        try await served { live in
            for (id, end, message) in [
                ("r1", "DELETE", "the site has canceled this request"),
                ("r2", "", "a newer login took the place of this one"),
            ] {
                let reply = try await live.login(id, source: "browser")
                let pointer = try #require(reply["requestMessage"] as? String)
                if end.isEmpty {
                    _ = try await live.login("r3", source: "browser")
                } else {
                    try await live.send(end, "v1/sessions/\(id)")
                }
                let result = try await live.run(["scan"], [0: pointer + "\napprove\n"])
                #expect(result.status == 4 && result.errors.contains(message), "\(result.errors)")
            }
            let reply = try await live.send(
                "POST", "v1/users/alice@master/login", #"{"objectType":"LoginInput","timeout":1,"requestID":"r4"}"#)
            #expect(reply["sessionStatus"] as? String == "timeout")
            #expect(try await live.run(["approve", "alice", "--number", "123456"]).status != 0)
        }
    }

    @Test func `a signature is accepted by the platform once`() async throws {
        try await served { live in
            let made = try await live.run(
                ["sign", "alice", "--password-fd", "3", "--json", "--field", "Amount=10.00 EUR", "--field", "=Zoë"],
                [3: ServedPlatform.password])
            #expect(made.status == 0, "\(made.errors)")
            let signature = try #require(made.object["signature"] as? String)
            let body = #"""
                {"objectType":"TransactionInput","data":{"standard":{"signature":"\#(signature)","dataFields":[
                {"key":{"text":"Amount"},"value":{"text":"10.00 EUR"}},"Zoë"]}}}
                """#
            let reply = try await live.send("POST", "v1/users/alice@master/transactions/validate", body)
            #expect(reply["sessionStatus"] as? String == "accepted")
            #expect(reply["hostCode"] as? String == made.object["hostCode"] as? String)
            let again = try await live.send("POST", "v1/users/alice@master/transactions/validate", body)
            #expect(again["sessionStatus"] as? String == "failed")
        }
    }

    @Test func `a user who is not on this device, and a platform that is down, have their exit codes`() async throws {
        let folder = try TemporaryFolder()
        let down = ["--platform", "http://127.0.0.1:1", "--store", folder.file("store")]
        for command in [
            ["approvals"], ["approve"], ["reject", "--reason", "notMe"], ["listen"], ["sign", "--field", "a=1"],
        ] {
            let result = try await ServedPlatform.authenticator.run(command + ["nobody"] + down)
            #expect(result.status == 1 && result.errors.contains("hint: see 'authenticator users'"), "\(result.errors)")
        }
        try await served { live in
            for command in [["approvals"], ["approve"], ["reject", "--reason", "notMe"]] {
                let store = ["--store", live.folder.file("store"), "--platform", "http://127.0.0.1:1"]
                let result = try await ServedPlatform.authenticator.run(command + ["alice"] + store)
                #expect(result.status == 5, "\(result.errors)")
            }
        }
    }

    /// Runs a body with a platform at which alice has activated the authenticator.
    private func served(_ body: @Sendable (ServedPlatform) async throws -> Void) async throws {
        try await ServedPlatform.running { live in
            try await live.activate("alice")
            try await body(live)
        }
    }
}
