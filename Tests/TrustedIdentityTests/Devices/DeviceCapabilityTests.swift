import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// What a device can do, as the platform stores it, and what the platform leaves out for others.
@Suite struct DeviceCapabilityTests {
    private func activate(_ capabilities: Set<Capability>, with harness: Harness) async throws -> Authenticator {
        let device = try await Authenticator.exchangeKeys(
            code: try await harness.register(), capabilities: capabilities, with: harness)
        try await device.complete(with: harness)
        return device
    }

    private func synchronize(_ device: Authenticator, _ capabilities: [UInt64], with harness: Harness) async throws {
        let request = RequestBody.synchronize(
            generation: 0, counters: [], capabilities: capabilities, statement: device.platformKeys.sequence)
        #expect(try await device.send(request, to: harness).refusal == nil)
    }

    @Test func `the activation stores what both sides have, and each synchronization replaces it`() async throws {
        let harness = try await Harness()
        let device = try await activate([.oneTimePasswords, .challengeCodes, .hostCodes], with: harness)
        #expect(try await harness.device(device)?.capabilities == [1, 2, 3])
        try await synchronize(device, [1, 4, 300], with: harness)
        #expect(try await harness.device(device)?.capabilities == [1, 4])
        try await synchronize(device, [], with: harness)
        #expect(try await harness.device(device)?.capabilities == [])
    }

    @Test func `a device without host codes is issued none and gets none`() async throws {
        let harness = try await Harness()
        let device = try await activate([.oneTimePasswords, .challengeCodes, .signatures], with: harness)
        #expect(device.provisioning.applications.map(\.index) == [1, 2, 3, 4])
        #expect(device.provisioning.applications.allSatisfy { !$0.hostCode })
        let decision = try await harness.login(device.code(at: harness.time.now()))
        #expect(decision.status == .accepted && decision.hostCode == nil)
    }

    @Test(
        arguments: [
            ([], []), ([.oneTimePasswords], [1, 2]), ([.challengeCodes], [3]), ([.signatures], [4]), ([.hostCodes], []),
            ([.challengeCodes, .signatures], [3, 4]),
        ] as [(Set<Capability>, [UInt8])])
    func `a device is issued the applications whose codes it makes`(
        capabilities: Set<Capability>, indexes: [UInt8]
    ) async throws {
        let harness = try await Harness()
        let device = try await activate(capabilities, with: harness)
        #expect(device.provisioning.applications.map(\.index) == indexes)
    }

    @Test func `a capability that the platform withdrew ends at the next synchronization`() async throws {
        let harness = try await Harness()
        let device = try await activate(Capability.device, with: harness)
        #expect(try await harness.login(device.code(at: harness.time.now())).hostCode != nil)
        var configuration = harness.configuration
        configuration.policy.codes.hostCodes = false
        let changed = try await Harness(
            configuration, store: harness.store, time: harness.time, random: harness.random)
        #expect(try await changed.device(device)?.capabilities == Capability.device.numbers)
        try await synchronize(device, Capability.device.numbers, with: changed)
        #expect(try await changed.device(device)?.capabilities == Capability.device.numbers.filter { $0 != 3 })
        // The platform has it again, and the device does not know that yet.
        harness.time.advance(seconds: 60)
        let decision = try await harness.login(device.code(at: harness.time.now()))
        #expect(decision.status == .accepted && decision.hostCode == nil)
        try await synchronize(device, Capability.device.numbers, with: harness)
        harness.time.advance(seconds: 60)
        #expect(try await harness.login(device.code(at: harness.time.now())).hostCode != nil)
    }

    @Test func `a device can do what was agreed on`() {
        var device = Fixture.device()
        #expect(!Capability.allCases.contains(where: device.can))
        device.capabilities = [1]
        #expect(device.can(.oneTimePasswords) && !device.can(.hostCodes) && !device.can(.challengeCodes))
    }
}
