public import Primitives

/// A store of files in one folder: a file for each name, written so that no crash leaves a half.
///
/// A change is written to a temporary file, synchronized, renamed over the old file, and the folder is synchronized. An
/// advisory lock beside each file (`flock`) makes changes exclusive between tasks, instances and processes; it is held
/// for one change, and the system releases it when a process dies. Files have mode 0600, the folder 0700; symbolic
/// links and files of other users are refused. The folder must be on a local file system.
///
/// Temporary files that a crash left behind are removed when the store is opened and before each change. A forensic
/// copy of one holds the same as a copy of the store at that moment: see the threat model.
public struct FileStore: SecureStore {
    /// How long a change waits for the lock: 5 seconds.
    static let patience: Int64 = 5_000

    let folder: any StorageFolder
    private let time: any TimeSource

    /// Opens a folder, and makes it where it does not exist.
    ///
    /// - Parameters:
    ///   - directory: the path of the folder. It must belong to the user that runs the process and be no symbolic link.
    ///   - time: measures the waiting for a lock.
    /// - Throws: `storeUnavailable` when the folder cannot be made or used.
    public init(directory: String, time: any TimeSource = SystemTimeSource()) throws(OrchestrationError) {
        try self.init(folder: DiskFolder(path: directory), time: time)
    }

    package init(folder: any StorageFolder, time: any TimeSource) throws(OrchestrationError) {
        self.folder = folder
        self.time = time
        try removeLeftovers()
    }

    /// The names of the files in the folder. Files that are not ours are passed over.
    @concurrent public func names() async throws -> [StoreName] {
        try folder.files().compactMap { StoreName(file: $0, kind: .value) }
    }

    /// Reads a file. More than 256 KiB is `storeCorrupt`.
    @concurrent public func read(_ name: StoreName) async throws -> [UInt8]? {
        try folder.read(name.file(.value), limit: maximumStoredBytes)
    }

    /// Changes a file under its lock. Waits up to 5 seconds for it, then throws `storeBusy`.
    ///
    /// When the very last step fails, which tells the disk to remember the new name, the change may stand although
    /// this throws `storeUnavailable`.
    @concurrent public func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R {
        try change(name, holding: try await Self.lock(name, in: folder, time: time), body)
    }

    private func change<R>(
        _ name: StoreName, holding lock: borrowing FolderLock,
        _ body: (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) throws -> R {
        // Whoever holds the lock knows that nobody is writing: a temporary file is what a crash left behind.
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
        guard bytes.count <= maximumStoredBytes else { throw OrchestrationError(.storeTooLarge) }
        do {
            try folder.create(name.file(.temporary), bytes)
            try folder.synchronize(name.file(.temporary))
            try folder.rename(name.file(.temporary), to: name.file(.value))
        } catch {
            // The error that matters is the first one; the next change removes what stays here.
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

    /// The lock of a name, after at most 5 seconds.
    static func lock(
        _ name: StoreName, in folder: any StorageFolder, time: any TimeSource
    ) async throws -> FolderLock {
        var (waited, delay): (Int64, Int64) = (0, 5)
        while true {
            if let lock = try folder.lock(name.file(.lock)) { return lock }
            guard waited < patience else { throw OrchestrationError(.storeBusy) }
            delay = min(delay, patience - waited)
            try await time.sleep(milliseconds: delay)
            waited += delay
            delay = min(delay * 2, 50)
        }
    }

    /// Removes what a crash left behind, but not what another process is writing at this moment.
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
