import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The removal of a method on all devices of a user, as the platform sees it.
struct MethodRemovalEverywhereTests {
    private let removal = RequestBody.methodRemove(.biometric, everywhere: true)

    /// Two devices of alice, which have enrolled both methods.
    private func scene() async throws -> (Harness, phone: Authenticator, tablet: Authenticator) {
        let harness = try await Harness()
        let (phone, tablet) = (try await harness.activate(), try await harness.activate())
        for device in [phone, tablet] {
            try await device.enroll(.biometric, with: harness)
            try await device.enroll(.face, .provider, with: harness)
        }
        return (harness, phone, tablet)
    }

    private func methods(of device: Authenticator, _ harness: Harness) async throws -> [AuthenticationMethod] {
        try #require(try await harness.device(device)).enrolledMethods.map(\.method)
    }

    @Test func `the password ends a method on all devices of the user, and erases its secrets`() async throws {
        let (harness, phone, tablet) = try await scene()
        let other = try await harness.activate("bob@master")
        try await other.enroll(.biometric, with: harness)
        let answer = try await phone.send(removal, proof: .password, to: harness)
        #expect(answer.result == .accepted(.methodRemove))
        for device in [phone, tablet] {
            let row = try #require(try await harness.device(device))
            #expect(row.enrolledMethods.map(\.method) == [.face] && row.state == .active)
            let opened = try #require(try DeviceKeys(of: row, sealer: harness.platform.sealer))
            #expect(opened.secrets.methods == [.face: try #require(device.methods[.face]).secret])
            #expect(opened.secrets.possession == device.secrets.possessionInstance)
            #expect(opened.secrets.channel == device.secrets.channel)
        }
        #expect(try await methods(of: other, harness) == [.biometric])
        let events = try await harness.events(.methodRemoved)
        #expect(events.map(\.reason) == ["biometric", "biometric"])
        #expect(Set(events.map(\.device)) == [phone.id, tablet.id])
        // The other device works, learns it when it synchronizes, and enrolls again.
        let synchronized = try await tablet.send(.synchronize(generation: 0, counters: []), to: harness)
        #expect(synchronized.registeredMethods?.map(\.method) == [.face])
        harness.time.advance(milliseconds: 30_000)
        let code = try tablet.code(instance: .biometric, at: harness.time.now())
        #expect(try await harness.login(code).reason == .wrongCredential)
        #expect(try await tablet.enroll(.biometric, with: harness).refusal == nil)
        #expect(try await methods(of: tablet, harness) == [.biometric, .face])
        #expect(try await methods(of: phone, harness) == [.face])
    }

    @Test func `a device without the method removes it from the others, and a repeat has one effect`() async throws {
        let (harness, phone, tablet) = try await scene()
        #expect(try await phone.send(.methodRemove(.biometric), to: harness).refusal == nil)
        let sent = try await phone.seal(removal, proof: .password, to: harness)
        let first = try await harness.platform.execute(sent.command)
        #expect(try await harness.platform.execute(sent.command) == first)
        let events = try await harness.events(.methodRemoved)
        #expect(Set(events.map(\.device)) == [phone.id, tablet.id] && events.count == 2)
        // A further request finds nothing, and is accepted.
        #expect(try await phone.send(removal, proof: .password, to: harness).refusal == nil)
        #expect(try await harness.events(.methodRemoved).count == 2)
    }

    @Test(arguments: [nil, Instance.possession, .biometric])
    func `without the proof of the password, it is malformed and removes nothing`(_ proof: Instance?) async throws {
        let (harness, phone, tablet) = try await scene()
        #expect(try await phone.send(removal, proof: proof, to: harness).refusal == .malformed)
        for device in [phone, tablet] { #expect(try await methods(of: device, harness) == [.biometric, .face]) }
        #expect(try await harness.device(phone)?.passwordFailures == 0)
    }

    @Test func `a wrong password is counted and removes nothing`() async throws {
        let (harness, phone, tablet) = try await scene()
        let answer = try await phone.send(removal, proof: .password, wrong: true, to: harness)
        #expect(answer.refused == Refusal(.wrongPassword, remainingTries: 4))
        for device in [phone, tablet] { #expect(try await methods(of: device, harness) == [.biometric, .face]) }
        #expect(try await harness.events(.methodRemoved).isEmpty)
    }

    @Test func `a locked device loses the method, too`() async throws {
        let (harness, phone, tablet) = try await scene()
        for _ in 0..<5 {
            _ = try await tablet.send(.passwordChange, proof: .password, wrong: true, to: harness)
        }
        #expect(try await harness.device(tablet)?.state == .locked)
        #expect(try await phone.send(removal, proof: .password, to: harness).refusal == nil)
        #expect(try await methods(of: tablet, harness) == [.face])
    }

    @Test func `a change of another device that commits first is kept, and the method ends there`() async throws {
        let (harness, phone, tablet) = try await scene()
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await harness.platform(on: store)
        let sent = try await phone.seal(removal, proof: .password, to: harness)
        let seen = harness.time.now().advanced(seconds: 1)
        store.beforeNextWrite { [id = tablet.id] in
            try await harness.platform.store.write { store in
                var row = try #require(try store.device(id))
                row.lastSeenAt = seen
                try requireWritten(store.update(row))
            }
        }
        #expect(try phone.open(try await platform.execute(sent.command), to: sent).refusal == nil)
        let row = try #require(try await harness.device(tablet))
        #expect(row.lastSeenAt == seen && row.enrolledMethods.map(\.method) == [.face])
        #expect(try await harness.events(.methodRemoved).count == 2)
    }
}
