import Crypto
import Foundation
import TestSupport
import Testing

/// SIGHUP, as an operator uses it.
@Suite struct PolicyReloadTests {
    private static func policy(_ action: String) -> String {
        "policy: p\nevents:\n  - rule: all\n    then: \(action)\n"
    }

    /// Asks for the approval of an event, which the policy accepts or refuses by itself.
    private static func ask(_ served: ServedPlatform) async throws -> String? {
        try await served.send("POST", "v1/users/alice/events/validate", #"{"eventType":"x","timeout":0}"#)[
            "sessionStatus"] as? String
    }

    @Test func `SIGHUP reads the policy again, and keeps the earlier one while the file has an error`() async throws {
        try await ServedPlatform.running(policy: Self.policy("refuse")) { served in
            try await served.send(
                "POST", "v1/users/register", #"{"objectType":"RegisterUserInputEx","userID":"alice"}"#)
            #expect(try await Self.ask(served) == "refused")
            let path = served.folder.file("policy.yaml")
            for (text, reasons) in [
                (Self.policy("accept") + "color: red\nlogins: []\n", [":5:1: unknown key 'color'", "; \(path):6:9: "]),
                (Self.policy("accept").replacing("    then", with: "\tthen"), [":4:1: "]),
                (Self.policy("accept") + "policy: q\n", [":5:1: "]),
                ("\u{FF}", ["policy.yaml"]),
            ] {
                let before = served.log.count
                _ = try served.folder.write("policy.yaml", text)
                served.signal(SIGHUP)
                try await Patience.wait(for: "the reason") { served.log.count > before && served.log.hasSuffix("\n") }
                let line = String(served.log.dropFirst(before))
                #expect(line.contains("the policy was not replaced, the earlier one stays in use"))
                for reason in reasons { #expect(line.contains(reason), "\(line)") }
                #expect(line.split(separator: "\n").count == 1, "\(line)")
                #expect(try await Self.ask(served) == "refused")
            }
            try FileManager.default.removeItem(atPath: path)
            served.signal(SIGHUP)
            try await Patience.wait(for: "the reason") { served.log.contains("cannot open \(path): no such file") }
            let text = Self.policy("accept")
            _ = try served.folder.write("policy.yaml", text)
            served.signal(SIGHUP)
            try await Patience.wait(for: "the new policy") { served.log.contains("the policy was replaced") }
            #expect(try await Self.ask(served) == "accepted")
            let hash = SHA256.hash(data: Array(text.utf8)).map {
                String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
            }
            let log = try await served.administer(["audit", "export"]).output.split(separator: "\n")
            let entries = log.filter { $0.contains(#""event":"policy.replaced""#) }
            #expect(
                entries.count == 1 && entries.first?.contains(#""reason":"\#(hash.joined())""#) == true, "\(entries)")
        }
    }

    @Test func `SIGHUP does not end a server without a policy file and without TLS`() async throws {
        try await ServedPlatform.running { served in
            for count in 1...2 {
                served.signal(SIGHUP)
                try await Patience.wait(for: "the line of the log") {
                    served.log.split(separator: "\n").count { $0.contains("nothing was read again") } == count
                }
            }
            let export = try await served.administer(["audit", "export"])
            #expect(export.status == 0 && !export.output.contains("policy.replaced"))
        }
    }
}
