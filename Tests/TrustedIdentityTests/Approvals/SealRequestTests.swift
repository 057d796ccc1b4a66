import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// Approval requests that a device itself starts, for a seal.
struct SealRequestTests {
    /// Asks for a seal, and returns the id of the approval request.
    private func ask(_ device: Authenticator, _ text: String = "I agree", with harness: Harness) async throws -> [UInt8]
    {
        let answer = try await device.send(.sealRequest(SealContent(text: text), method: .password), to: harness)
        guard case .accepted(let body) = answer.result else {
            throw PlatformError(.internal)
        }
        return try required(body.answer(to: SealRequestMessage.self)).id
    }

    private func fetch(_ id: [UInt8], by device: Authenticator, from harness: Harness) async throws -> AnswerMessage {
        try await device.send(.approvalFetch(id: id), to: harness)
    }

    private func list(_ device: Authenticator, from harness: Harness) async throws -> [PendingApproval] {
        let answer = try await device.send(.approvalList, to: harness)
        guard case .accepted(let body) = answer.result else { return [] }
        return body.answer(to: ApprovalListMessage.self)?.approvals ?? []
    }

    @Test func `a seal waits for the device that has asked for it, and for no other`() async throws {
        let harness = try await Harness()
        let (first, second) = (try await harness.activate(), try await harness.activate())
        let id = try await ask(first, with: harness)
        let waiting = try await list(first, from: harness)
        #expect(waiting.map(\.id) == [id] && waiting.map(\.kind) == [.seal] && waiting.allSatisfy { !$0.isAnnounced })
        #expect(try await list(second, from: harness).isEmpty)
        #expect(try await fetch(id, by: second, from: harness).refusal == .approvalUnknown)
        #expect(try await fetch(id, by: first, from: harness).refusal == nil)
        #expect(try await harness.events(.approvalRequested).map(\.reason) == ["seal"])
    }

    @Test func `possession alone seals nothing`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let id = try await ask(device, with: harness)
        let answer = try await fetch(id, by: device, from: harness)
        guard case .accepted(let body) = answer.result, let fetched = body.answer(to: ApprovalFetchMessage.self) else {
            Issue.record("not fetched")
            return
        }
        let verified = try ApprovalRequestContent.verified(
            fetched.request, keys: device.platformKeys, device: device.address, id: id)
        #expect(verified.message.principal.id == Hex.encode(device.id) && verified.message.digits == 0)
        let approval = FetchedApproval(content: verified.message, hash: verified.receiptHash)
        let claim = try await device.answer(
            approval, .approved, method: .possession, fallback: .chosenByUser, with: harness)
        #expect(try await device.send(claim, proof: .possession, to: harness).refusal == .methodRefused)
        #expect(try await list(device, from: harness).isEmpty)
    }

    @Test func `in the strict mode a seal needs no number, because no site shows one`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await device.decide(.rejected(.notMe), on: harness.requestLogin(), by: .password, with: harness)
        let id = try await ask(device, with: harness)
        let answer = try await fetch(id, by: device, from: harness)
        guard case .accepted(let body) = answer.result, let fetched = body.answer(to: ApprovalFetchMessage.self) else {
            Issue.record("not fetched")
            return
        }
        let verified = try ApprovalRequestContent.verified(
            fetched.request, keys: device.platformKeys, device: device.address, id: id)
        let approval = FetchedApproval(content: verified.message, hash: verified.receiptHash)
        let seal = try await device.answer(approval, .approved, method: .password, with: harness)
        #expect(try await device.send(seal, to: harness).receipt != nil)
    }

    @Test func `a second seal of a device replaces the first, and a login stays`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let login = try await harness.requestLogin()
        let first = try await ask(device, "1", with: harness)
        let second = try await ask(device, "2", with: harness)
        #expect(try await fetch(first, by: device, from: harness).refusal == .approvalReplaced)
        #expect(try await fetch(second, by: device, from: harness).refusal == nil)
        #expect(try await harness.status(of: login).status == .pending)
    }

    @Test func `a seal expires after 120 seconds`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let id = try await ask(device, with: harness)
        harness.time.advance(seconds: 119)
        #expect(try await fetch(id, by: device, from: harness).refusal == nil)
        harness.time.advance(seconds: 1)
        #expect(try await fetch(id, by: device, from: harness).refusal == .approvalExpired)
    }

    @Test func `a policy without seals, and an application server, make no such request`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        var policy = harness.configuration.policy
        policy.codes.seals = false
        try await harness.platform.replacePolicy(with: policy, hash: [1])
        let answer = try await device.send(.sealRequest(SealContent(text: "1"), method: .password), to: harness)
        #expect(answer.refusal == .notPermitted)
        let display = try DisplayData([.text("1")])
        await #expect(throws: PlatformError(.malformedRequest)) {
            try await harness.platform.requestApproval(.init(.seal, of: Harness.account(), display: display))
        }
    }
}
