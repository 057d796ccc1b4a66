/// What a file store does to its folder, step by step.
///
/// The steps are as small as the ones a crash can fall between, so that tests can end the world at each of them.
/// Names are plain file names of ours; nothing here leaves the folder or follows a symbolic link.
package protocol StorageFolder: Sendable {
    /// The names of the files in the folder.
    func files() throws(OrchestrationError) -> [String]

    /// The whole content of a file, `nil` when there is none.
    ///
    /// - Parameter limit: a longer file is corrupt, and is not read into memory.
    func read(_ file: String, limit: Int) throws(OrchestrationError) -> [UInt8]?

    /// Makes a file that must not exist yet, readable by its owner only. The bytes may not be on the disk yet.
    func create(_ file: String, _ bytes: [UInt8]) throws(OrchestrationError)

    /// Returns when the content of a file is on the disk.
    func synchronize(_ file: String) throws(OrchestrationError)

    /// Gives a file another name, in place of the file that had it, atomically.
    func rename(_ file: String, to name: String) throws(OrchestrationError)

    /// Removes a file. One that is not there is no error.
    func remove(_ file: String) throws(OrchestrationError)

    /// Returns when all creations, renames and removals are on the disk.
    func synchronize() throws(OrchestrationError)

    /// Takes the lock of a lock file, which is made when it is missing.
    ///
    /// - Returns: `nil` when another process, or another instance in this one, holds it.
    func lock(_ file: String) throws(OrchestrationError) -> FolderLock?
}

/// A lock that is held until this value goes, whatever way the holder ends.
package struct FolderLock: ~Copyable, Sendable {
    private let release: @Sendable () -> Void

    package init(release: @escaping @Sendable () -> Void) {
        self.release = release
    }

    deinit { release() }
}
