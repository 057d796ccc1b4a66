import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

/// The sizes in the article "Approval requests and answers", before a text form: tenant `default`, account
/// `alice@master`, a ratchet index below 24, and no key statement beside the answer.
@Suite struct ApprovalSizeTests {
    private let fixture: ApprovalFixture

    init() throws { fixture = try ApprovalFixture() }

    private func head(_ time: Timestamp) -> MessageHead {
        MessageHead(
            device: fixture.device, requestID: [UInt8](repeating: 0x77, count: 16), time: time, ratchetIndex: 7)
    }

    private func identity(_ suite: Suite) -> ChannelIdentity {
        ChannelIdentity(
            device: fixture.device, suite: suite, presharedKey: SymmetricKey(data: [UInt8](repeating: 2, count: 32)))
    }

    /// Returns the lengths of a sealed request and of its sealed answer.
    private func lengths(
        _ suite: Suite, body: RequestBody, proof: InstanceProof?, answer: AnswerBody
    ) async throws -> (request: Int, answer: Int) {
        let pair = try SealingKeyPair(suite: suite, random: SeededRandom(1))
        let time = ApprovalFixture.created
        let message = try await RequestMessage(head(time), body: body).signed { bytes in
            [UInt8](try fixture.deviceKey.signature(for: bytes).rawRepresentation)
        }
        let ratchet = RatchetPart(tag: [UInt8](repeating: 3, count: 32))
        let plaintext = SealedRequest(message: message, ratchet: ratchet, proof: proof).encoded
        let sealed = try ChannelClient.seal(
            plaintext, to: pair.publicKey, as: identity(suite), requestID: [UInt8](repeating: 0x77, count: 16),
            expiry: time.advanced(seconds: 290), random: SeededRandom(3))
        let opened = try ChannelRequest(decoding: sealed.command).open(with: pair, as: identity(suite))
        let reply = try AnswerMessage(to: body.type, head(time), failedCodes: 0, result: .accepted(answer))
            .signed(with: fixture.key)
        let answered = try opened.answer.seal(
            SealedAnswer(message: SignatureList([reply])).encoded, random: SeededRandom(2))
        return (sealed.command.bytes.count, answered.bytes.count)
    }

    @Test func `an approval request and the answer that brings it have their sizes`() async throws {
        let request = try fixture.payment().signed(with: fixture.key)
        #expect(request.encoded.count == 426)
        let id = [UInt8](repeating: 0x51, count: 16)
        let lengths = try await lengths(
            .classic, body: .approvalFetch(id: id), proof: nil, answer: .approvalFetch(request))
        #expect(lengths.answer == 745)
    }

    @Test(arguments: [(Suite.classic, 582), (.hybrid, 1_672)])
    func `an approval with a number and a proof has its size`(suite: Suite, count: Int) async throws {
        let request = try fixture.payment().signed(with: fixture.key)
        let answer = try await fixture.signed(fixture.approval(of: request))
        let confirmation = try fixture.confirmation(of: request, answer).signed(with: [fixture.key])
        let receipt = ReceiptParts(request: request, answer: answer, confirmation: confirmation)
        let proof = InstanceProof(
            instance: .password, method: 1, generation: 0, tag: [UInt8](repeating: 1, count: 32))
        let lengths = try await lengths(
            suite, body: .approvalAnswer(answer), proof: proof, answer: .approvalAnswer(receipt))
        #expect(lengths.request == count)
        #expect(receipt.encoded.count == 857)
    }

    @Test func `the largest receipt fits into a command beside the most key statements`() async throws {
        // As many bytes of display data and of the principal as there may be, and a signature of an algorithm to come.
        var request = try fixture.payment()
        request.principal = try ApprovalPrincipal(
            id: String(repeating: "f", count: 64), name: String(repeating: "𐅑", count: 64))
        let text = String(repeating: "x", count: 250)
        request.display = try DisplayData([DisplayField](repeating: .text(text), count: 16))
        let signed = try request.signed(with: fixture.key)
        #expect(signed.encoded.count > 4_300)
        let answer = try await fixture.signed(fixture.approval(of: signed))
        let confirmation = try fixture.confirmation(of: signed, answer).signed(with: [fixture.key])
        let list = try Sign1Forgery.adding(algorithm: .mlDSA65, to: confirmation)
        let receipt = ReceiptParts(request: signed, answer: answer, confirmation: list)
        #expect(receipt.encoded.count <= Receipt.maximumByteCount)
        let message = try AnswerMessage(
            to: ApprovalAnswerMessage.type, head(ApprovalFixture.created), failedCodes: 0,
            result: .accepted(.approvalAnswer(receipt))
        ).signed(with: fixture.key)
        // The largest receipt has 12,288 bytes, and the statements of an answer have 40,960.
        let rest = message.encoded.count - receipt.encoded.count
        #expect(rest + Receipt.maximumByteCount <= 16_384, "a message in a list of signatures")
        #expect(rest + Receipt.maximumByteCount + 40_960 + 1_024 <= OrchestrationCommand.maximumByteCount)
    }
}
