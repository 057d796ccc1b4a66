// The test of an adopter: the platform of the test kit asks, and the app answers. It needs no trait either.
import Orchestration
import OrchestrationTesting
import TrustedIdentity

try await runAlone()

let platform = try await TestPlatform(showsNumbers: true)
let phone = try TestDevice(seed: 1, time: platform.time)
let app = try await phone.orchestrator(transport: platform.transport, user: ScriptedUser(password: "305172"))
let activationPassword = try await platform.register("alice")
try await app.user("alice").activate(with: activationPassword)

// The site asks, the app gets the pointer on its stream, and the user types the number of the site.
let login = try await platform.requestLogin("alice", showing: [.requester("Bookshop")])
for try await pointer in app.notifications(for: "alice") {
    let receipt = try await answer(pointer, number: login.numberToMatch, on: app)
    let ended = try await platform.approval(login)
    guard ended.status == .accepted, let receipt, ended.receipt == receipt.bytes else {
        throw OrchestrationError(.unexpected)
    }
    let statement = try receipt.verify(with: platform.platform.publishedKeys())
    guard statement.outcome == .approved, statement.number == login.numberToMatch else {
        throw OrchestrationError(.unexpected)
    }
    break
}

// A payment that the user did not make.
let payment = try await platform.requestPayment("alice", "49.90", to: "Shop", account: "DE89370400440532013000")
guard let pointer = payment.pointer else { throw OrchestrationError(.unexpected) }
_ = try await answer(pointer, number: payment.numberToMatch, on: app)
guard try await platform.approval(payment).declineReason == .notMe else { throw OrchestrationError(.unexpected) }

// The user types the current password, and the new one twice. From then on, only the new one makes codes that log in.
let change = ScriptedUser([.password("305172"), .password("846013"), .password("846013"), .password("846013")])
let changed = try await phone.orchestrator(transport: platform.transport, user: change)
try await changed.user("alice").changePassword()
platform.time.advance(seconds: 60)
let code = try await changed.user("alice").oneTimePassword().oneTimePassword
guard try await platform.login("alice", code: code).status == .accepted else { throw OrchestrationError(.unexpected) }

// A finger is enrolled, behind the password. The SDK keeps its keys in software: the platform takes them for possession.
struct Finger: UserCheckProvider {
    let method = AuthenticationMethod.biometric
    func availability() async -> Availability { .available }
    func check(_ prompt: Prompt) async throws -> UserCheck { .recognized }
}
let hand = ScriptedUser([.password("846013")])
let touch = try await phone.orchestrator(transport: platform.transport, user: hand, providers: [Finger()])
guard try await touch.user("alice").enroll(.biometric).enrolledMethods == [.biometric],
    try await touch.user("alice").remove(.biometric).enrolledMethods.isEmpty
else { throw OrchestrationError(.unexpected) }
print("adopter: built without traits; approved a login, rejected a payment, changed the password and enrolled a finger")
