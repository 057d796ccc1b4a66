import Foundation
import OrchestrationTesting
import Testing
import TrustedIdentity
import TrustedIdentityServer

/// The answers of the endpoints to valid requests.
@Suite struct ServerEndpointTests {
    static let registration = #"{"objectType":"RegisterUserInputEx","userID":"alice","staticPassword":"correct horse"}"#

    @Test func `a registration gives an activation password, and is pending then`() async throws {
        try await TestServer.run { server in
            let answer = try await server.post("/v1/users/register", Self.registration)
            #expect(answer.status == 200)
            let code = try #require(answer.text("activationPassword"))
            #expect(code.wholeMatch(of: /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/) != nil)
            #expect(answer.text("registrationID")?.isEmpty == false)
            #expect(answer.text("serialNumber")?.isEmpty == false)
            #expect(answer.json["riskResponseCode"] as? Int == 0)
            #expect(answer.header("Cache-Control") == "no-store")

            let status = try await server.post("/v1/registrations/check-status", #"{"login":"alice@MASTER"}"#)
            #expect(status.text("activationStatus") == "pending")
        }
    }

    @Test func `a registration gives a link where the public address is set`() async throws {
        var configuration = PlatformConfiguration()
        configuration.publicAddress = "https://id.example.com"
        try await TestServer.run(configuration) { server in
            let answer = try await server.post("/v1/users/register", Self.registration)
            let code = try #require(answer.text("activationPassword"))
            let link =
                "swift-orchestration:activate?at=https://id.example.com&tenant=37a8eec1ce19687d&user=alice@master&handle="
            #expect(answer.text("activationLink") == link + code.prefix(3))
        }
        try await TestServer.run { server in
            let answer = try await server.post("/v1/users/register", Self.registration)
            #expect(answer.text("activationLink") == nil)
        }
    }

    @Test func `a long poll without an activation ends with timeout`() async throws {
        try await TestServer.run { server in
            _ = try await server.post("/v1/users/register", Self.registration)
            let body = #"{"login":"alice","timeoutSeconds":"1"}"#
            let status = try await server.post("/v1/registrations/check-status", body)
            #expect(status.text("activationStatus") == "timeout")
        }
    }

    @Test func `a user is shown by the percent-encoded name, without a secret`() async throws {
        try await TestServer.run { server in
            let registration = try await server.post(
                "/v1/users/register", #"{"objectType":"AdaptiveRegisterUserInput","userID":"Zoë Ö","domain":"shop"}"#)
            let code = try #require(registration.text("activationPassword"))
            let key = ["Authorization": "Bearer \(server.applicationKey)"]
            // The same name in another normalization form is the same user.
            for path in ["/v1/users/Zo%C3%AB%20%C3%96%40shop", "/v1/users/Zoe%CC%88%20O%CC%88%40SHOP"] {
                let answer = try await server.send("GET", path, headers: key)
                #expect(answer.status == 200)
                #expect(answer.text("user") == "Zoë Ö@shop")
                #expect(!String(decoding: answer.body, as: UTF8.self).contains(code))
            }
            let unknown = try await server.send("GET", "/v1/users/bob%40shop", headers: key)
            #expect(unknown.status == 404)
            #expect(unknown.errorCode == -1100)
            #expect(unknown.text("errorCategory") == "user")
        }
    }

    @Test func `a static password logs in, a wrong one and an unknown user have one answer`() async throws {
        try await TestServer.run { server in
            _ = try await server.post("/v1/users/register", Self.registration)
            func login(_ user: String, _ password: String, key: String? = nil) async throws -> TestServer.Answer {
                try await server.post(
                    "/v1/users/\(user)%40master/login",
                    #"{"objectType":"LoginInput","requestID":"r-1","credentials":{"passKey":"\#(password)"}}"#, key: key
                )
            }
            let right = try await login("alice", "correct horse")
            #expect(right.status == 200)
            #expect(right.text("sessionStatus") == "accepted")
            #expect(right.json["riskResponseCode"] as? Int == 0)
            #expect(right.text("requestID") == "r-1")

            let wrong = try await login("alice", "battery staple")
            let unknown = try await login("nobody", "battery staple")
            #expect(wrong.status == 200)
            #expect(wrong.text("sessionStatus") == "failed")
            #expect(wrong.json["riskResponseCode"] as? Int == 1)
            #expect(wrong.body == unknown.body)
            #expect(wrong.status == unknown.status)
            #expect(wrong.json["declineReason"] == nil)

            let toAdministrator = try await login("nobody", "x", key: server.administratorKey)
            #expect(toAdministrator.text("declineReason") == "unknownAccount")
        }
    }

    @Test func `a one-time password of an unknown user is refused like a wrong one`() async throws {
        try await TestServer.run { server in
            let body = #"{"objectType":"AdaptiveLoginInput","credentials":{"authenticator":{"OTP":"12345678"}}}"#
            let answer = try await server.post("/v1/users/nobody/login", body)
            #expect(answer.status == 200)
            #expect(answer.text("sessionStatus") == "failed")
            #expect(answer.text("requestID")?.count == 32)
        }
    }

    @Test func `a code of an application that logs no user in is refused, for every user`() async throws {
        try await TestServer.run { server in
            _ = try await server.post("/v1/users/register", Self.registration)
            _ = try await server.post(
                "/v1/users/register", Self.registration.replacingOccurrences(of: "alice", with: "blocked"))
            func login(_ user: String, _ credential: String) async throws -> TestServer.Answer {
                let body = #""objectType":"LoginInput","requestID":"r","credentials":{"authenticator":"#
                return try await server.post("/v1/users/\(user)/login", "{" + body + "{" + credential + "}}}")
            }
            for _ in 0..<6 {
                #expect(try await login("blocked", #""OTP":"1""#).text("sessionStatus") == "failed")
            }
            for user in ["alice", "nobody", "blocked"] {
                for application in ["5", "\"4\"", "8"] {
                    let answer = try await login(user, #""OTP":"1","application":"# + application)
                    #expect(answer.text("sessionStatus") == "refused", "\(user), \(application)")
                    #expect(answer.json["riskResponseCode"] as? Int == 1)
                    #expect(answer.json["declineReason"] == nil)
                }
            }
        }
    }

    @Test func `an activation of an unknown type, and a static password of another length, are refused by field`()
        async throws
    {
        try await TestServer.run { server in
            let long = String(repeating: "x", count: 1_025)
            for (field, code, text) in [
                (#""activationType":"other""#, -1001, "must be onlineMDL"),
                (#""staticPassword":"""#, -1102, "must have 1 to 1024 bytes"),
                (#""staticPassword":"\#(long)""#, -1102, "must have 1 to 1024 bytes"),
            ] {
                let answer = try await server.post(
                    "/v1/users/register", #"{"objectType":"RegisterUserInputEx","userID":"alice",\#(field)}"#)
                #expect(answer.status == 400)
                #expect(answer.errorCode == code)
                let problems = answer.json["validationErrors"] as? [[String: String]]
                #expect(problems?.map { $0["message"] } == [text])
            }
        }
    }

    @Test(arguments: ["fido", "offlineMDL"])
    func `an activation that is not offered is refused by name, and makes no account`(type: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.post(
                "/v1/users/register",
                #"{"objectType":"RegisterUserInputEx","userID":"alice","activationType":"\#(type)"}"#)
            #expect(answer.status == 400)
            #expect(answer.errorCode == -1200)
            #expect(answer.text("errorCategory") == "provisioning")
            #expect(answer.fields == ["activationType"])
            let status = try await server.post("/v1/registrations/check-status", #"{"login":"alice"}"#)
            #expect(status.text("activationStatus") == "unknown")
        }
    }

    @Test func `a user id may contain an at sign, and the last one separates the domain`() async throws {
        try await TestServer.run { server in
            let registration = try await server.post(
                "/v1/users/register",
                #"{"objectType":"RegisterUserInputEx","userID":"alice@example.com","staticPassword":"correct horse"}"#)
            #expect(registration.status == 200)
            let key = ["Authorization": "Bearer \(server.applicationKey)"]
            for path in ["alice%40example.com%40master", "alice@example.com@master"] {
                let report = try await server.send("GET", "/v1/users/\(path)", headers: key)
                #expect(report.text("user") == "alice@example.com@master")
                let login = try await server.post(
                    "/v1/users/\(path)/login",
                    #"{"objectType":"LoginInput","credentials":{"passKey":"correct horse"}}"#)
                #expect(login.text("sessionStatus") == "accepted")
            }
            let status = try await server.post(
                "/v1/registrations/check-status", #"{"login":"alice@example.com@master"}"#)
            #expect(status.text("activationStatus") == "pending")
            for (body, expected) in [
                (#"{"login":"alice@example.com"}"#, "pending"),
                (#"{"login":"alice@example.com","domain":"master"}"#, "pending"),
                (#"{"login":"alice@example.com","timeoutSeconds":"0"}"#, "pending"),
                (#"{"login":"alice@example.com","domain":"other"}"#, "unknown"), (#"{"login":"alice"}"#, "unknown"),
            ] {
                let status = try await server.post("/v1/registrations/check-status", body)
                #expect(status.text("activationStatus") == expected, "\(body)")
            }
            // The user with that domain comes first.
            _ = try await server.post(
                "/v1/users/register",
                #"{"objectType":"RegisterUserInputEx","userID":"bob","domain":"example.com"}"#)
            for body in [#"{"login":"bob@example.com"}"#, #"{"login":"bob","domain":"example.com"}"#] {
                let status = try await server.post("/v1/registrations/check-status", body)
                #expect(status.text("activationStatus") == "pending", "\(body)")
            }
            // Without a domain of its own, the name is that of the user alice in another domain.
            #expect(try await server.send("GET", "/v1/users/alice%40example.com", headers: key).status == 404)
        }
    }

    @Test func `a blocked user, an unknown one and a wrong password have one answer`() async throws {
        try await TestServer.run { server in
            _ = try await server.post("/v1/users/register", Self.registration)
            func login(_ user: String, _ password: String) async throws -> TestServer.Answer {
                let body = #"{"objectType":"LoginInput","requestID":"r","credentials":{"passKey":"\#(password)"}}"#
                return try await server.post("/v1/users/\(user)/login", body)
            }
            let wrong = try await login("alice", "wrong")
            #expect(wrong.text("sessionStatus") == "failed")
            for _ in 0..<4 { _ = try await login("alice", "wrong") }
            // The right password during the block.
            #expect(try await login("alice", "correct horse").body == wrong.body)
            #expect(try await login("unknown", "correct horse").body == wrong.body)
        }
    }

    @Test func `a caller who sends the body slowly does not move the tick of a refusal`() async throws {
        let time = ManualTimeSource()
        var configuration = PlatformConfiguration()
        configuration.answerInterval = .milliseconds(40)
        try await TestServer.run(configuration, time: time) { server in
            let body = #"{"objectType":"LoginInput","credentials":{"authenticator":{"OTP":"00000000"}}}"#
            let head = """
                POST /v1/users/unknown/login HTTP/1.1\r
                Host: 127.0.0.1\r
                Authorization: Bearer \(server.applicationKey)\r
                Content-Type: application/json\r
                Content-Length: \(body.utf8.count)\r
                Connection: close\r
                \r

                """
            let before = time.sleeperCount
            async let answer = RawConnection.exchange(
                head + body.prefix(10), then: String(body.dropFirst(10)), port: server.port
            ) {
                // The server has the first part meanwhile.
                try await Task.sleep(for: .milliseconds(50))
                time.advance(milliseconds: 15)
            }
            await time.sleepers(before + 1)
            time.advance(milliseconds: 39)
            #expect(time.sleeperCount == before + 1)
            time.advance(milliseconds: 1)
            let text = try await answer
            #expect(text.contains("failed"))
        }
    }

    @Test func `a source that logged in has its own count, and a fingerprint is no source`() async throws {
        try await TestServer.run { server in
            _ = try await server.post("/v1/users/register", Self.registration)
            func login(_ password: String, _ source: String) async throws -> String? {
                let body = #"{"objectType":"LoginInput","credentials":{"passKey":"\#(password)"},\#(source)}"#
                return try await server.post("/v1/users/alice/login", body).text("sessionStatus")
            }
            let cookie = #""sourceID":"c29tZSByYW5kb20gYnl0ZXM""#
            let fingerprint = #""cddc":{"browserCDDC":{"fingerprintHash":"f","fingerprintRaw":{"a":[1]}}}"#
            #expect(try await login("correct horse", cookie) == "accepted")
            #expect(try await login("correct horse", fingerprint) == "accepted")
            for number in 0..<5 { #expect(try await login("wrong \(number)", #""clientIP":"192.0.2.1""#) == "failed") }
            #expect(try await login("correct horse", #""clientIP":"192.0.2.1""#) == "failed")
            #expect(try await login("correct horse", fingerprint) == "failed")
            #expect(try await login("correct horse", #""sourceID":"another""#) == "failed")
            #expect(try await login("correct horse", cookie) == "accepted")
        }
    }

    @Test func `codes that are not successive do not synchronize`() async throws {
        try await TestServer.run { server in
            let body = #"{"firstOTP":"12345678","secondOTP":"87654321"}"#
            let answer = try await server.post("/v1/users/alice%40master/sync-authenticator", body)
            #expect(answer.status == 422)
            #expect(answer.errorCode == -1600)
            #expect(answer.text("errorCategory") == "authentication")
        }
    }

    @Test func `an unregistered user is unknown`() async throws {
        try await TestServer.run { server in
            _ = try await server.post("/v1/users/register", Self.registration)
            let answer = try await server.post("/v1/users/alice%40master/unregister", "")
            #expect(answer.status == 200)
            #expect(answer.text("status") == "unregistered")
            #expect(try await server.post("/v1/users/alice%40master/unregister", "").status == 404)
            let status = try await server.post("/v1/registrations/check-status", #"{"login":"alice"}"#)
            #expect(status.text("activationStatus") == "unknown")
        }
    }

    @Test func `an address that sends too many commands without a proof is 429`() async throws {
        // The clock does not move, so a pause of this machine does not restore the quota.
        try await TestServer.run(PlatformConfiguration(requestsPerAddress: 3), time: ManualTimeSource()) { server in
            var statuses: [Int] = []
            for _ in 0..<5 {
                let answer = try await server.post("/v1/orchestration-commands", #"{"command":"8101"}"#)
                statuses.append(answer.status)
                if answer.status == 429 {
                    #expect(answer.errorCode == -1004)
                    #expect(answer.header("Retry-After") == "5")
                }
            }
            #expect(statuses.prefix(3) == [400, 400, 400])
            #expect(statuses.last == 429)
        }
    }

    @Test func `a relayed command counts for the end user that the application server names`() async throws {
        try await TestServer.run(PlatformConfiguration(requestsPerAddress: 3), time: ManualTimeSource()) { server in
            var statuses: [Int] = []
            // All addresses of an IPv6 network of 64 bits are one.
            let addresses =
                [String](repeating: "192.0.2.1", count: 4) + ["192.0.2.2"] + (1...4).map { "2001:db8::\($0)" }
            for address in addresses {
                let body = #"{"command":"8101","clientIP":"\#(address)"}"#
                statuses.append(try await server.post("/v1/orchestration-commands", body).status)
            }
            #expect(statuses == [400, 400, 400, 429, 400, 400, 400, 400, 429])
            // Without the address of an end user, the application server itself counts.
            statuses = []
            for _ in 0..<4 {
                statuses.append(try await server.post("/v1/orchestration-commands", #"{"command":"8101"}"#).status)
            }
            #expect(statuses == [400, 400, 400, 429])
            let other = #"{"command":"8101","clientIP":"192.0.2.3"}"#
            #expect(try await server.post("/v1/orchestration-commands", other, key: "wrong.key").status == 401)
            #expect(try await server.post("/v1/orchestration-commands", other).status == 400)
        }
    }

    @Test func `without a key, the named address of an end user is ignored, whatever its value`() async throws {
        try await TestServer.run(PlatformConfiguration(requestsPerAddress: 6), time: ManualTimeSource()) { server in
            var statuses: [Int] = []
            let long = #""\#(String(repeating: "1", count: 65))""#
            for value in [#""192.0.2.1""#, #""192.0.2.2""#, #""example""#, "7", "{}", long, "null"] {
                let body = Data(#"{"command":"8101","clientIP":\#(value)}"#.utf8)
                let answer = try await server.send("POST", "/v1/orchestration-commands", body: body)
                statuses.append(answer.status)
                #expect(answer.fields.isEmpty)
                #expect([-1002, -1004].contains(answer.errorCode))
            }
            #expect(statuses == [400, 400, 400, 400, 400, 400, 429])
        }
    }

    @Test func `with a key, the named address of an end user may have a zone index, which does not count`() async throws
    {
        try await TestServer.run(PlatformConfiguration(requestsPerAddress: 2), time: ManualTimeSource()) { server in
            var statuses: [Int] = []
            for address in ["fe80::1%eth0", "fe80::1%1", "fe80::1"] {
                let body = #"{"command":"8101","clientIP":"\#(address)"}"#
                let answer = try await server.post("/v1/orchestration-commands", body)
                statuses.append(answer.status)
                #expect(answer.fields.isEmpty)
            }
            #expect(statuses == [400, 400, 429])
        }
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.0/8", "10.0.0.0/8", "none"], TrustedProxies.Header.allCases)
    func `the header of a trusted proxy counts, by its last element, and that of another peer does not`(
        proxy: String, header: TrustedProxies.Header
    ) async throws {
        let (isTrusted, networks) = (proxy.hasPrefix("127."), [AddressRange(proxy)].compactMap(\.self))
        let server = ServerConfiguration(port: 0, proxies: TrustedProxies(networks, header: header))
        let configuration = PlatformConfiguration(requestsPerAddress: 3)
        let prefix = header == .forwarded ? "for=" : ""
        try await TestServer.run(configuration, time: ManualTimeSource(), server: server) { server in
            func status(_ addresses: String...) async throws -> Int {
                try await server.send(
                    "POST", "/v1/orchestration-commands", body: Data(#"{"command":"8101"}"#.utf8),
                    headers: [header.rawValue: addresses.map { prefix + $0 }.joined(separator: ", ")]
                ).status
            }
            for number in 0..<10 {
                let answer = try await status("203.0.113.\(number)")
                #expect(answer == (isTrusted || number < 3 ? 400 : 429), "\(number)")
            }
            guard isTrusted else { return }
            // A caller that names addresses before the one that the proxy appends is still the same caller.
            var statuses: [Int] = []
            for number in 0..<5 { statuses.append(try await status("198.51.100.\(number)", "192.0.2.1")) }
            #expect(statuses == [400, 400, 400, 429, 429])
        }
    }

    @Test(arguments: ["", "%%%", "not a command", "84", "gwE", "oA"])
    func `an undecodable command is refused with its code`(command: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.post("/v1/orchestration-commands", #"{"command":"\#(command)"}"#)
            #expect(answer.status == 400)
            #expect(answer.errorCode == -1002)
        }
    }
}
