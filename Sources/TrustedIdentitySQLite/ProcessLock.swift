internal import CLibrary
internal import Synchronization

/// The right to be the only one who has a database open, between processes and within one.
///
/// The lock belongs to the open file, so the system gives it back when the process ends, however it ends. The file
/// itself stays: removing it would let two processes lock two files of one name.
final class ProcessLock: Sendable {
    /// -1 once the lock was given back.
    private let descriptor: Atomic<CInt>

    /// Takes the lock without waiting.
    ///
    /// - Throws: ``SQLiteStoreError/Code/inUse``, or ``SQLiteStoreError/Code/inaccessible``.
    init(path: String) throws(SQLiteStoreError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SQLiteStoreError(.inaccessible, "the lock file cannot be opened") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isHeld = errno == EWOULDBLOCK
            close(descriptor)
            throw isHeld
                ? SQLiteStoreError(.inUse, "the database is in use by another process")
                : SQLiteStoreError(.inaccessible, "the lock file cannot be locked")
        }
        self.descriptor = Atomic(descriptor)
    }

    deinit { release() }

    /// Gives the lock back, once.
    ///
    /// Closing alone would not: a child that this process starts has a copy of the descriptor until it executes its
    /// program, and the lock would last as long as the last copy.
    func release() {
        let descriptor = descriptor.exchange(-1, ordering: .acquiringAndReleasing)
        guard descriptor >= 0 else { return }
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
