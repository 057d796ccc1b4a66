public import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A store of files in one folder, with a file for each name.
///
/// A change is written to a temporary file, synchronized, and renamed over the old file; then the folder is
/// synchronized. An advisory lock next to each file (`flock`) makes changes exclusive between tasks, instances and
/// processes. It is held for one change, and the system releases it when a process ends. Files have mode 0600, and a
/// folder that the store creates 0700. In an existing folder, a change removes the write permission of the group and of
/// others. Symbolic links and files of other users are refused. The folder must be on a local file system. On Apple
/// platforms it is excluded from backups.
///
/// Temporary files that a crash left are removed when the store is opened and before each change. A forensic copy of
/// such a file contains the same as a copy of the store at that moment: see the threat model.
public struct FileStore: SecureStore, KeyKeepingStore {
    /// The longest wait for the lock, 5 seconds.
    static let patience: Int64 = 5_000

    let folder: any StorageFolder
    private let time: any TimeSource

    /// Opens a folder, and creates it with its missing parents where it does not exist.
    ///
    /// - Parameters:
    ///   - directory: The folder. It must belong to the user that runs the process and must not be a symbolic link.
    ///   - time: The clock for the wait for a lock.
    /// - Throws: `invalidConfiguration` for a URL that is not a file URL; `storeUnavailable` when the folder cannot be
    ///   created or used.
    public init(directory: URL, time: any TimeSource = SystemTimeSource()) throws(OrchestrationError) {
        guard directory.isFileURL else { throw OrchestrationError(.invalidConfiguration) }
        try self.init(directory: directory.path, time: time)
    }

    /// Opens the folder at a path, for programs that have no URL. See ``init(directory:time:)-(URL,_)``.
    ///
    /// - Parameters:
    ///   - directory: The path of the folder.
    ///   - time: The clock for the wait for a lock.
    /// - Throws: `storeUnavailable`.
    public init(directory: String, time: any TimeSource = SystemTimeSource()) throws(OrchestrationError) {
        try self.init(folder: DiskFolder(path: directory), time: time)
        try BackupExclusion.apply(toFolder: directory)
    }

    package init(folder: any StorageFolder, time: any TimeSource) throws(OrchestrationError) {
        self.folder = folder
        self.time = time
        try removeLeftovers()
    }

    /// Returns the names that have a file in the folder. Other files are ignored.
    @concurrent public func names() async throws -> [StoreName] {
        try folder.files().compactMap { StoreName(file: $0, kind: .value) }
    }

    /// Reads a file. A file of more than 256 KiB causes `storeCorrupt`.
    @concurrent public func read(_ name: StoreName) async throws -> [UInt8]? {
        try folder.read(name.file(.value), limit: maximumStoredBytes)
    }

    /// Changes a file under its lock, for which it waits up to 5 seconds.
    ///
    /// The last step synchronizes the folder. When it fails, the change may be in effect although this method throws
    /// `storeUnavailable`.
    @concurrent public func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R {
        try change(name, holding: try await Self.lock(name, in: folder, time: time), body)
    }

    /// Returns software keys whose files are in the folder of the store.
    ///
    /// A Secure Enclave protects keys better. On a device that has one, give `SecureEnclaveDeviceKeys` to the
    /// orchestrator. With software keys on such a device, ``Orchestrator/warnings`` contains
    /// ``Warning/Code/softwareKeys``.
    package func defaultDeviceKeys(
        salts: Salts, random: any RandomSource
    ) throws(OrchestrationError) -> any DeviceKeyProvider {
        SoftwareDeviceKeys(folder: folder, salts: salts, machine: .current(), random: random, ownsFolder: true)
    }

    package var methodKeyFolder: any StorageFolder { folder }

    private func change<R>(
        _ name: StoreName, holding lock: borrowing FolderLock,
        _ body: (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) throws -> R {
        // Under the lock no other process writes. A temporary file was therefore left by a crash.
        try folder.remove(name.file(.temporary))
        let (change, result) = try body(try folder.read(name.file(.value), limit: maximumStoredBytes))
        switch change {
        case .keep: break
        case .replace(let bytes): try replace(name, bytes)
        case .delete: try delete(name)
        }
        return result
    }

    private func replace(_ name: StoreName, _ bytes: [UInt8]) throws(OrchestrationError) {
        guard bytes.count <= maximumStoredBytes else { throw OrchestrationError(.invalidArgument) }
        do {
            try folder.create(name.file(.temporary), bytes)
            try folder.synchronize(name.file(.temporary))
            try folder.rename(name.file(.temporary), to: name.file(.value))
        } catch {
            // The first error is thrown. The next change removes a file that is left here.
            try? folder.remove(name.file(.temporary))
            throw error
        }
        try folder.synchronize()
    }

    private func delete(_ name: StoreName) throws(OrchestrationError) {
        try folder.remove(name.file(.value))
        try folder.synchronize()
        try folder.remove(name.file(.lock))
    }

    /// Returns the lock of a name, after at most 5 seconds.
    ///
    /// - Throws: `storeBusy`.
    static func lock(
        _ name: StoreName, in folder: any StorageFolder, time: any TimeSource
    ) async throws -> FolderLock {
        var (waited, delay): (Int64, Int64) = (0, 5)
        while true {
            if let lock = try folder.lock(name.file(.lock)) { return lock }
            guard waited < patience else { throw OrchestrationError(.storeBusy) }
            delay = min(delay, patience - waited)
            try await time.sleep(for: .milliseconds(delay))
            waited += delay
            delay = min(delay * 2, 50)
        }
    }

    /// Removes the temporary files that a crash left, but not those that another process is writing now.
    private func removeLeftovers() throws(OrchestrationError) {
        for file in try folder.files() {
            guard let name = StoreName(file: file, kind: .temporary) else { continue }
            guard let lock = try folder.lock(name.file(.lock)) else { continue }
            try remove(file, holding: lock)
        }
    }

    private func remove(_ file: String, holding lock: borrowing FolderLock) throws(OrchestrationError) {
        try folder.remove(file)
    }
}
