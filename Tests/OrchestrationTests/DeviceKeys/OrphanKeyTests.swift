import Foundation
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import Orchestration

/// Key files that no record names.
@Suite struct OrphanKeyTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The keys and the vault of a process.
    private func process(_ folder: (any StorageFolder)? = nil) throws -> (keys: SoftwareDeviceKeys, vault: Vault) {
        let folder = try folder ?? DiskFolder(path: self.folder.path)
        let keys = SoftwareDeviceKeys(
            folder: folder, salts: try Sample.salts(), machine: MachineIdentity(bytes: []),
            random: SystemRandomSource(), ownsFolder: true)
        return (keys, try Sample.vault(try FileStore(folder: folder, time: ManualTimeSource()), keys))
    }

    private func files(_ suffix: String) throws -> [String] { try folder.files().filter { $0.hasSuffix(suffix) } }

    private func name(_ user: String) throws -> StoreName { try process().vault.name(for: Sample.account(user)) }

    @Test func `a key whose activation was left is removed with the next activation`() async throws {
        let (keys, vault) = try process()
        _ = try await keys.makeKey(for: name("alice"))
        #expect(try files(".key").count == 1)
        #expect(try files(".key.lock").isEmpty)
        let key = try await process().keys.makeKey(for: name("bob"))
        #expect(try files(".key").count == 1)
        try await vault.create(Sample.record(of: "bob"), key: key)
        #expect(try await process().vault.record(Sample.account("bob")) != nil)
    }

    @Test func `what a killed process leaves is removed with the deletion of a user, too`() async throws {
        let (keys, vault) = try process()
        try await vault.create(Sample.record(), key: keys.makeKey(for: name("alice")))
        for id in ["0001020304050607", "08090a0b0c0d0e0f"] {
            try folder.write([UInt8](repeating: 1, count: 64), to: id + ".key")
            try folder.write([], to: id + ".key.lock")
        }
        try folder.write([1], to: "other.key")
        try await vault.delete(Sample.account())
        #expect(try folder.files() == ["other.key"])
    }

    @Test func `the key of an activation that goes on elsewhere is left alone`() async throws {
        let (keys, vault) = try process()
        let key = try await keys.makeKey(for: name("alice"))
        for user in ["bob", "carol"] {
            let other = try process()
            try await other.vault.create(Sample.record(of: user), key: other.keys.makeKey(for: name(user)))
        }
        try await process().vault.delete(Sample.account("carol"))
        try await vault.create(Sample.record(), key: key)
        #expect(try await process().vault.record(Sample.account()) != nil)
        #expect(try files(".key").count == 2)
    }

    @Test func `a key that a provider of its own makes in the folder is left alone until its record is there`()
        async throws
    {
        let (folder, salts) = (try DiskFolder(path: self.folder.path), try Sample.salts())
        let keys = SoftwareDeviceKeys(
            folder: folder, salts: salts, machine: MachineIdentity(bytes: []), random: SystemRandomSource())
        let vault = try Sample.vault(try FileStore(folder: folder, time: ManualTimeSource()), keys)
        let key = try await keys.makeKey(for: name("alice"))
        let other = try process()
        try await other.vault.create(Sample.record(of: "bob"), key: other.keys.makeKey(for: name("bob")))
        try await vault.create(Sample.record(), key: key)
        #expect(try await vault.deviceKey(Sample.account()).handle == key.handle)
    }

    @Test func `no key is removed while a record cannot be read`() async throws {
        let (keys, vault) = try process()
        try await vault.create(Sample.record(), key: keys.makeKey(for: name("alice")))
        let file = try #require(try files(".data").first)
        let good = try folder.bytes(file)
        try folder.write(good.dropLast() + [good[good.count - 1] ^ 1], to: file)
        _ = try await process().keys.makeKey(for: name("bob"))
        #expect(try files(".key").count == 2)
        try folder.write(good, to: file)
        #expect(try await process().vault.record(Sample.account()) != nil)
        _ = try await process().keys.makeKey(for: name("bob"))
        #expect(try files(".key").count == 2)
    }

    @Test func `a provider with a folder of its own removes nothing`() async throws {
        let keys = SoftwareDeviceKeys(
            folder: try DiskFolder(path: folder.path), salts: try Sample.salts(), machine: MachineIdentity(bytes: []),
            random: SystemRandomSource())
        for _ in 0..<3 { _ = try await keys.makeKey(for: name("alice")) }
        #expect(try files(".key").count == 3)
    }

    @Test(arguments: [false, true])
    func `a process that crashes at any step leaves nothing that the next activation does not remove`(
        leavesHalf: Bool
    ) async throws {
        var steps = 0
        while true {
            let folder = try MortalFolder(self.folder.path, steps: steps, leavesHalf: leavesHalf)
            if let (keys, vault) = try? process(folder), let key = try? await keys.makeKey(for: name("alice")) {
                try? await vault.create(Sample.record(), key: key)
            }
            let isDone = !folder.isDead
            let next = try process()
            let hasRecord = try await next.vault.record(Sample.account()) != nil
            #expect(hasRecord || !isDone)
            try await next.vault.create(Sample.record(of: "bob"), key: next.keys.makeKey(for: name("bob")))
            #expect(try files(".key").count == (hasRecord ? 2 : 1), "step \(steps)")
            #expect(try files(".key.lock").isEmpty, "step \(steps)")
            for user in ["alice", "bob"] { try await next.vault.delete(Sample.account(user)) }
            #expect(try folder.files().isEmpty, "step \(steps)")
            if isDone { break }
            steps += 1
        }
        #expect(steps > 8)
    }

    @Test func `a power cut at any step from the key to its record leaves a user who can activate again`() async throws
    {
        var (step, isDone, found) = (0, false, 0)
        while !isDone {
            let disk = ForgetfulDisk()
            let (keys, vault) = try process(disk)
            let name = vault.name(for: try Sample.account())
            disk.cutPower(atStep: step)
            let stored = await Task {
                try await vault.create(Sample.record(), key: keys.makeKey(for: name))
            }.result
            if case .success = stored { isDone = disk.steps <= step }
            for changes in 0...disk.pendingNameChanges {
                for part in [0, 50, 100] {
                    let next = try process(disk.afterPowerCut(nameChanges: changes, percentOfContent: part))
                    var record = try await next.vault.record(Sample.account())
                    if case .success = stored { #expect(record != nil, "step \(step)") }
                    found += record == nil ? 0 : 1
                    if record == nil {
                        try await next.vault.create(Sample.record(), key: next.keys.makeKey(for: name))
                        record = try await next.vault.record(Sample.account())
                    }
                    #expect(record != nil)
                    // A record is never there without its key.
                    _ = try await next.vault.deviceKey(Sample.account())
                    try await next.vault.update(Sample.account()) { $0.clockOffset = 7 }
                    #expect(try await next.vault.record(Sample.account())?.clockOffset == 7)
                }
            }
            step += 1
            try #require(step < 60)
        }
        #expect(step > 8 && found > 0)
    }

    @Test func `a user whose activation a power cut ended activates again`() async throws {
        for step in stride(from: 0, to: 40, by: 3) {
            let platform = try await TestPlatform()
            var configuration = Configuration(salts: try Sample.salts(), postQuantum: .off)
            configuration.passwordCost = .testing
            configuration.deviceData = .off
            func activate(on disk: ForgetfulDisk) async throws {
                let orchestrator = try await Orchestrator(
                    configuration: configuration, transport: platform.transport,
                    providers: [ScriptedUser(password: "482915")],
                    store: FileStore(folder: disk, time: platform.time), time: platform.time)
                let code = try await platform.register("alice")
                _ = try await orchestrator.user("alice").activate(with: code)
            }
            let disk = ForgetfulDisk()
            disk.cutPower(atStep: step)
            do {
                try await activate(on: disk)
            } catch let error as OrchestrationError {
                #expect([.storeUnavailable, .deviceKeyUnavailable].contains(error.code), "step \(step)")
            }
            let after = disk.afterPowerCut(nameChanges: 0, percentOfContent: 50)
            do {
                try await activate(on: after)
            } catch let error as OrchestrationError where error.code == .alreadyActivated {
                #expect(disk.steps <= step, "the cut came after the activation")
            }
            #expect(try after.files().filter { $0.hasSuffix(".key") }.count == 1, "step \(step)")
        }
    }

    @Test func `an app on a file store removes the key of an activation that it left`() async throws {
        let platform = try await TestPlatform()
        var configuration = Configuration(salts: try Sample.salts(), postQuantum: .off)
        configuration.passwordCost = .testing
        for count in 1...2 {
            let orchestrator = try await Orchestrator(
                configuration: configuration, transport: platform.transport,
                providers: [ScriptedUser(password: "482915")], store: FileStore(directory: folder.path),
                time: platform.time)
            let code = try await platform.register("alice")
            for try await event in orchestrator.activate("alice", with: code) {
                if count == 1, case .stepCompleted(let step) = event, step.number == 2 { break }
            }
            #expect(try files(".key").count == 1)
        }
        #expect(try files(".data").count == 1)
        #expect(try files(".key.lock").isEmpty)
    }
}
