import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// Damaged and foreign requests at each of the four steps. None is accepted, none changes the store, and the right
/// request still works afterward.
struct ActivationDamageTests {
    /// Every seventh bit, which covers all parts of a message in a seventh of the time.
    func damaged(_ command: OrchestrationCommand) -> [OrchestrationCommand] {
        stride(from: 0, to: command.bytes.count * 8, by: 7).compactMap { bit in
            var bytes = command.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            return try? OrchestrationCommand(bytes: bytes)
        }
    }

    @Test func `a damaged request 1 never leads to a key that both sides have`() async throws {
        let harness = try await Harness()
        let initiator = try await Authenticator.initiator(code: harness.register(), random: harness.random)
        var answers = 0
        for command in damaged(initiator.command) {
            // On a copy of the store, so that no other exchange has the session id.
            let copy = try await harness.restarted(on: harness.snapshot())
            guard let answer = try? await copy.platform.execute(command) else { continue }
            #expect(try await copy.store.read { try $0.devices(of: Harness.alice) }.isEmpty)
            switch try? initiator.reply(in: Envelope(decoding: answer)) {
            case nil:
                // The damage is in the session id.
                continue
            case .refusal(let reason):
                Issue.record("a first request was refused: \(reason)")
            case .answer(let answer):
                answers += 1
                do {
                    _ = try initiator.receive(answer)
                    Issue.record("both sides have a key")
                } catch {}
            }
        }
        #expect(answers > 0)
        #expect(try await harness.store.read { try $0.devices(of: Harness.alice) }.isEmpty)
    }

    @Test func `a damaged request 2 is refused and the right one still works`() async throws {
        let harness = try await Harness()
        let initiator = try await Authenticator.initiator(code: harness.register(), random: harness.random)
        let first = try await harness.platform.execute(initiator.command)
        var session = try initiator.receive(first)
        let key = P256.Signing.PrivateKey(compactRepresentable: false)
        let registration = Authenticator.registration(key, random: harness.random)
        let request = try session.seal(registration, random: harness.random)
        for command in damaged(request) {
            guard let answer = try? await harness.platform.execute(command) else { continue }
            #expect(try ActivationRefusal(decoding: answer.bytes).reason == .refused)
        }
        let answer = try await harness.platform.execute(request)
        let device = try Authenticator.finish(
            session, Harness.alice, key: key, registration: registration, answer: answer)
        try await device.complete(with: harness)
        try await device.registerNotifications(with: harness)
        #expect(try await harness.status() == .activated)
    }

    @Test func `damaged requests 3 and 4 are refused and the right ones still work`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: harness.register(), with: harness)
        for step in 3...4 {
            let body: RequestBody = step == 3 ? .activationPassword : .activationComplete(receiptHash: device.receipt)
            let sent = try await device.seal(body, proof: step == 3 ? .password : .possession, to: harness)
            let before = try await harness.device(device)
            for command in damaged(sent.command) {
                await #expect(throws: PlatformError(.undecodableCommand)) {
                    _ = try await harness.platform.execute(command)
                }
            }
            #expect(try await harness.device(device) == before)
            let answer = try await harness.platform.execute(sent.command)
            #expect(try device.open(answer, to: sent).refusal == nil)
        }
    }

    @Test func `requests of another device, account or session are refused at every step`() async throws {
        let harness = try await Harness()
        let alice = try await Authenticator.exchangeKeys(code: harness.register(), with: harness)
        let bob = try await Authenticator.exchangeKeys(
            "bob@master", code: harness.register("bob@master"), with: harness)
        // Bob's seal and signature under Alice's device id.
        let stolen = try Authenticator(
            account: alice.account, key: bob.key, provisioning: alice.provisioning, secrets: bob.secrets,
            suite: .classic)
        await #expect(throws: PlatformError(.undecodableCommand)) {
            try await stolen.send(.activationPassword, proof: .password, to: harness)
        }
        // Alice's seal, Bob's signature: the channel opens, the signature does not verify.
        let forged = try Authenticator(
            account: alice.account, key: bob.key, provisioning: alice.provisioning, secrets: alice.secrets,
            suite: .classic)
        await #expect(throws: PlatformError(.undecodableCommand)) {
            try await forged.send(.activationPassword, proof: .password, to: harness)
        }
        // Alice's device claims to be Bob's.
        let renamed = try Authenticator(
            account: bob.account, key: alice.key, provisioning: alice.provisioning, secrets: alice.secrets,
            suite: .classic)
        await #expect(throws: PlatformError(.undecodableCommand)) {
            try await renamed.send(.activationPassword, proof: .password, to: harness)
        }
        try await bob.send(.activationPassword, proof: .password, to: harness)
        let crossed = try await alice.send(
            .activationComplete(receiptHash: bob.receipt), proof: .possession, to: harness)
        #expect(crossed.refusal == .wrongReceipt)
    }

    @Test func `answers and refusals are no requests`() async throws {
        let harness = try await Harness()
        let initiator = try await Authenticator.initiator(code: harness.register(), random: harness.random)
        let first = try await harness.platform.execute(initiator.command)
        let refusal = ActivationRefusal(sessionID: [UInt8](repeating: 0, count: 16), reason: .refused).command
        let device = try await harness.activate("bob@master")
        let sent = try await device.seal(.notificationsRegister(identifier: "x"), to: harness)
        let sealed = try await harness.platform.execute(sent.command)
        for answer in [first, refusal, sealed] {
            await #expect(throws: PlatformError(.undecodableCommand)) {
                _ = try await harness.platform.execute(answer)
            }
        }
    }
}
