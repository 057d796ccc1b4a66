import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The customer's application server. It runs the site, has an API key, and calls the REST API of the platform.
///
/// An application server can be written in any language. This one reads the few fields that the story needs.
struct ApplicationServer: Sendable {
    let platform: URL
    let apiKey: String

    /// The platform's answer to a login.
    struct Login: Decodable {
        let sessionStatus: String
        let hostCode: String?

        var status: String { sessionStatus }
    }

    /// Registers a user at the platform.
    ///
    /// - Returns: The activation password, which only the user may see.
    func register(_ user: String) async throws -> String {
        struct Reply: Decodable { let activationPassword: String }
        let body = ["objectType": "RegisterUserInputEx", "userID": user]
        return try await post("v1/users/register", body, Reply.self).activationPassword
    }

    /// Returns the state of the user's activation.
    func activationStatus(of user: String) async throws -> String {
        struct Reply: Decodable { let activationStatus: String }
        return try await post("v1/registrations/check-status", ["login": user], Reply.self).activationStatus
    }

    /// Sends the one-time password that the user typed into the site.
    func logIn(_ user: String, oneTimePassword: String) async throws -> Login {
        struct Body: Encodable {
            let objectType = "LoginInput"
            let credentials: [String: [String: String]]
        }
        let body = Body(credentials: ["authenticator": ["OTP": oneTimePassword]])
        return try await post("v1/users/\(user)@master/login", body, Login.self)
    }

    /// Returns the number of wrong codes of the user in succession.
    func failures(of user: String) async throws -> Int {
        struct Reply: Decodable {
            struct Failures: Decodable { let consecutive: Int }
            let failures: [Failures]
        }
        let reply = try await send(request("v1/users/\(user)@master", method: "GET"), Reply.self)
        return reply.failures.map(\.consecutive).reduce(0, +)
    }

    private func post<Reply: Decodable>(
        _ path: String, _ body: some Encodable, _ type: Reply.Type
    ) async throws -> Reply {
        var request = request(path, method: "POST")
        request.httpBody = try JSONEncoder().encode(body)
        request.setValue("application/json", forHTTPHeaderField: "content-type")
        return try await send(request, type)
    }

    private func request(_ path: String, method: String) -> URLRequest {
        var request = URLRequest(url: platform.appending(path: path))
        request.httpMethod = method
        request.setValue("Bearer \(apiKey)", forHTTPHeaderField: "authorization")
        return request
    }

    private func send<Reply: Decodable>(_ request: URLRequest, _ type: Reply.Type) async throws -> Reply {
        let (body, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw Failure("the platform answered \(request.url?.path ?? "") with \(status)") }
        return try JSONDecoder().decode(type, from: body)
    }
}
