import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

struct ActivationRaceTests {
    @Test func `an activation password that is spent during request 2 makes no second device`() async throws {
        let harness = try await Harness()
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await Platform(
            configuration: harness.configuration, database: store, masterKey: harness.masterKey, time: harness.time,
            random: harness.random)
        let initiator = try Authenticator.initiator(code: try await harness.register(), random: harness.random)
        let first = try await platform.execute(initiator.command)
        var session = try initiator.receive(first)
        let key = P256.Signing.PrivateKey(compactRepresentable: false)
        let request = try session.seal(Authenticator.registration(key, random: harness.random), random: harness.random)
        // The writes of step 4 of another exchange with the same activation password.
        store.interrupt { [now = harness.time.now()] store in
            guard var code = try store.activationPassword(of: Harness.alice) else { return }
            code.spentAt = now
            code.secret = nil
            try requireWritten(store.update(code))
        }
        let answer = try await platform.execute(request)
        #expect(try ActivationRefusal(decoding: answer.bytes).reason == .refused)
        #expect(try await harness.store.read { try $0.devices(of: Harness.alice) }.isEmpty)
    }
}
