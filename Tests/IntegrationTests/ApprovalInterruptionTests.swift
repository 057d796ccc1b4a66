import Foundation
import Testing

/// What interrupts a login on its way through the programs: the platform, the site or the device goes away.
@Suite(.enabled(if: ServedPlatform.platform.isBuilt && ServedPlatform.authenticator.isBuilt, "programs are not built"))
struct ApprovalInterruptionTests {
    private static let login = "v1/users/alice@master/login"

    @Test(arguments: [SIGTERM, SIGKILL])
    func `a platform that restarts while a login blocks still has the request, and listen gets it`(
        signal: Int32
    ) async throws {
        try await ServedPlatform.running { live in
            try await live.activate("alice")
            let listen = try ServedPlatform.authenticator.startAtTerminal(["listen", "alice"] + live.options)
            try await listen.wait(for: "Waiting for requests of alice.")
            let reply = Task { try await live.reply("POST", Self.login, Self.body("r1")).0 }
            try await Self.untilPending("r1", live)
            try await live.restart(after: signal)
            // A server that stops answers its callers. One that is killed cannot.
            switch signal {
            case SIGTERM: #expect(try await reply.value == 503)
            default: await #expect(throws: URLError.self) { try await reply.value }
            }
            let number = try #require(try await live.session("r1")["numberToMatch"] as? String)
            try await listen.wait(for: "or skip: ")
            listen.type("approve \(number)\n")
            try await listen.wait(for: "(alice@master): ")
            listen.type(ServedPlatform.password)
            try await listen.wait(for: "Approved.\r\n")
            #expect(try await live.session("r1")["sessionStatus"] as? String == "accepted")

            // The stream opens again by itself.
            _ = try await live.login("r2")
            try await listen.wait(for: "or skip: ")
            #expect(listen.output.contains("request id  r2"))
        }
    }

    @Test func `a site that hangs up while its login blocks leaves a request that can be answered`() async throws {
        try await ServedPlatform.running { live in
            try await live.activate("alice")
            let reply = Task { try await live.reply("POST", Self.login, Self.body("r1")).0 }
            try await Self.untilPending("r1", live)
            reply.cancel()
            await #expect(throws: (any Error).self) { try await reply.value }
            let number = try #require(try await live.session("r1")["numberToMatch"] as? String)
            let approved = try await live.run(
                ["approve", "alice", "--number", number, "--password-fd", "3"], [3: ServedPlatform.password])
            #expect(approved.status == 0, "\(approved.errors)")
            #expect(try await live.session("r1")["sessionStatus"] as? String == "accepted")
        }
    }

    @Test func `listen says that the platform cannot be reached, and waits for it`() async throws {
        try await ServedPlatform.running { live in
            try await live.activate("alice")
            let options = live.options.map { $0.hasPrefix("http") ? "http://127.0.0.1:9" : $0 }
            let listen = try ServedPlatform.authenticator.start(["listen", "alice"] + options)
            try await Patience.wait(for: "warning") { listen.errors.contains("Waiting") }
            #expect(
                listen.errors.hasPrefix(
                    "warning: there is no platform at http://127.0.0.1:9; trying again until it can be reached\n"))
            #expect(listen.isRunning)
            listen.signal(SIGINT)
            _ = await listen.result()
        }
    }

    @Test func `listen ends when the device is revoked`() async throws {
        try await ServedPlatform.running { live in
            try await live.activate("alice")
            let listen = try ServedPlatform.authenticator.start(["listen", "alice"] + live.options)
            let account = try await live.send("GET", "v1/users/alice@master")
            let device = try #require((account["devices"] as? [[String: Any]])?.first?["deviceID"] as? String)
            try await Patience.wait(for: "listening program") { listen.errors.contains("Waiting") }
            try await live.send("DELETE", "v1/users/alice@master/devices/\(device)")
            let end = await listen.result()
            #expect(end.status == 3 && end.output.isEmpty)
            #expect(end.errors.contains("authenticator: this device was revoked\nhint: "), "\(end.errors)")
        }
    }

    private static func body(_ id: String) -> String {
        #"{"objectType":"LoginInput","requestID":"\#(id)","timeout":300,"dataToDisplay":"Log in at the shop"}"#
    }

    /// Waits until the platform has a request.
    private static func untilPending(_ id: String, _ live: ServedPlatform) async throws {
        try await Patience.wait(for: "session \(id)") { try await live.reply("GET", "v1/sessions/\(id)").0 == 200 }
    }
}
