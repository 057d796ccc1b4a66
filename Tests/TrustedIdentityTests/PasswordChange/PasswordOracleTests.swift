import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// A thief who has the store and the key of a device whose change of password is open.
///
/// Whatever he sends with a guess of the new password, a right guess has the answer and the effect of a wrong one, or
/// the wrong one is counted.
struct PasswordOracleTests {
    /// What a message with a proof of the offered generation has led to.
    private struct Result: Equatable {
        let refusal: RefusalCode?
        let generation: UInt64
        let failures: Int
    }

    /// The messages whose decision does not use a proof of the password.
    private static let bodies: [RequestBody] = [
        .synchronize(generation: 1, counters: []), .approvalList, .approvalFetch(id: [UInt8](repeating: 7, count: 16)),
        .notificationsOpen, .notificationsRegister(identifier: "pull:1"),
    ]

    @Test(arguments: bodies)
    func `a proof beside a message that takes none has no effect`(body: RequestBody) async throws {
        let right = try await result(of: body, isWrong: false)
        let wrong = try await result(of: body, isWrong: true)
        #expect(right == wrong)
        #expect((right.generation, right.failures) == (0, 0))
    }

    @Test func `an answer to a request that does not wait, or by another method, shows nothing of its proof`()
        async throws
    {
        for isCanceled in [true, false] {
            var results: [Result] = []
            for isWrong in [false, true] {
                let (harness, device) = try await openChange()
                let report = try await harness.requestLogin()
                let approval = try await device.fetch(report, from: harness)
                if isCanceled { _ = try await harness.platform.cancelApproval(requestID: report.requestID) }
                let answer = try await device.answer(
                    approval, .approved, method: isCanceled ? nil : .possession,
                    fallback: isCanceled ? nil : .notAvailable, with: harness)
                let reply = try await device.send(answer, wrong: isWrong, to: harness)
                results.append(try await result(reply, of: device, harness))
            }
            #expect(results[0] == results[1])
            #expect(results[0].refusal == (isCanceled ? .approvalCanceled : .malformed))
            #expect((results[0].generation, results[0].failures) == (0, 0))
        }
    }

    @Test func `a wrong proof is counted wherever a right one promotes`() async throws {
        for body in [RequestBody.passwordChange, .passwordProve] {
            #expect(
                try await result(of: body, isWrong: true)
                    == Result(refusal: .wrongPassword, generation: 0, failures: 1))
            #expect(try await result(of: body, isWrong: false) == Result(refusal: nil, generation: 1, failures: 0))
        }
        for isWrong in [true, false] {
            let (harness, device) = try await openChange()
            let approval = try await device.fetch(try await harness.requestLogin(), from: harness)
            let answer = try await device.answer(approval, .approved, with: harness)
            let reply = try await device.send(answer, wrong: isWrong, to: harness)
            let end = try await result(reply, of: device, harness)
            #expect(
                end
                    == Result(
                        refusal: isWrong ? .wrongPassword : nil, generation: isWrong ? 0 : 1, failures: isWrong ? 1 : 0)
            )
        }
    }

    /// Returns a device with a change that is open, at the offered generation.
    private func openChange() async throws -> (Harness, Authenticator) {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await device.registerNotifications(with: harness)
        device.take(try #require(try await device.offeredChange(by: harness)))
        return (harness, device)
    }

    private func result(of body: RequestBody, isWrong: Bool) async throws -> Result {
        let (harness, device) = try await openChange()
        let answer = try await device.send(body, proof: .password, wrong: isWrong, to: harness)
        return try await result(answer, of: device, harness)
    }

    private func result(_ answer: AnswerMessage, of device: Authenticator, _ harness: Harness) async throws -> Result {
        let row = try #require(try await harness.device(device))
        return Result(refusal: answer.refusal, generation: row.generation, failures: row.passwordFailures)
    }
}
