import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The registration of a method and its end, as the platform sees them.
struct MethodRegistrationTests {
    private func scene() async throws -> (Harness, Authenticator) {
        let harness = try await Harness()
        return (harness, try await harness.activate())
    }

    @Test(arguments: [
        (AuthenticationMethod.biometric, MethodProtection.system), (.face, .provider), (.face, .software),
    ])
    func `a proven password registers a method, with a secret that nothing else has`(
        _ method: AuthenticationMethod, _ protection: MethodProtection
    ) async throws {
        let (harness, device) = try await scene()
        let before = try #require(try await harness.device(device)).secrets
        #expect(try await device.enroll(method, protection, with: harness).refusal == nil)
        let keys = try #require(device.methods[method])
        let row = try #require(try await harness.device(device))
        #expect(
            row.enrolledMethods == [
                EnrolledMethod(
                    method: method, protection: protection, key: Array(keys.key.publicKey.compressedRepresentation),
                    registeredAt: harness.time.now(), requestedAt: harness.time.now())
            ])
        #expect(row.secrets != before && row.secrets?.revision == 0)
        let opened = try #require(try DeviceKeys(of: row, sealer: harness.platform.sealer))
        #expect(opened.secrets.methods == [method: keys.secret])
        #expect(
            opened.secrets.possession == device.secrets.possessionInstance && keys.secret != opened.secrets.possession)
        let events = try await harness.events(.methodRegistered)
        #expect(events.map(\.device) == [device.id] && events.map(\.reason) == ["\(method) \(protection)"])
    }

    @Test func `a registration replaces the earlier one of its method, and keeps the other`() async throws {
        let (harness, device) = try await scene()
        try await device.enroll(.face, .provider, with: harness)
        try await device.enroll(.biometric, with: harness)
        let first = try #require(device.methods[.biometric])
        let face = try #require(device.methods[.face])
        try await device.enroll(.biometric, with: harness)
        let second = try #require(device.methods[.biometric])
        #expect(first.secret != second.secret)
        let row = try #require(try await harness.device(device))
        #expect(row.enrolledMethods.map(\.method) == [.biometric, .face])
        let opened = try #require(try DeviceKeys(of: row, sealer: harness.platform.sealer))
        #expect(opened.secrets.methods == [.biometric: second.secret, .face: face.secret])
    }

    @Test func `a repeated request gets the same secret and has one effect`() async throws {
        let (harness, device) = try await scene()
        let registration = try await device.registration(of: .biometric, key: .init(compactRepresentable: false))
        let sent = try await device.seal(.methodRegister(registration), proof: .password, to: harness)
        let first = try await harness.platform.execute(sent.command)
        #expect(try await harness.platform.execute(sent.command) == first)
        #expect(try await harness.events(.methodRegistered).count == 1)
    }

    @Test func `a wrong password registers nothing and is counted, and the fifth locks the device`() async throws {
        let (harness, device) = try await scene()
        let registration = try await device.registration(of: .biometric, key: .init(compactRepresentable: false))
        for remaining in [4, 3, 2, 1, 0] as [UInt64] {
            let answer = try await device.send(
                .methodRegister(registration), proof: .password, wrong: true, to: harness)
            #expect(answer.refused == Refusal(.wrongPassword, remainingTries: remaining))
        }
        let row = try #require(try await harness.device(device))
        #expect(row.state == .locked && row.enrolledMethods.isEmpty)
    }

    @Test(arguments: [nil, Instance.possession, .biometric, .face])
    func `a registration without a proof of the password is malformed and not counted`(_ proof: Instance?) async throws
    {
        let (harness, device) = try await scene()
        let registration = try await device.registration(of: .biometric, key: .init(compactRepresentable: false))
        #expect(try await device.send(.methodRegister(registration), proof: proof, to: harness).refusal == .malformed)
        let row = try #require(try await harness.device(device))
        #expect(row.passwordFailures == 0 && row.enrolledMethods.isEmpty)
    }

    @Test func `an enrolled method registers no other one`() async throws {
        let (harness, device) = try await scene()
        try await device.enroll(.biometric, with: harness)
        let registration = try await device.registration(of: .face, .provider, key: .init(compactRepresentable: false))
        #expect(
            try await device.send(.methodRegister(registration), proof: .biometric, to: harness).refusal == .malformed)
        #expect(try await harness.device(device)?.enrolledMethods.map(\.method) == [.biometric])
    }

    @Test func `a key that another key has signed for, of another device, or with another use is refused`() async throws
    {
        let (harness, device) = try await scene()
        let key = P256.Signing.PrivateKey(compactRepresentable: false)
        try await device.enroll(.face, .provider, with: harness)
        let face = try #require(device.methods[.face]).key
        let bad = [
            try await device.registration(of: .biometric, key: key, signer: device.key),
            try await device.registration(of: .biometric, key: key, device: [UInt8](repeating: 1, count: 16)),
            try await device.registration(of: .biometric, key: device.key),
            try await device.registration(of: .biometric, key: face),
        ]
        for registration in bad {
            let answer = try await device.send(.methodRegister(registration), proof: .password, to: harness)
            #expect(answer.refusal == .malformed)
        }
        #expect(try await harness.device(device)?.enrolledMethods.map(\.method) == [.face])
        // The key of a method may be registered again for the same one.
        #expect(try await device.enroll(.face, .system, key: face, with: harness).refusal == nil)
    }

    @Test func `a pending device registers and removes no method`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: try await harness.register(), with: harness)
        #expect(try await device.enroll(.biometric, with: harness).refusal == .notPermitted)
        #expect(try await device.send(.methodRemove(.biometric), to: harness).refusal == .notPermitted)
    }

    @Test func `a removal needs no proof, ends one method, and may be repeated`() async throws {
        let (harness, device) = try await scene()
        try await device.enroll(.biometric, with: harness)
        try await device.enroll(.face, .provider, with: harness)
        for _ in 0..<2 {
            #expect(try await device.send(.methodRemove(.biometric), to: harness).refusal == nil)
            let row = try #require(try await harness.device(device))
            #expect(row.enrolledMethods.map(\.method) == [.face])
            let opened = try #require(try DeviceKeys(of: row, sealer: harness.platform.sealer))
            #expect(opened.secrets.methods.keys.map(\.rawValue) == [AuthenticationMethod.face.rawValue])
        }
        let events = try await harness.events(.methodRemoved)
        #expect(events.map(\.reason) == ["biometric"])
    }

    @Test func `a registration or a removal that arrives late does not touch a later registration`() async throws {
        let (harness, device) = try await scene()
        let registration = try await device.registration(of: .biometric, key: .init(compactRepresentable: false))
        let held = [
            try await device.seal(.methodRegister(registration), proof: .password, to: harness),
            try await device.seal(.methodRemove(.biometric), to: harness),
        ]
        harness.time.advance(milliseconds: 1)
        try await device.enroll(.biometric, with: harness)
        let before = try #require(try await harness.device(device))
        for sent in held {
            let answer = try device.open(try await harness.platform.execute(sent.command), to: sent)
            #expect(answer.refusal == .notPermitted)
        }
        let after = try #require(try await harness.device(device))
        #expect(after.enrolledMethods == before.enrolledMethods && after.secrets == before.secrets)
        // A wrong password is counted all the same.
        let late = try await device.send(
            .methodRegister(registration), proof: .password, wrong: true, clockError: -2, to: harness)
        #expect(late.refusal == .wrongPassword)
        #expect(try await device.send(.methodRemove(.biometric), to: harness).refusal == nil)
    }

    @Test func `an answer to a synchronization names the registered methods, and no other answer does`() async throws {
        let (harness, device) = try await scene()
        func named() async throws -> [RegisteredMethod]? {
            try await device.send(.synchronize(generation: 0, counters: []), to: harness).registeredMethods
        }
        #expect(try await named() == [])
        try await device.enroll(.biometric, with: harness)
        try await device.enroll(.face, .provider, with: harness)
        let expected = try [AuthenticationMethod.biometric, .face].map { method in
            RegisteredMethod(
                method, publicKey: Array(try #require(device.methods[method]).key.publicKey.compressedRepresentation))
        }
        #expect(try await named() == expected)
        #expect(try await device.send(.approvalList, to: harness).registeredMethods == nil)
        #expect(try await device.send(.methodRemove(.biometric), to: harness).registeredMethods == nil)
        #expect(try await named() == Array(expected.dropFirst()))
    }

    @Test func `a change of the password keeps the methods`() async throws {
        let (harness, device) = try await scene()
        try await device.enroll(.biometric, with: harness)
        device.take(try #require(try await device.offeredChange(by: harness)))
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        let row = try #require(try await harness.device(device))
        let opened = try #require(try DeviceKeys(of: row, sealer: harness.platform.sealer))
        #expect(row.generation == 1)
        let keys = try #require(device.methods[.biometric])
        #expect(opened.secrets.methods == [.biometric: keys.secret])
    }

    @Test func `a revocation erases the methods with the other keys`() async throws {
        let (harness, device) = try await scene()
        try await device.enroll(.biometric, with: harness)
        #expect(try await device.send(.userDelete, to: harness).refusal == nil)
        let row = try #require(try await harness.device(device))
        #expect(row.state == .revoked && row.enrolledMethods.isEmpty && row.secrets == nil)
    }

    @Test func `a synchronization after a restore ends the methods of the backup`() async throws {
        let (harness, device) = try await scene()
        try await device.enroll(.biometric, with: harness)
        let backup = try harness.snapshot()
        #expect(try await device.send(.methodRemove(.biometric), to: harness).refusal == nil)
        let after = try await harness.restarted(on: backup)
        after.time.advance(milliseconds: 1)
        try await after.platform.markRestored(revocations: .nothingRevoked)
        after.time.advance(milliseconds: 300_002)
        #expect(try await device.enroll(.face, .provider, with: after).refusal == .notPermitted)
        #expect(try await device.send(.synchronize(generation: 0, counters: []), to: after).refusal == nil)
        let row = try #require(try await after.device(device))
        #expect(row.enrolledMethods.isEmpty && !row.isRestored)
        #expect(try await device.enroll(.face, .provider, with: after).refusal == nil)
    }
}
