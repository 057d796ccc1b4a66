import Crypto
import OrchestrationTesting
import Primitives
import Synchronization
import Testing
import TrustedIdentity

@testable import Orchestration

@Suite struct PreferredDeviceKeysTests {
    let preferred = ScriptedDeviceKeys()
    let folder = MemoryFolder()

    private func keys() throws -> PreferredDeviceKeys {
        PreferredDeviceKeys(
            preferred,
            otherwise: SoftwareDeviceKeys(
                folder: folder, salts: try Sample.salts(), machine: MachineIdentity(bytes: []),
                random: SystemRandomSource(), hasHardwareKeys: true))
    }

    @Test(arguments: [ScriptedDeviceKeys.Failure.creation, .use])
    func `an activation without a preferred key gets a software key, and a warning with the cause`(
        failure: ScriptedDeviceKeys.Failure
    ) async throws {
        let stage = try await Stage()
        preferred.fail(failure, with: OrchestrationError(.deviceKeyUnavailable))
        let password = try await stage.platform.register("alice")
        var warnings: [Warning] = []
        for try await event in try stage.orchestrator(keys: keys()).activate("alice", with: password) {
            if case .warning(let warning) = event { warnings.append(warning) }
        }
        #expect(warnings.map(\.code) == [.softwareKeys])
        #expect(warnings.first?.cause == OrchestrationError(.deviceKeyUnavailable))
        #expect(folder.keyFiles == 1)
        #expect(preferred.isEmpty)
        // A new process finds the software key, whatever the preferred provider can do by then.
        preferred.fail(nil)
        let code = try await stage.orchestrator(keys: keys()).user("alice").oneTimePassword()
        #expect(try await stage.platform.login("alice", code: code.oneTimePassword).status == .accepted)
        // So does an app that keeps software keys only.
        let software = SoftwareDeviceKeys(
            folder: folder, salts: try Sample.salts(), machine: MachineIdentity(bytes: []),
            random: SystemRandomSource())
        _ = try await stage.orchestrator(keys: software).user("alice").information
        try await stage.orchestrator(keys: keys()).user("alice").delete()
        #expect(folder.keyFiles == 0)
    }

    @Test func `a preferred key that can be created has no warning`() async throws {
        let stage = try await Stage()
        let password = try await stage.platform.register("alice")
        let words = try await story(stage.orchestrator(keys: keys()).activate("alice", with: password))
        #expect(!words.contains("warning: softwareKeys"))
        #expect(folder.keyFiles == 0)
        // An app may begin or cease to accept software keys.
        _ = try await stage.orchestrator(keys: preferred).user("alice").information
        try await stage.orchestrator(keys: keys()).user("alice").delete()
        #expect(preferred.isEmpty)
    }

    @Test(arguments: [OrchestrationError.Code.storeLocked, .storeUnavailable])
    func `another error of the preferred provider is thrown`(code: OrchestrationError.Code) async throws {
        preferred.fail(.creation, with: OrchestrationError(code))
        await #expect(throws: OrchestrationError(code)) {
            _ = try await keys().makeKey(for: #require(StoreName("user-1")))
        }
        preferred.fail(.creation, with: CancellationError())
        await #expect(throws: CancellationError.self) {
            _ = try await keys().makeKey(for: #require(StoreName("user-1")))
        }
        #expect(folder.keyFiles == 0)
    }

    @Test(arguments: [ScriptedDeviceKeys.Failure.opening, .use])
    func `a preferred key that exists and cannot be used is not replaced`(
        failure: ScriptedDeviceKeys.Failure
    ) async throws {
        let stage = try await Stage()
        let password = try await stage.platform.register("alice")
        _ = try await stage.orchestrator(keys: keys()).user("alice").activate(with: password)
        let (names, sent) = (try await stage.store.names(), stage.wire.sent.count)
        let name = try #require(names.first)
        let record = try await stage.store.read(name)
        preferred.fail(failure, with: OrchestrationError(.deviceKeyUnavailable))
        let app = try stage.orchestrator(keys: keys())
        await #expect(throws: OrchestrationError(.deviceKeyUnavailable)) {
            try await app.user("alice").oneTimePassword()
        }
        // Another activation of the user does not take the place of the record either.
        let again = try await stage.platform.register("alice")
        await #expect(throws: OrchestrationError(.deviceKeyUnavailable)) {
            try await app.user("alice").activate(with: again)
        }
        #expect(stage.wire.sent.count == sent)
        #expect(try await stage.store.names() == names)
        #expect(try await stage.store.read(name) == record)
        #expect(folder.keyFiles == 0)
        preferred.fail(nil)
        let code = try await app.user("alice").oneTimePassword()
        #expect(try await stage.platform.login("alice", code: code.oneTimePassword).status == .accepted)
    }
}

/// Device keys that fail as a test says.
final class ScriptedDeviceKeys: DeviceKeyProvider {
    enum Failure: Sendable {
        case creation, opening, use
    }

    private struct State {
        var failure: (Failure, any Error)?
        var handles: Set<[UInt8]> = []
    }

    private let base = DeterministicDeviceKeys(seed: 5)
    private let state = Mutex(State())

    /// Whether every key that was created is deleted.
    var isEmpty: Bool { state.withLock { $0.handles.isEmpty } }

    /// Fails from now on; `nil` for never.
    func fail(_ failure: Failure?, with error: any Error = CancellationError()) {
        state.withLock { $0.failure = failure.map { ($0, error) } }
    }

    func makeKey(for name: StoreName) async throws -> any DeviceKey {
        try check(.creation)
        let key = try await base.makeKey(for: name)
        state.withLock { _ = $0.handles.insert(key.handle) }
        return Key(base: key, keys: self)
    }

    func key(handle: [UInt8]) async throws -> any DeviceKey {
        try check(.opening)
        return Key(base: try await base.key(handle: handle), keys: self)
    }

    func delete(handle: [UInt8]) async throws {
        try await base.delete(handle: handle)
        state.withLock { _ = $0.handles.remove(handle) }
    }

    private func check(_ act: Failure) throws {
        if let (failure, error) = state.withLock({ $0.failure }), failure == act { throw error }
    }

    private struct Key: DeviceKey {
        let base: any DeviceKey
        let keys: ScriptedDeviceKeys

        var handle: [UInt8] { base.handle }

        var publicKey: [UInt8] { base.publicKey }

        func sign(_ bytes: [UInt8]) async throws -> [UInt8] {
            try keys.check(.use)
            return try await base.sign(bytes)
        }

        func secret(_ purpose: DeviceSecretPurpose) async throws -> SymmetricKey {
            try keys.check(.use)
            return try await base.secret(purpose)
        }
    }
}

extension MemoryFolder {
    fileprivate var keyFiles: Int { (try? files().count { $0.hasSuffix(".key") }) ?? 0 }
}
