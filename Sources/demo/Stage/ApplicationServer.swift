import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Orchestration

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

    /// Asks the platform for an unlock code for the user's device.
    ///
    /// - Returns: The unlock code, which only the user may see.
    func issueUnlockCode(_ user: String) async throws -> String {
        struct Reply: Decodable { let unlockCode: String }
        return try await post("v1/users/\(user)@master/unlock", [String: String](), Reply.self).unlockCode
    }

    /// Returns the state of the user's activation.
    func activationStatus(of user: String) async throws -> String {
        struct Reply: Decodable { let activationStatus: String }
        return try await post("v1/registrations/check-status", ["login": user], Reply.self).activationStatus
    }

    /// Sends the one-time password that the user typed into the site.
    func logIn(_ user: String, oneTimePassword: String, application: Int = 1) async throws -> Login {
        struct Body: Encodable {
            let objectType = "LoginInput"
            let credentials: [String: Authenticator]
        }
        struct Authenticator: Encodable {
            let otp: String
            let application: Int

            enum CodingKeys: String, CodingKey {
                case otp = "OTP"
                case application
            }
        }
        let body = Body(credentials: ["authenticator": .init(otp: oneTimePassword, application: application)])
        return try await post("v1/users/\(user)@master/login", body, Login.self)
    }

    /// The platform's answer to a login or payment that a device approves.
    struct Session: Decodable {
        let sessionStatus: String
        let requestID: String
        let requestMessage: String?
        let numberToMatch: String?
        let declineReason: String?
        let receipt: String?

        var status: String { sessionStatus }
    }

    /// Asks the user's devices to approve a login, and does not wait for the answer.
    func askToLogIn(_ user: String) async throws -> Session {
        struct Body: Encodable {
            let objectType = "LoginInput"
            let timeout = 0
            let dataToDisplay = [["type": "requester", "value": "Bookshop"], ["type": "place", "value": "Bern"]]
        }
        return try await post("v1/users/\(user)@master/login", Body(), Session.self)
    }

    /// Asks the user's devices to approve a payment, and does not wait for the answer.
    func askToPay(
        _ user: String, amount: String, to creditor: String, account: String? = nil
    ) async throws -> Session {
        struct Body: Encodable {
            let objectType = "TransactionValidationInput"
            let timeout = 0
            let data = ["transactionMessage": ["dataFields": [String]()]]
            let amount: String
            let currency = "EUR"
            let creditorName: String
            let creditorIBAN: String?
        }
        let body = Body(amount: amount, creditorName: creditor, creditorIBAN: account)
        return try await post("v1/users/\(user)@master/transactions/validate", body, Session.self)
    }

    /// Returns the state of a login or payment.
    func session(_ requestID: String) async throws -> Session {
        try await get("v1/sessions/\(requestID)", Session.self)
    }

    /// Sends the signature of a local transaction that the user typed into the site.
    func validate(_ user: String, fields: [DataField], signature: String) async throws -> Login {
        struct Text: Encodable { let text: String }
        struct Field: Encodable {
            let key: Text?
            let value: Text
        }
        struct Standard: Encodable {
            let dataFields: [Field]
            let signature: String
        }
        struct Body: Encodable {
            let objectType = "TransactionValidationInput"
            let data: [String: Standard]
        }
        let shown = fields.map { Field(key: $0.label.map(Text.init), value: Text(text: $0.value)) }
        let body = Body(data: ["standard": Standard(dataFields: shown, signature: signature)])
        return try await post("v1/users/\(user)@master/transactions/validate", body, Login.self)
    }

    /// Returns the published keys of the platform, which verify receipts.
    func platformKeys() async throws -> PublishedKeys {
        struct Page: Decodable { let nextPage: Int? }
        var pages: [[UInt8]] = []
        var next: Int? = 1
        while let page = next {
            let json = try await send(request("v1/platform-keys?page=\(page)"))
            pages.append(Array(json))
            next = try JSONDecoder().decode(Page.self, from: json).nextPage
        }
        return try PublishedKeys(pages: pages)
    }

    /// Returns the number of wrong codes of the user in a row.
    func failures(of user: String) async throws -> Int {
        struct Reply: Decodable {
            struct Failures: Decodable { let consecutive: Int }
            let failures: [Failures]
        }
        let reply = try await get("v1/users/\(user)@master", Reply.self)
        return reply.failures.map(\.consecutive).reduce(0, +)
    }

    private func get<Reply: Decodable>(_ path: String, _ type: Reply.Type) async throws -> Reply {
        try JSONDecoder().decode(type, from: await send(request(path)))
    }

    private func post<Reply: Decodable>(
        _ path: String, _ body: some Encodable, _ type: Reply.Type
    ) async throws -> Reply {
        var request = request(path)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(body)))
        return try JSONDecoder().decode(type, from: await send(request))
    }

    private func request(_ path: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: "\(platform.absoluteString)/\(path)")
        request.headers.add(name: "authorization", value: "Bearer \(apiKey)")
        return request
    }

    private func send(_ request: HTTPClientRequest) async throws -> Data {
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        guard response.status == .ok else {
            throw Failure("the platform answered \(request.url) with \(response.status.code)")
        }
        return Data(try await response.body.collect(upTo: 1 << 20).readableBytesView)
    }
}
