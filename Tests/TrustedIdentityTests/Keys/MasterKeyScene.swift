import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// A platform with rows of every kind that are sealed or authenticated.
struct MasterKeyScene {
    static let user = "carol@master"
    static let pending = "dave@master"
    static let staticPassword = "correct horse battery"

    let harness: Harness
    let device: Authenticator
    let key: NewAPIKey
    /// A challenge that no login has answered.
    let challenge: LoginChallenge
    /// An approval request with a number that no device has answered.
    let open: ApprovalReport
    /// An approval request that the device has approved.
    let answered: ApprovalReport
    /// The activation password of a registration that no device has used.
    let activationPassword: String

    init(_ harness: Harness) async throws {
        self.harness = harness
        device = try await harness.activate(Self.user)
        _ = try await harness.register("erin@master", staticPassword: Self.staticPassword)
        let data = try DeviceData([.system: .text("Linux"), .rooted: .boolean(false)])
        _ = try await device.send(.approvalList, extensions: .deviceData(.full(data.encoded)), to: harness)
        let revoked = try await harness.activate("frank@master")
        try await harness.platform.revokeDevice(
            revoked.id, of: Harness.account("frank@master"), requestedBy: .administrator)
        key = try await harness.platform.createAPIKey(scope: .applicationServer, name: "shop")
        // A risk state of an account that does not exist, too.
        _ = try await harness.requestLogin("unknown@master")
        answered = try await harness.requestLogin(Self.user)
        try await device.decide(.approved, on: answered, with: harness)
        harness.time.advance(seconds: 40)
        open = try await harness.requestLogin(Self.user, showsNumbers: true)
        challenge = try await harness.platform.generateChallenge(for: Harness.account(Self.user))
        // An exchange that has its first answer.
        let initiator = try Authenticator.initiator(
            Self.pending, code: try await harness.register(Self.pending), suites: [.classic], capabilities: [],
            random: harness.random)
        _ = try await harness.platform.execute(initiator.command)
        activationPassword = try await harness.register(Self.pending)
    }

    /// Uses every row on a platform over the same store.
    func expectEverythingWorks(on other: Harness) async throws {
        #expect(try await other.login(device.code(at: other.time.now()), Self.user).status == .accepted)
        let principal = try await other.platform.authenticate(apiKey: key.secret)
        #expect(principal?.id == key.id)
        let response = try device.code(challenge: challenge.digits)
        let answer = LoginRequest(
            account: try Harness.account(Self.user),
            credential: .challengeResponse(response, requestID: challenge.requestID))
        #expect(try await other.platform.login(answer).status == .accepted)
        #expect(try await other.status(of: answered).status == .accepted)
        try await device.decide(.approved, on: open, number: open.numberToMatch, with: other)
        #expect(try await other.status(of: open).status == .accepted)
        #expect(
            try await other.platform.login(
                LoginRequest(
                    account: Harness.account("erin@master"), credential: .staticPassword(Self.staticPassword))
            ).status == .accepted)
        let data = try await other.platform.deviceData(of: device.id, of: Harness.account(Self.user))
        #expect(data?.fields.map(\.value) == ["Linux", "false"])
        let pending = try await Authenticator.exchangeKeys(Self.pending, code: activationPassword, with: other)
        try await pending.complete(with: other)
        #expect(try await other.login("000000", "unknown@master").status == .refused)
        #expect(try await other.requestLogin("unknown@master").id != nil)
        #expect(try await other.platform.verifyAudit().findings == [])
    }
}
