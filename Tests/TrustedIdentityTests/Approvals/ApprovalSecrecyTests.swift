import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// What a caller learns about the devices of a user from a request for an approval: nothing.
@Suite struct ApprovalSecrecyTests {
    /// What rules ask for that not every device has.
    static let requirements: [(AuthenticationMethod, fallbacks: [AuthenticationMethod], digits: Int)] = [
        (.biometric, fallbacks: [.password], digits: 0), (.biometric, fallbacks: [.face], digits: 0),
        (.face, fallbacks: [.biometric, .password], digits: 6), (.face, fallbacks: [], digits: 0),
        (.password, fallbacks: [.biometric], digits: 0), (.possession, fallbacks: [.password], digits: 0),
    ]

    /// The kinds of users. Only the first one has no account.
    static let users = ["stranger", "registered", "password", "biometric", "face", "locked"].map { "\($0)@master" }

    /// What a caller sees of a report, without what is random in every report.
    private struct Reply: Equatable {
        let status: ApprovalReport.Status
        let method: AuthenticationMethod?
        let declineReason: ApprovalReport.DeclineReason?
        let digits: Int?
        let pointerLength: Int?
        let expiresAt: Timestamp?
        let isOpened: Bool
        let hasReceipt: Bool

        init(_ report: ApprovalReport) {
            status = report.status
            method = report.method
            declineReason = report.declineReason
            digits = report.numberToMatch?.utf8.count
            pointerLength = report.pointer?.bytes.count
            expiresAt = report.expiresAt
            isOpened = report.isOpened
            hasReceipt = report.receipt != nil
        }
    }

    private static func policy(
        _ method: AuthenticationMethod, fallbacks: [AuthenticationMethod], digits: Int = 0
    ) throws -> Policy {
        let requirement = PolicyRequirement(checked: method, digits: digits, fallbacks: fallbacks)
        let rules = try required(PolicyRules([required(PolicyRule("only", then: .challenge(requirement)))]))
        return try required(Policy(name: "test", logins: rules, transactions: rules))
    }

    /// Stores a device of a user.
    private static func addDevice(
        _ number: Int, of user: String, methods: [UInt64], state: DeviceState = .active, to store: Store
    ) async throws {
        var device = DeviceRecord(
            id: [UInt8](repeating: UInt8(number), count: 16), account: user, registrationID: "r",
            serialNumber: "TI000000000\(number)", createdAt: Fixture.now, pendingUntil: Fixture.now, name: "phone",
            sdkVersion: "1", methods: methods, deviceKey: [UInt8](repeating: 2, count: 33), suite: 1,
            promotedAt: Fixture.now)
        (device.state, device.activatedAt) = (state, device.createdAt)
        let row = device
        try await store.write { try requireWritten($0.insert(row)) }
    }

    @Test(arguments: requirements.indices)
    func `a user of every kind gets the same reply, at once, later and in the end`(index: Int) async throws {
        let (method, fallbacks, digits) = Self.requirements[index]
        let policy = try Self.policy(method, fallbacks: fallbacks, digits: digits)
        let harness = try await Harness(.init(postQuantum: .off, policy: policy))
        for user in Self.users.dropFirst() { _ = try await harness.register(user) }
        let store = harness.platform.store
        try await Self.addDevice(1, of: "password@master", methods: [0, 1], to: store)
        try await Self.addDevice(2, of: "biometric@master", methods: [0, 1, 2], to: store)
        try await Self.addDevice(3, of: "face@master", methods: [0, 1, 3], to: store)
        try await Self.addDevice(4, of: "locked@master", methods: [0, 1, 2], state: .locked, to: store)
        var reports: [ApprovalReport] = []
        for user in Self.users { reports.append(try await harness.requestLogin(user, showsNumbers: true)) }
        for report in reports {
            #expect(Reply(report) == Reply(reports[0]))
            #expect(report.status == .pending && report.method == method)
        }
        var polled: [Reply] = []
        for report in reports { polled.append(Reply(try await harness.status(of: report))) }
        #expect(polled.allSatisfy { $0 == Reply(reports[0]) })
        harness.time.advance(seconds: 120)
        var ended: [Reply] = []
        for report in reports { ended.append(Reply(try await harness.status(of: report))) }
        #expect(ended.allSatisfy { $0 == ended[0] && $0.status == .timeout })
    }

    @Test func `a device without the method approves by a fallback, and says so`() async throws {
        let policy = try Self.policy(.biometric, fallbacks: [.password])
        let harness = try await Harness(.init(postQuantum: .off, policy: policy))
        let phone = try await harness.activate()
        let report = try await harness.requestLogin()
        let approval = try await phone.fetch(report, from: harness)
        #expect(approval.content.approvalMethod == .biometric)
        let silent = try await phone.answer(approval, .approved, method: .password, with: harness)
        #expect(try await phone.send(silent, to: harness).refusal == .malformed)
        let answer = try await phone.answer(
            approval, .approved, method: .password, fallback: .notAvailable, with: harness)
        let parts = try #require(try await phone.send(answer, to: harness).receipt)
        let receipt = try Receipt(parts).verify(with: phone.platformKeys)
        #expect(receipt.verifiedMethod == .password && receipt.fallback == .notAvailable)
        #expect(try await harness.status(of: report).status == .accepted)
        let id = try #require(report.decision)
        let record = try #require(try await harness.platform.decision(id))
        #expect(record.decision.words == "password for biometric, push")
    }

    @Test func `where no device has an accepted method, the record says so and no answer approves`() async throws {
        let harness = try await Harness(.init(postQuantum: .off, policy: Self.policy(.face, fallbacks: [.biometric])))
        let phone = try await harness.activate()
        let report = try await harness.requestLogin()
        let id = try #require(report.decision)
        let record = try #require(try await harness.platform.decision(id))
        #expect(record.decision.words == "face for face, push")
        let approval = try await phone.fetch(report, from: harness)
        let answer = try await phone.answer(
            approval, .approved, method: .password, fallback: .notAvailable, with: harness)
        #expect(try await phone.send(answer, to: harness).refusal == .methodRefused)
        #expect(try await harness.status(of: report).declineReason == .methodRefused)
    }
}
