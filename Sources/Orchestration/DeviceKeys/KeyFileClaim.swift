/// Says that a key file is somebody's although no record names it yet: an activation is under way.
///
/// It is a lock on a file beside the key file. Whoever makes a key takes it before the key file exists and holds it as
/// long as the key is in use; the system lets it go when the process dies.
final class KeyFileClaim: Sendable {
    private let folder: any StorageFolder
    private let file: String
    private let lock: FolderLock

    /// - Returns: `nil` when somebody else has it.
    init?(_ id: [UInt8], in folder: any StorageFolder) throws(OrchestrationError) {
        let file = KeyFile.claim(id)
        guard let lock = try folder.lock(file) else { return nil }
        self.folder = folder
        self.file = file
        self.lock = lock
    }

    deinit {
        // While the lock is held: whoever has opened the file by now finds that it has no name any more.
        try? folder.remove(file)
    }
}
