import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// The application server.
struct Site: Sendable {
    /// An answer that is not the expected one.
    struct Unexpected: Error, CustomStringConvertible { let description: String }

    let url: String
    let key: String

    /// Connections for more callers than the usual 8 to a host.
    static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 20_000
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(configuration: configuration)
    }()

    /// Registers a user and returns the activation password.
    func register(_ user: String) async throws -> String {
        struct Reply: Decodable { let activationPassword: String }
        let reply: Reply = try await post(
            "/v1/users/register", #"{"objectType":"RegisterUserInputEx","userID":"\#(user)"}"#)
        return reply.activationPassword
    }

    /// Asks for a login by an app, and returns when it has ended.
    ///
    /// - Returns: The status, such as `accepted`, and the reason for another one.
    func login(_ user: String) async throws -> LoginReply { try await requestLogin(user, timeout: 30) }

    /// Asks for a login by an app.
    ///
    /// - Returns: The pointer to the approval request, as the devices get it.
    func beginLogin(_ user: String) async throws -> String {
        let reply = try await requestLogin(user, timeout: 0)
        guard reply.sessionStatus == "pending", let pointer = reply.requestMessage else {
            throw Unexpected(description: "a login is \(reply.sessionStatus)")
        }
        return pointer
    }

    /// The answer to the request for a login.
    struct LoginReply: Decodable {
        let sessionStatus: String
        let declineReason: String?
        let requestMessage: String?
    }

    private func requestLogin(_ user: String, timeout: Int) async throws -> LoginReply {
        try await post("/v1/users/\(user)@master/login", #"{"objectType":"LoginInput","timeout":\#(timeout)}"#)
    }

    private func post<Reply: Decodable>(_ path: String, _ body: String) async throws -> Reply {
        var request = HTTPClientRequest(url: url + path)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.headers.add(name: "authorization", value: "Bearer \(key)")
        request.body = .bytes(ByteBuffer(string: body))
        let answer = try await Self.client.execute(request, timeout: .seconds(40))
        let bytes = try await answer.body.collect(upTo: 1 << 20)
        guard answer.status == .ok else { throw Unexpected(description: "\(answer.status): \(String(buffer: bytes))") }
        return try JSONDecoder().decode(Reply.self, from: Data(bytes.readableBytesView))
    }
}
