import Foundation
import Orchestration
import OrchestrationHTTP
import OrchestrationTesting
import Primitives
import TestSupport
import Testing
import TrustedIdentity

/// Requests in the form in which public integration nodes of access managers send them, end to end: every member in its
/// order, also those that the platform does not use, numbers and flags as texts, and the headers of their HTTP client.
@Suite struct IntegrationNodeTests {
    let folder: TemporaryFolder
    let device: TestPhone

    init() throws {
        folder = try TemporaryFolder()
        device = try TestPhone(folder: folder)
    }

    @Test(arguments: ["orchestration-commands", "orchestration-commands-v2"])
    func `a user is registered, activated through a relay, found and unregistered`(route: String) async throws {
        let device = device
        try await LivePlatform.running(in: folder) { live in
            let node = Node(live)
            let registered = try await node.post("users/register", node.adaptive("AdaptiveRegisterUserInput"))
            let password = try #require(registered.text("activationPassword"))
            #expect((6...40).contains(password.count) && registered.json["riskResponseCode"] as? Int == 0)
            let serial = try #require(registered.text("serialNumber"))
            #expect(registered.text("registrationID")?.isEmpty == false)
            try await node.draws("02;alice;111;master;\(password);tenant")

            #expect(try await node.activationStatus() == "pending")
            let app = try await device.app(on: live, transport: Relay(node: node, route: route))
            _ = try await app.user("alice").activate(with: password)
            _ = try await app.user("alice").registerNotifications()
            #expect(try await node.activationStatus() == "activated")

            let user = try await node.get("users/alice@master")
            #expect(user.json["authenticators"] as? [String] == [serial])
            let found = try await node.get(
                "authenticators?serialNumber=\(serial)&domain=master&assigned=true&offset=0&limit=20")
            let authenticator = (found.json["authenticators"] as? [[String: Any]])?.first
            #expect(found.json["total"] as? Int == 1 && authenticator?["serialNumber"] as? String == serial)
            #expect((authenticator?["authenticatorType"] as? String)?.hasPrefix("TYP") == true)

            _ = try await node.post("users/alice@master/unregister", node.adaptive("AdaptiveUnregisterUserInput"))
            #expect(try await node.activationStatus() == "unknown")
        }
    }

    @Test func `a login and then an event and a transaction with its ids are approved`() async throws {
        let device = device
        try await LivePlatform.running(in: folder) { live in
            let (node, app) = (Node(live), try await device.activated(on: live))
            let login = try await node.post(
                "users/alice@master/login", #"{\#(node.remote)\#(node.browser)"objectType":"AdaptiveLoginInput"}"#)
            let id = try await node.approves(login, on: app)

            // A node sends the id of the last request again, also in a body of another kind.
            let event = try await node.post(
                "users/alice@master/events/validate",
                #"{"mobilePhoneNumber":"+15550100","requestID":"\#(id)",\#(node.remote)\#(node.browser)"eventType":"LoginAttempt"}"#
            )
            #expect(try await node.approves(event, on: app) == id)

            let data = [
                ("login", "alice"), ("beneficiary", "John Smith"), ("iban", "DE89370400440532013000"),
                ("amount", "66.66"), ("currency", "CAD"),
            ].map { #"{"key":{"text":"\#($0)"},"value":{"text":"\#($1)"}}"# }.joined(separator: ",")
            let payment =
                #""accountRef":"Ref123123","amount":"66.66","currency":"CAD","transactionType":"ExternalTransfer","creditorBank":"ABC Bank","creditorIBAN":"DE89370400440532013000","creditorName":"John Smith","debtorIBAN":"DE02120300000000202051","#
            let transaction = try await node.post(
                "users/alice@master/transactions/validate",
                #"{"data":{"transactionMessage":{"dataFields":[\#(data)]}},\#(node.remote)\#(payment)\#(node.browser)"objectType":"AdaptiveTransactionValidationInput"}"#
            )
            _ = try await node.approves(transaction, on: app)
        }
    }

    @Test func `a login that the user rejects is refused`() async throws {
        let device = device
        try await LivePlatform.running(in: folder) { live in
            let (node, app) = (Node(live), try await device.activated(on: live))
            let login = try await node.post(
                "users/alice@master/login", #"{\#(node.remote)"objectType":"LoginInput"}"#)
            let id = try #require(login.text("requestID"))
            let pointer = try OrchestrationCommand(text: #require(login.text("requestMessage")))
            for try await event in app.execute(pointer) {
                if case .approvalRequired(let request) = event { try await request.reject(.notMe) }
            }
            #expect(try await node.get("sessions/\(id)").text("sessionStatus") == "refused")
        }
    }

    @Test func `a code, a response to a challenge, a password and a signature are accepted`() async throws {
        let device = device
        try await LivePlatform.running(in: folder) { live in
            let node = Node(live)
            let registered = try await node.post(
                "users/register",
                #"{"activationType":"onlineMDL","staticPassword":"Test1234",\#(node.registration("RegisterUserInputEx"))}"#
            )
            let app = try await device.app(on: live)
            let password = try #require(registered.text("activationPassword"))
            _ = try await app.user("alice").activate(with: password)

            func login(_ credentials: String, _ id: String = "") async throws -> TestServer.Answer {
                let body = #"{"credentials":{\#(credentials)},\#(id)\#(node.remote)"objectType":"LoginInput"}"#
                return try await node.post("users/alice@master/login", body)
            }
            let code = try await app.user("alice").oneTimePassword()
            let first = try await login(#""authenticator":{"OTP":"\#(code.oneTimePassword)"}"#)
            #expect(first.text("sessionStatus") == "accepted" && first.json["riskResponseCode"] as? Int == 0)
            let again = try await login(#""authenticator":{"OTP":"\#(code.oneTimePassword)"}"#)
            #expect(again.text("sessionStatus") == "failed" && again.json["riskResponseCode"] as? Int == 1)
            #expect(try await login(#""passKey":"Test1234""#).text("sessionStatus") == "accepted")

            let challenge = try await node.post(
                "users/alice@master/generate-challenge", #"{"length":"6","checkDigit":"false"}"#)
            let (digits, id) = (try #require(challenge.text("challenge")), try #require(challenge.text("requestID")))
            #expect(digits.count == 6)
            let response = try await app.user("alice").oneTimePassword(application: .app3, challenge: digits)
            let second = try await login(
                #""authenticator":{"OTP":"\#(response.oneTimePassword)"}"#, #""requestID":"\#(id)","#)
            #expect(second.text("sessionStatus") == "accepted" && second.text("requestID") == id)

            let fields = ["123456789", "987654321", "66.66"]
            let made = try await app.user("alice").sign(fields.map { DataField(value: $0) })
            let texts = fields.map { "\"\($0)\"" }.joined(separator: ",")
            let transaction = try await node.post(
                "users/alice@master/transactions/validate",
                #"{"data":{"standard":{"dataFields":[\#(texts)],"signature":"\#(made.signature)"}},\#(node.remote)"objectType":"TransactionValidationInput"}"#
            )
            #expect(transaction.text("sessionStatus") == "accepted")
            #expect(transaction.json["riskResponseCode"] as? Int == 0)
        }
    }

    /// Bodies of nodes that are refused by name: the path, the body, and the field.
    private static let refused: [(path: String, body: String, field: String)] = [
        (
            "users/alice@master/transactions/validate",
            #"{"data":{"secureChannel":{"requestID":"r","signature":"12345678"}},"timeout":0,"objectType":"TransactionValidationInput"}"#,
            "data.secureChannel"
        ),
        (
            "users/alice@master/transactions/validate",
            #"{"data":{"fido":{"fidoProtocol":"UAF11","authenticationResponse":"x"}},"timeout":0,"objectType":"TransactionValidationInput"}"#,
            "data.fido"
        ),
        (
            "users/alice@master/login",
            #"{"credentials":{"fidoAuthenticator":{"authenticationResponse":"x"}},"timeout":0,"objectType":"LoginInput"}"#,
            "credentials.fidoAuthenticator"
        ),
        (
            "users/alice@master/events/validate",
            #"{"credentials":{"passKey":"Test1234"},"timeout":0,"eventType":"LoginAttempt"}"#, "credentials"
        ),
        (
            "users/alice@master/transactions/validate",
            #"{"data":{"transactionMessage":{"dataFields":[]}},"timeout":0,"creditorIBAN":"IBAN123123","objectType":"TransactionValidationInput"}"#,
            "creditorIBAN"
        ),
        (
            "users/register", #"{"activationType":"offlineMDL","objectType":"RegisterUserInputEx","userID":"alice"}"#,
            "activationType"
        ),
        ("users/alice@master/generate-challenge", #"{"length":"99","checkDigit":"false"}"#, "length"),
    ]

    @Test func `an error has the members that a node reads`() async throws {
        try await LivePlatform.running(in: folder) { live in
            let node = Node(live)
            for (path, body, field) in Self.refused {
                let answer = try await node.send(path, body)
                let problems = answer.json["validationErrors"] as? [[String: String]]
                #expect(answer.status == 400 && answer.fields == [field], "\(path)")
                #expect(problems?.first?["message"]?.isEmpty == false)
                #expect(answer.text("message") != nil && answer.text("error") != nil)
                #expect(answer.header("log-correlation-id")?.isEmpty == false)
            }
            let unknown = try await node.get("sessions/unknown")
            #expect(unknown.status == 404 && unknown.text("message") != nil)
        }
    }
}

/// The nodes of an access manager, and the parts of their bodies.
private struct Node {
    /// The session as a node writes it: the digits of a UUID's text.
    static let session = "33663731373665612d306265642d343662652d613162322d376335643138653930613463"
    /// The codes that a node takes for a further step of the user.
    static let steps = [2, 3, 4, 5, 8, 10, 11, 21, 22, 23, 24, 25]

    let server: TestServer

    init(_ live: LivePlatform) {
        server = TestServer(
            platform: live.platform, port: live.address.port ?? 0, applicationKey: live.apiKey, administratorKey: "")
    }

    /// The browser, whose data is JSON and no text.
    let device =
        #""clientIP":"192.168.1.1","cddc":{"browserCDDC":{"fingerprintHash":"9b1c6f0a4e2d8b7735c1e0f9a8d7c6b5a4938271605f4e3d2c1b0a9988776655","fingerprintRaw":{"browser":{"userAgent":"Mozilla/5.0 (X11; Linux x86_64)"},"viewport":{"width":1903,"height":969},"support":{"ajax":true,"boxModel":null},"computer":{"screenWidth":1920,"platform":"Linux"},"additional":{}}}}"#
    let remote = #""orchestrationDelivery":["pushNotification","requestMessage"],"timeout":0,"#

    /// Returns the body of a registration with the ids of the access manager.
    func adaptive(_ type: String) -> String {
        let ids = #""applicationRef":"Access manager","sessionID":"\#(Self.session)","relationshipRef":"alice""#
        return #"{\#(ids),"activationType":"onlineMDL",\#(registration(type))}"#
    }

    var browser: String {
        #"\#(device),"relationshipRef":"alice","sessionID":"\#(Self.session)","applicationRef":"Access manager","#
    }

    func registration(_ type: String) -> String { #""objectType":"\#(type)","userID":"alice",\#(device)"# }

    /// Sends a body with the headers of a node's HTTP client.
    func send(_ path: String, _ body: String) async throws -> TestServer.Answer {
        try await server.send("POST", "/v1/\(path)", body: Data(body.utf8), headers: headers)
    }

    func post(_ path: String, _ body: String) async throws -> TestServer.Answer {
        let answer = try await send(path, body)
        #expect(answer.status == 200, "\(path): \(answer.json)")
        #expect(answer.header("log-correlation-id")?.isEmpty == false)
        return answer
    }

    func get(_ path: String) async throws -> TestServer.Answer {
        try await server.send("GET", "/v1/\(path)", headers: headers)
    }

    private var headers: [String: String] {
        [
            "Authorization": "Bearer \(server.applicationKey)", "Content-Type": "application/json; charset=UTF-8",
            "Accept": "application/json", "User-Agent": "Apache-HttpClient/4.5.13 (Java/11.0.22)",
            "Accept-Encoding": "gzip,deflate",
        ]
    }

    func activationStatus() async throws -> String? {
        let answer = try await post("registrations/check-status", #"{"login":"alice","timeoutSeconds":"0"}"#)
        return answer.text("activationStatus")
    }

    /// Asks for the image of a text, as a browser does.
    func draws(_ text: String) async throws {
        let message = Hex.encode(Array(text.utf8))
        let image = try await server.send("GET", "/v1/visualcodes/render?format=CRONTO&message=\(message)")
        #expect(image.status == 200 && image.header("Content-Type") == "image/png")
    }

    /// Approves a pending request on a device, and returns its id.
    func approves(_ answer: TestServer.Answer, on app: Orchestrator) async throws -> String {
        let code = try #require(answer.json["riskResponseCode"] as? Int)
        #expect(answer.text("sessionStatus") == "pending" && Self.steps.contains(code))
        let id = try #require(answer.text("requestID"))
        try await draws(Self.session)
        try await draws(id)
        #expect(try await get("sessions/\(id)").text("sessionStatus") == "pending")
        let pointer = try OrchestrationCommand(text: #require(answer.text("requestMessage")))
        for try await event in app.execute(pointer) {
            if case .approvalRequired(let request) = event { try await request.approve() }
        }
        #expect(try await get("sessions/\(id)").text("sessionStatus") == "accepted")
        return id
    }
}

/// The application server of an app, which sends the commands of its devices to the platform.
private struct Relay: Transport {
    let node: Node
    let route: String

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        let answer = try await node.post(route, #"{"command":"\#(command.text)"}"#)
        return try OrchestrationCommand(text: #require(answer.text("command")))
    }
}
