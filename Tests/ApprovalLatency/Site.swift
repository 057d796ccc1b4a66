import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// The application server.
struct Site: Sendable {
    let url: String
    let key: String

    /// Registers a user and returns the activation password.
    func register(_ user: String) async throws -> String {
        let answer = try await post(
            "/v1/users/register", #"{"objectType": "RegisterUserInputEx", "userID": "\#(user)"}"#)
        guard let password = answer["activationPassword"] as? String else { throw CocoaError(.coderInvalidValue) }
        return password
    }

    /// Asks for a login, and returns its status when it has ended.
    func login(_ user: String) async throws -> String {
        let answer = try await post(
            "/v1/users/\(user)@master/login", #"{"objectType": "LoginInput", "timeout": 30}"#)
        return answer["sessionStatus"] as? String ?? "none"
    }

    private func post(_ path: String, _ body: String) async throws -> [String: Any] {
        var request = HTTPClientRequest(url: url + path)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.headers.add(name: "authorization", value: "Bearer \(key)")
        request.body = .bytes(ByteBuffer(string: body))
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(40))
        let bytes = try await answer.body.collect(upTo: 1 << 20)
        let json = try JSONSerialization.jsonObject(with: Data(bytes.readableBytesView)) as? [String: Any]
        guard answer.status == .ok, let json else {
            throw CocoaError(.coderInvalidValue, userInfo: ["answer": String(buffer: bytes)])
        }
        return json
    }
}
