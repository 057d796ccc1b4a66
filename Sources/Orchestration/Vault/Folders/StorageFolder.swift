/// The steps of a file store on its folder.
///
/// A crash can happen between any two steps, and tests simulate one at each of them. Names are plain file names of the
/// SDK; no step leaves the folder or follows a symbolic link.
package protocol StorageFolder: Sendable {
    /// Returns the names of the files in the folder.
    func files() throws(OrchestrationError) -> [String]

    /// Returns the whole content of a file; `nil` when there is none.
    ///
    /// - Parameter limit: The maximum size. A longer file causes `storeCorrupt`, and is not read into memory.
    func read(_ file: String, limit: Int) throws(OrchestrationError) -> [UInt8]?

    /// Creates a file that must not exist, readable by its owner only. The bytes may not be durable yet.
    func create(_ file: String, _ bytes: [UInt8]) throws(OrchestrationError)

    /// Returns when the content of a file is durable.
    func synchronize(_ file: String) throws(OrchestrationError)

    /// Renames a file in one step, and replaces the file of that name.
    func rename(_ file: String, to name: String) throws(OrchestrationError)

    /// Removes a file. A file that does not exist is not an error.
    func remove(_ file: String) throws(OrchestrationError)

    /// Returns when all creations, renames and removals are durable.
    func synchronize() throws(OrchestrationError)

    /// Takes the lock of a lock file, which is created when it is missing.
    ///
    /// - Returns: `nil` when another process, or another instance in this one, holds it.
    func lock(_ file: String) throws(OrchestrationError) -> FolderLock?
}

/// A lock that is held until this value is released.
package struct FolderLock: ~Copyable, Sendable {
    private let release: @Sendable () -> Void

    package init(release: @escaping @Sendable () -> Void) {
        self.release = release
    }

    deinit { release() }
}
