import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import OrchestrationProtocol
import Primitives

/// The requests of application servers and strangers.
struct Traffic: Sendable {
    private let url: String
    private let key: String
    private let codes: [[String]]
    private let share: [UInt8]
    private let offer: ActivationOffer

    init(_ server: ServedPlatform) async throws {
        url = server.url.absoluteString
        key = server.key
        codes = server.codes
        // All requests of strangers have one share, which saves work here and none at the platform.
        let random = SystemRandomSource()
        let account = try AccountName(userID: "user0", domain: "master")
        let suites = [Suite.classic]
        let initiator = try ActivationInitiator(
            secret: SecretBytes(copying: Array("ABCD2345".utf8)), handle: 4_711, account: account, tenant: "default",
            suites: suites, capabilities: [], random: random)
        guard case .activationRequest(let request) = try Envelope(decoding: initiator.command) else {
            throw CocoaError(.coderInvalidValue)
        }
        share = request.share
        offer = request.offer
    }

    /// Logs in with the next code of a user, and returns whether the code was accepted.
    func login(_ number: Int) async -> Bool {
        let user = number % codes.count
        let code = codes[user][number / codes.count]
        let body = """
            {"objectType": "LoginInput", "credentials": {"authenticator": {"OTP": "\(code)", "application": 2}}}
            """
        let answer = await post("/v1/users/user\(user)@master/login", body, ["authorization": "Bearer \(key)"])
        return answer?["sessionStatus"] as? String == "accepted"
    }

    /// Begins an exchange from an address that no other one has, and returns whether it was answered.
    func strangeExchange(_ number: Int) async -> Bool {
        let request = ActivationRequest(sessionID: SystemRandomSource().bytes(16), share: share, offer: offer)
        let answer = await post(
            "/v1/orchestration-commands", #"{"command": "\#(request.command.text)"}"#,
            ["x-forwarded-for": Self.address(of: number)])
        return answer?["command"] != nil
    }

    /// The address of an exchange. A half has networks of 64 bits of one customer, the other half IPv4 addresses of
    /// many networks.
    static func address(of number: Int) -> String {
        number.isMultiple(of: 2)
            ? "2001:db8:1:\(String(number / 2, radix: 16))::1"
            : "\(11 + number % 200).\(number / 200 % 250).\(number / 50_000 % 250).1"
    }

    /// Registers a user and returns the activation password.
    func register(_ user: String) async throws -> String {
        let body = #"{"objectType": "RegisterUserInputEx", "userID": "\#(user)"}"#
        let answer = await post("/v1/users/register", body, ["authorization": "Bearer \(key)"])
        guard let password = answer?["activationPassword"] as? String else { throw CocoaError(.coderInvalidValue) }
        return password
    }

    private func post(_ path: String, _ body: String, _ headers: [String: String]) async -> [String: Any]? {
        var request = HTTPClientRequest(url: url + path)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(ByteBuffer(string: body))
        guard let answer = try? await HTTPClient.shared.execute(request, timeout: .seconds(20)),
            let bytes = try? await answer.body.collect(upTo: 1 << 20), answer.status == .ok
        else { return nil }
        return (try? JSONSerialization.jsonObject(with: Data(bytes.readableBytesView))) as? [String: Any]
    }
}
