import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// Approvals under a policy that refuses rooted devices. What the platform does not know never makes it accept more.
@Suite struct DeviceApprovalTests {
    private let harness: Harness
    private let phone: Authenticator

    /// Payments above 30 EUR from a rooted device are refused; others need the password.
    private static func policy() throws -> Policy {
        let large = try #require(AmountRange(atLeast: MonetaryAmount(Amount("30.01"), Currency("EUR"))))
        let password = PolicyAction.challenge(try #require(PolicyRequirement(.password)))
        let refused = try #require(
            PolicyRule("rooted", when: [.amount(large), .deviceData(key: "rooted", value: "true")], then: .refuse))
        let rest = try #require(PolicyRule("rest", then: password))
        var policy = Policy.default
        policy.transactions = try #require(PolicyRules([refused, rest]))
        return policy
    }

    init() async throws {
        var configuration = PlatformConfiguration(postQuantum: .off, requestsPerDevice: 6_000)
        configuration.policy = try Self.policy()
        harness = try await Harness(configuration)
        phone = try await harness.activate()
    }

    private static func data(rooted: DeviceDataValue?) throws -> DeviceData {
        var values: [DeviceDataField: DeviceDataValue] = [.system: .text("Linux")]
        values[.rooted] = rooted
        return try DeviceData(values)
    }

    private func approve(
        _ report: ApprovalReport, _ extensions: Extensions, wrong: Bool = false, at harness: Harness? = nil
    ) async throws -> AnswerMessage {
        let harness = harness ?? self.harness
        let answer = try await phone.answer(phone.fetch(report, from: harness), .approved, with: harness)
        return try await phone.send(
            .approvalAnswer(answer), proof: .password, wrong: wrong, extensions: extensions, to: harness)
    }

    @Test func `an approval whose data the platform has lost waits until they come in full`() async throws {
        for isRooted in [true, false] {
            let data = try Self.data(rooted: .boolean(isRooted))
            _ = try await phone.send(.approvalList, extensions: .deviceData(.full(data.encoded)), to: harness)
            let id = phone.id
            try await harness.store.write { try $0.removeDeviceData(of: id) }
            let report = try await harness.requestPayment("300")
            // However often the hash is sent, also beside a wrong password, which is not counted.
            for wrong in [false, true, false] {
                let answer = try await approve(report, .deviceData(.hash(data.hash)), wrong: wrong)
                #expect(answer.refusal == .deviceDataUnknown && answer.extensions.deviceDataReply == .unknown)
                #expect(try await harness.status(of: report).status == .pending)
            }
            let counted = try await approve(report, .deviceData(.full(data.encoded)), wrong: true)
            #expect(counted.refused?.remainingTries == 4)
            let answer = try await approve(report, .deviceData(.full(data.encoded)))
            #expect((answer.receipt != nil) == !isRooted)
            #expect(answer.refusal == (isRooted ? .methodRefused : nil))
            #expect(try await harness.status(of: report).status == (isRooted ? .refused : .accepted))
        }
    }

    @Test func `an approval at a platform that was restored without the data waits as well`() async throws {
        let backup = try harness.snapshot()
        let data = try Self.data(rooted: .boolean(true))
        _ = try await phone.send(.approvalList, extensions: .deviceData(.full(data.encoded)), to: harness)
        let restored = try await harness.restarted(on: backup)
        let report = try await restored.requestPayment("300")
        let hashed = try await approve(report, .deviceData(.hash(data.hash)), at: restored)
        #expect(hashed.refusal == .deviceDataUnknown)
        let full = try await approve(report, .deviceData(.full(data.encoded)), at: restored)
        #expect(full.refusal == .methodRefused)
    }

    @Test func `an approval without a known value is refused, and so is one with a keyed hash`() async throws {
        var broken = try Self.data(rooted: .boolean(false)).encoded
        broken[broken.count - 1] = 0xF6
        let rows: [Extensions] = [
            .none, .deviceData(.full(try Self.data(rooted: nil).encoded)), .deviceData(.full(broken)),
            .deviceData(.full(try Self.data(rooted: .hash([UInt8](repeating: 7, count: 16))).encoded)),
            [1: .text("x")], [2: .bytes([1])],
        ]
        for extensions in rows {
            let report = try await harness.requestPayment("300")
            #expect(try await approve(report, extensions).refusal == .methodRefused)
            #expect(try await harness.status(of: report).status == .refused)
            let entry = try #require(try await harness.platform.audit(limit: 1).first)
            #expect(entry.event == .approvalAnswered && entry.reason == "deviceDataRefused")
            let small = try await harness.requestPayment("30")
            #expect(try await approve(small, extensions).receipt != nil)
        }
    }

    @Test func `a known hash is as good as its data, and a rejection needs none`() async throws {
        let data = try Self.data(rooted: .boolean(false))
        _ = try await phone.send(.approvalList, extensions: .deviceData(.full(data.encoded)), to: harness)
        let report = try await harness.requestPayment("300")
        #expect(try await approve(report, .deviceData(.hash(data.hash))).receipt != nil)
        let other = try await harness.requestPayment("300")
        let rejection = try await phone.answer(
            phone.fetch(other, from: harness), .rejected(.canceled), with: harness)
        let unknown = Extensions.deviceData(.hash([UInt8](repeating: 1, count: 32)))
        let answer = try await phone.send(
            .approvalAnswer(rejection), proof: .possession, extensions: unknown, to: harness)
        #expect(answer.receipt != nil && answer.extensions.deviceDataReply == .unknown)
    }

    @Test func `one answer has the notice of a cancellation and asks for data in full`() async throws {
        let report = try await harness.requestPayment("300")
        let signed = try await phone.answer(phone.fetch(report, from: harness), .approved, with: harness)
        let notice = try RefusalNotice(text: "Sold out", payload: [1])
        _ = try await harness.platform.cancelApproval(requestID: report.requestID, notice: notice)
        let unknown = Extensions.deviceData(.hash([UInt8](repeating: 1, count: 32)))
        let answer = try await phone.send(
            .approvalAnswer(signed), proof: .password, extensions: unknown, to: harness)
        #expect(answer.refusal == .approvalCanceled && answer.notice == notice)
        #expect(answer.extensions.deviceDataReply == .unknown)
    }

    @Test func `the reply is the same for a rooted device, no device and no user`() async throws {
        let data = try Self.data(rooted: .boolean(true))
        _ = try await phone.send(.approvalList, extensions: .deviceData(.full(data.encoded)), to: harness)
        _ = try await harness.register("bob@master")
        for user in [Harness.alice, "bob@master", "carol@master"] {
            let report = try await harness.requestPayment("300", to: "ACME", user)
            #expect(report.status == .pending && report.declineReason == nil && report.method == .password)
        }
    }

    @Test func `each refusal says whether the device is served`() {
        let unserved: Set<RefusalCode> = [
            .locked, .ratchetOutdated, .expired, .revoked, .pendingExpired, .cloneSuspected, .ratchetUnknown,
            .rateLimited, .suspended, .ratchetBehind, .keysOutdated,
        ]
        let named = (1...1_000).map(RefusalCode.init).filter { !$0.description.hasPrefix("unknown(") }
        #expect(Set(named) == RefusalCode.ofServedDevices.union(unserved))
        #expect(RefusalCode.ofServedDevices.isDisjoint(with: unserved))
    }
}
