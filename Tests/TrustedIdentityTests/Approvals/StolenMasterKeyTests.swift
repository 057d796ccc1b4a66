import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// A thief with a copy of the database and its master key, who tries to approve as a user.
///
/// The thief has every secret of the platform, also those that it shares with the device, and not the device key.
@Suite struct StolenMasterKeyTests {
    private let harness: Harness
    private let phone: Authenticator
    /// The platform on the copy of the thief.
    private let copy: Harness
    private let thiefKey = P256.Signing.PrivateKey()

    init() async throws {
        harness = try await Harness()
        phone = try await harness.activate()
        copy = try await harness.restarted(on: harness.snapshot())
    }

    /// Signs an approval with a key of the thief.
    private func approval(of request: ApprovalRequestContent, hash: [UInt8]) async throws -> Sign1 {
        let content = ApprovalAnswerContent(
            deviceID: phone.id, requestHash: hash, method: request.approvalMethod, fallback: nil, decision: .approved,
            number: nil, time: harness.time.now())
        return try await content.signed { bytes in Array(try thiefKey.signature(for: bytes).rawRepresentation) }
    }

    /// Makes a receipt for a request that no application server has made, with the keys of the platform.
    private func receipt(naming deviceKey: [UInt8]) async throws -> Receipt {
        let report = try await copy.requestLogin()
        let id = try #require(report.id)
        let record = try #require(try await copy.store.read { try $0.approval(id) })
        let request = try Sign1(decoding: record.request)
        let content = try ApprovalRequestContent(decoding: request.payload)
        let answer = try await approval(of: content, hash: request.digest)
        let now = copy.time.now()
        let confirmation = ReceiptConfirmation(
            tenant: content.tenant, account: content.account, deviceID: phone.id, deviceKey: deviceKey,
            requestHash: request.digest, answerHash: answer.digest, verifiedMethod: content.approvalMethod,
            outcome: .approved, time: now, decisionRecord: content.decisionRecord)
        let signed = try confirmation.signed(with: [copy.platform.keys.signingKey(at: now)])
        return Receipt(ReceiptParts(request: request, answer: answer, confirmation: signed))
    }

    @Test func `the platform takes no approval from a thief of its database and master key`() async throws {
        let report = try await harness.requestLogin()
        let fetched = try await phone.fetch(report, from: harness)
        let answer = try await phone.send(try await approval(of: fetched.content, hash: fetched.hash), to: harness)
        #expect(answer.receipt == nil && answer.refusal != nil)
        #expect(try await harness.status(of: report).status == .pending)
        // The user can still answer.
        let decided = try await phone.decide(.approved, on: report, with: harness)
        #expect(decided.receipt != nil)
    }

    @Test func `a receipt of a thief of the master key is found by its device key alone`() async throws {
        let earlier = try #require(try await phone.decide(.approved, on: harness.requestLogin(), with: harness).receipt)
        let known = try Receipt(earlier).verify(with: phone.platformKeys)
        let forged = try await receipt(naming: Array(thiefKey.publicKey.compressedRepresentation))
        let statement = try forged.verify(with: phone.platformKeys)
        #expect(statement.outcome == .approved && statement.verifiedMethod == known.verifiedMethod)
        #expect((statement.account, statement.deviceID) == (known.account, known.deviceID))
        #expect(known.deviceKey == Array(phone.key.publicKey.compressedRepresentation))
        #expect(statement.deviceKey != known.deviceKey)
    }

    @Test func `a receipt of a thief that names the key of the device does not verify`() async throws {
        let forged = try await receipt(naming: Array(phone.key.publicKey.compressedRepresentation))
        let error = #expect(throws: ReceiptError.self) { _ = try forged.verify(with: phone.platformKeys) }
        #expect(error?.code == .answerNotAuthentic)
    }
}
