import Crypto
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration
@testable import TrustedIdentity

/// The synchronization after a one-time password.
@Suite struct SynchronizationTests {
    /// A device of alice whose clock was set back after its activation, and a wrong code for its user at the platform.
    private func stageWithFailure() async throws -> Stage {
        let stage = try await Stage(clockOffset: 1)
        try await stage.activate()
        stage.time.advance(milliseconds: -90_000)
        #expect(try await stage.platform.login("alice", code: "00000000").status == .refused)
        return stage
    }

    private func words(_ stage: Stage) async throws -> [String] {
        try await story(stage.orchestrator().oneTimePassword(for: "alice"))
    }

    @Test func `failed codes are reported when a clock candidate needs a second request`() async throws {
        let stage = try await stageWithFailure()
        let sent = stage.wire.sent.count
        let words = try await words(stage)
        #expect(stage.wire.sent.count == sent + 2)
        #expect(words == ["code", "synchronization 1/1", "warning: failedCodes(1)", "succeeded"])
    }

    @Test func `a second request that fails does not undo the first`() async throws {
        let stage = try await stageWithFailure()
        let lost: @Sendable (OrchestrationCommand) async throws -> OrchestrationCommand = { _ in
            throw OrchestrationError(.transport)
        }
        stage.wire.tamper({ $0 }, lost, lost, lost)
        let words = try await words(stage)
        #expect(
            words == [
                "code", "synchronization 1/1", "warning: failedCodes(1)", "warning: clockUncertain", "succeeded",
            ])
    }

    @Test func `capabilities are agreed at the activation, and again with each synchronization`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let vault = try stage.orchestrator().environment.vault
        let account = ActivationExchange.account
        #expect(try await vault.record(account)?.capabilities == [1, 2, 3, 4, 5])
        // The platform withdraws one.
        var configuration = PlatformConfiguration()
        configuration.policy.codes.hostCodes = false
        try await stage.platform.restart(configuration: configuration)
        #expect(try await words(stage).last == "succeeded")
        #expect(try await vault.record(account)?.capabilities == [1, 2, 4, 5])
        // The device shows no host code that the platform does not return.
        let outcome = try await stage.orchestrator().oneTimePassword(for: "alice", synchronizingWithin: nil).result()
        guard case .oneTimePasswordMade(let result) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(result.hostCode == nil)
        try await stage.platform.restart()
        #expect(try await words(stage).last == "succeeded")
        #expect(try await vault.record(account)?.capabilities == [1, 2, 3, 4, 5])
    }

    @Test func `a restored platform takes the ratchet of a device over in one flow`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let backup = try #require(try await stage.platform.store.read { try $0.devices(of: "alice@master").first })
        for _ in 0..<3 {
            stage.advance(seconds: 301)
            #expect(try await words(stage) == ["code", "synchronization 1/1", "succeeded"])
        }
        let vault = try stage.orchestrator().environment.vault
        let record = try #require(try await vault.record(ActivationExchange.account))
        #expect(record.ratchetIndex >= 2)
        try await stage.platform.platform.store.write { store in
            var row = backup
            row.version = try #require(try store.device(row.id)).version
            #expect(try store.update(row))
        }
        try await stage.platform.platform.markRestored(revocations: .nothingRevoked)
        stage.advance(seconds: 11)
        let sent = stage.wire.sent.count
        #expect(try await words(stage) == ["code", "synchronization 1/1", "succeeded"])
        #expect(stage.wire.sent.count == sent + 2)
        let device = try await stage.platform.store.read { try $0.devices(of: "alice@master").first }
        #expect(device?.ratchetIndex == record.ratchetIndex && device?.isRestored == false)
    }

    @Test func `a device that the platform has locked gets no success`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        try await stage.platform.platform.store.write { store in
            var device = try #require(try store.devices(of: "alice@master").first)
            device.state = .locked
            #expect(try store.update(device))
        }
        #expect(try await words(stage) == ["code", "aborted: userLocked"])
    }

    @Test func `a device that the platform has suspended shows the reason, and goes on when it is lifted`() async throws
    {
        let stage = try await Stage()
        try await stage.activate()
        let platform = stage.platform.platform
        try await platform.markRestored(revocations: .unknown)
        stage.advance(seconds: 11)
        #expect(try await words(stage) == ["code", "aborted: suspended"])
        #expect(try await words(stage) == ["code", "aborted: suspended"], "the user is not locked on the device")
        try await platform.liftSuspensions()
        #expect(try await words(stage).last == "succeeded")
    }

    @Test func `an error of the device key after the code is a warning`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let keys = UnableDeviceKeys(base: stage.keys)
        let words = try await story(stage.orchestrator(keys: keys).oneTimePassword(for: "alice"))
        #expect(words == ["code", "warning: notSynchronized", "succeeded"])
        let warnings = try await stage.orchestrator(keys: keys).user("alice").delete()
        #expect(warnings.map(\.code) == [.platformNotInformed])
        #expect(try await stage.store.names().isEmpty)
    }

    @Test func `an answer that confirms the known clock leaves a newer offset as it is`() async throws {
        let stage = try await Stage(clockOffset: 1)
        try await stage.activate()
        let newer = try stage.orchestrator()
        stage.time.step(milliseconds: 90_000)
        // While the answer to the first request is under way, another flow confirms the new offset with two answers.
        stage.wire.tamper({ answer in
            _ = try await newer.oneTimePassword(for: "alice").result()
            return answer
        })
        _ = try await stage.orchestrator().registerNotifications(for: "alice").result()
        let record = try await newer.environment.vault.record(ActivationExchange.account)
        #expect(record?.clockOffset == -90_001)
    }

    @Test func `a device that was activated again during the prompt gets a code of its own application`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let platform = stage.platform
        let user = ScriptedUser([
            ScriptedAnswer { _ in
                try await stage.orchestrator().user("alice").delete()
                try await stage.activate()
                return UserInput(SecretBytes(copying: Stage.password.utf8))
            }
        ])
        let code = try await stage.orchestrator(user: user).user("alice").oneTimePassword()
        #expect(try await platform.login("alice", code: code.oneTimePassword).status == .accepted)
    }
}

/// Device keys that cannot sign.
private struct UnableDeviceKeys: DeviceKeyProvider {
    let base: DeterministicDeviceKeys

    func makeKey(for name: StoreName) async throws -> any DeviceKey { try await base.makeKey(for: name) }

    func key(handle: [UInt8]) async throws -> any DeviceKey { Key(base: try await base.key(handle: handle)) }

    func delete(handle: [UInt8]) async throws { try await base.delete(handle: handle) }

    private struct Key: DeviceKey {
        struct Unable: Error {}

        let base: any DeviceKey

        var handle: [UInt8] { base.handle }
        var publicKey: [UInt8] { base.publicKey }

        func sign(_ message: [UInt8]) async throws -> [UInt8] { throw Unable() }

        func secret(_ purpose: DeviceSecretPurpose) async throws -> SymmetricKey { try await base.secret(purpose) }
    }
}
