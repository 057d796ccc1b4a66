import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import Orchestration

@Suite struct FileStoreCrashTests {
    let name: StoreName
    let old = [UInt8](repeating: 1, count: 100)
    let new = [UInt8](repeating: 2, count: 300)

    init() throws {
        name = try #require(StoreName("user-1"))
    }

    /// More steps than any change has.
    private static let manySteps = 12

    @Test(arguments: 0..<manySteps, [false, true])
    func `a process that crashes at any step of a replace leaves the old value or the new one`(
        _ steps: Int, _ leavesHalf: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let (name, old, new) = (name, old, new)
        try await FileStore(directory: folder.path).update(name) { _ in (.replace(old), ()) }

        let mortal = try MortalFolder(folder.path, steps: steps, leavesHalf: leavesHalf)
        let result = await Task {
            try await FileStore(folder: mortal, time: ManualTimeSource()).update(name) { _ in (.replace(new), ()) }
        }.result

        let store = try FileStore(directory: folder.path)
        let found = try await store.read(name)
        switch result {
        case .success: #expect(found == new)
        case .failure: #expect(found == old || found == new)
        }
        #expect(try folder.files() == ["user-1.data", "user-1.lock"])
        try await store.update(name) { current in (.replace((current ?? []) + [3]), ()) }
        #expect(try await store.read(name) == (found ?? []) + [3])
    }

    @Test(arguments: 0..<manySteps)
    func `a process that crashes at any step of a deletion leaves the value or none`(_ steps: Int) async throws {
        let folder = try TemporaryFolder()
        let (name, old) = (name, old)
        try await FileStore(directory: folder.path).update(name) { _ in (.replace(old), ()) }
        let mortal = try MortalFolder(folder.path, steps: steps, leavesHalf: false)
        let result = await Task {
            try await FileStore(folder: mortal, time: ManualTimeSource()).update(name) { _ in (.delete, ()) }
        }.result
        let found = try await FileStore(directory: folder.path).read(name)
        if case .success = result { #expect(found == nil) } else { #expect(found == nil || found == old) }
        try await FileStore(directory: folder.path).update(name) { _ in (.delete, ()) }
        #expect(try folder.files().isEmpty)
    }

    @Test func `the steps above reach the end of a change`() async throws {
        let folder = try TemporaryFolder()
        let mortal = try MortalFolder(folder.path, steps: Self.manySteps - 1, leavesHalf: false)
        let new = new
        try await FileStore(folder: mortal, time: ManualTimeSource()).update(name) { _ in (.replace(new), ()) }
        #expect(!mortal.isDead)
    }

    @Test(arguments: 0..<8)
    func `a power cut at any step leaves the old value or the new one, whatever the disk has lost`(
        _ step: Int
    ) async throws {
        let (name, old, new) = (name, old, new)
        let disk = ForgetfulDisk(files: ["user-1.data": old])
        let store = try FileStore(folder: disk, time: ManualTimeSource())
        disk.cutPower(atStep: step)
        let result = await Task { try await store.update(name) { _ in (.replace(new), ()) } }.result
        for changes in 0...disk.pendingNameChanges {
            for part in [0, 1, 50, 99, 100] {
                let after = disk.afterPowerCut(nameChanges: changes, percentOfContent: part)
                let found = try await FileStore(folder: after, time: ManualTimeSource()).read(name)
                switch result {
                case .success: #expect(found == new)
                case .failure: #expect(found == old || found == new)
                }
            }
        }
        if step == 7 { #expect(disk.steps < 7, "the cuts above cover every step") }
    }

    @Test func `a first value that was stored survives a power cut, and a deleted one stays deleted`() async throws {
        let (name, new) = (name, new)
        let disk = ForgetfulDisk()
        let store = try FileStore(folder: disk, time: ManualTimeSource())
        try await store.update(name) { _ in (.replace(new), ()) }
        let first = disk.afterPowerCut(nameChanges: 0, percentOfContent: 0)
        #expect(try await FileStore(folder: first, time: ManualTimeSource()).read(name) == new)
        try await store.update(name) { _ in (.delete, ()) }
        let second = disk.afterPowerCut(nameChanges: 0, percentOfContent: 0)
        #expect(try await FileStore(folder: second, time: ManualTimeSource()).read(name) == nil)
    }

    @Test func `the check detects a disk that loses unsynchronized data`() async throws {
        let disk = ForgetfulDisk()
        try disk.create("user-1.new", new)
        try disk.rename("user-1.new", to: "user-1.data")
        let name = name
        let nothing = disk.afterPowerCut(nameChanges: 0, percentOfContent: 100)
        #expect(try await FileStore(folder: nothing, time: ManualTimeSource()).read(name) == nil)
        let torn = disk.afterPowerCut(nameChanges: 2, percentOfContent: 50)
        #expect(try await FileStore(folder: torn, time: ManualTimeSource()).read(name) == Array(new.prefix(150)))
    }

    @Test(arguments: 0..<manySteps)
    func `a process that crashes while it makes a device key leaves no usable key`(_ steps: Int) async throws {
        let folder = try TemporaryFolder()
        let mortal = try MortalFolder(folder.path, steps: steps, leavesHalf: true)
        let keys = SoftwareDeviceKeys(
            folder: mortal, salts: try Sample.salts(), machine: MachineIdentity(bytes: []),
            random: SystemRandomSource())
        let name = name
        guard case .success(let key) = await Task(operation: { try await keys.makeKey(for: name) }).result else {
            #expect(mortal.isDead)
            return
        }
        let again = SoftwareDeviceKeys(
            folder: try DiskFolder(path: folder.path), salts: try Sample.salts(),
            machine: MachineIdentity(bytes: []), random: SystemRandomSource())
        #expect(try await again.key(handle: key.handle).publicKey == key.publicKey)
    }
}
