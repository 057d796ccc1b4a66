internal import CLibrary
internal import Synchronization

/// The right to be the only one that has a database open, between processes and within one.
///
/// The lock belongs to the open file, so the system gives it back when the process ends, however it ends. The file
/// itself stays: removing it would let two processes lock two files of one name.
package final class ProcessLock: Sendable {
    /// -1 once the lock was given back.
    private let descriptor: Atomic<CInt>

    /// The note of the last process that had the lock; empty when the process ended without leaving one.
    let note: String

    /// Takes the lock without waiting.
    ///
    /// - Throws: ``DatabaseError/Code/inUse``, or ``DatabaseError/Code/inaccessible``.
    package init(path: String) throws(DatabaseError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DatabaseError(.inaccessible, "the lock file cannot be opened") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isHeld = errno == EWOULDBLOCK
            close(descriptor)
            throw isHeld
                ? DatabaseError(.inUse, "the database is in use by another process")
                : DatabaseError(.inaccessible, "the lock file cannot be locked")
        }
        note = Self.note(in: descriptor)
        // An empty file means that a process has the lock, or was killed while it had it.
        guard note.isEmpty || (ftruncate(descriptor, 0) == 0 && fsync(descriptor) == 0) else {
            flock(descriptor, LOCK_UN)
            close(descriptor)
            throw DatabaseError(.inaccessible, "the lock file cannot be written")
        }
        self.descriptor = Atomic(descriptor)
    }

    /// Gives the lock back, and leaves a note for the next process that takes it.
    ///
    /// The file stays empty when the note cannot be written, as after a kill.
    func release(leaving note: String) {
        let descriptor = descriptor.load(ordering: .acquiring)
        if descriptor >= 0, SystemCall.write(Array(note.utf8).span, to: descriptor) { _ = fsync(descriptor) }
        release()
    }

    private static func note(in descriptor: CInt) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        var span = buffer.mutableSpan
        let count = SystemCall.read(descriptor, into: &span)
        _ = lseek(descriptor, 0, SEEK_SET)
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : ""
    }

    deinit { release() }

    /// Gives the lock back, once.
    ///
    /// Closing alone would not: a child that this process starts has a copy of the descriptor until it executes its
    /// program, and the lock would last as long as the last copy.
    package func release() {
        let descriptor = descriptor.exchange(-1, ordering: .acquiringAndReleasing)
        guard descriptor >= 0 else { return }
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
