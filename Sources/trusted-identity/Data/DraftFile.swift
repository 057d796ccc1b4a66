internal import CLibrary
internal import CommandLine
internal import Synchronization

/// A file that appears under its name only when it is complete. Only its owner can read it.
///
/// Until then it is a draft next to it, which is removed when it is not completed. A lock on the draft keeps two
/// processes from writing the same file at the same time. A draft or a previous file of another user is refused,
/// because that user could read the content.
final class DraftFile: Sendable {
    private let path: String
    private let draft: String
    private let failure: ExitStatus
    private let isReplacing: Bool
    private let descriptor: CInt
    /// Whether this process holds the lock on the draft, and the draft still has its name.
    private let isOwned = Mutex(false)

    /// Creates an empty draft. The remains of a previous, interrupted draft are deleted.
    ///
    /// - Parameters:
    ///   - replacing: Whether a previous file with the name is replaced. Otherwise it stays, and ``commit()`` fails.
    ///   - failure: The exit status of a failure.
    init(path: String, replacing: Bool = false, failure: ExitStatus = .failed) throws(ErrorReport) {
        self.path = path
        self.failure = failure
        isReplacing = replacing
        draft = path + ".new"
        var earlier = stat()
        if replacing, unsafe lstat(path, &earlier) == 0, !earlier.isOwnFile {
            throw ErrorReport(failure, "\(path) is not a file of this user", hint: "name another file")
        }
        // A pipe of this name is refused below. Without NONBLOCK, the call would wait for a reader.
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        descriptor = unsafe open(draft, flags, 0o600)
        guard descriptor >= 0 else {
            throw ErrorReport(failure, "cannot make \(draft): \(SystemCall.message(of: errno))")
        }
        var opened = stat()
        guard unsafe fstat(descriptor, &opened) == 0, opened.isOwnFile else {
            throw ErrorReport(failure, "\(draft) is not a file of this user", hint: "remove it, or name another file")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isDraft() else {
            throw ErrorReport(failure, "another process is writing \(path)", hint: "try again when it has ended")
        }
        isOwned.withLock { $0 = true }
        try requireSingleName()
        guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
            throw ErrorReport(failure, "cannot make \(draft): \(SystemCall.message(of: errno))")
        }
    }

    deinit {
        if isOwned.withLock(\.self) { _ = unsafe unlink(draft) }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Writes bytes at the end.
    func write(_ bytes: Span<UInt8>) throws(ErrorReport) {
        guard SystemCall.write(bytes, to: descriptor) else {
            throw ErrorReport(failure, "cannot write \(draft): \(SystemCall.message(of: errno))")
        }
    }

    /// Syncs the file and gives it its name.
    func commit() throws(ErrorReport) {
        // `link` fails where `rename` would replace a file that another process created in the meantime.
        let publish = unsafe isReplacing ? rename : link
        guard fsync(descriptor) == 0, unsafe publish(draft, path) == 0 else {
            throw ErrorReport(failure, "cannot make \(path): \(SystemCall.message(of: errno))")
        }
        if unsafe isReplacing || unlink(draft) == 0 { isOwned.withLock { $0 = false } }
        PrivateFile.syncFolder(of: path)
    }

    /// Throws an error if the open file also has another name. A run that was interrupted after it named the file
    /// leaves the draft's name, which `deinit` removes. The file is complete.
    private func requireSingleName() throws(ErrorReport) {
        var opened = stat()
        guard unsafe fstat(descriptor, &opened) == 0, opened.st_nlink == 1 else {
            throw ErrorReport(
                failure, "a run that was interrupted has completed \(path) or another file", hint: "try again")
        }
    }

    /// Returns whether the name of the draft still belongs to the open file. Another process may have completed its
    /// draft before this one got the lock.
    private func isDraft() -> Bool {
        var (opened, named) = (stat(), stat())
        return unsafe fstat(descriptor, &opened) == 0 && lstat(draft, &named) == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }
}

extension stat {
    /// Whether this is a regular file of the user of this process.
    fileprivate var isOwnFile: Bool { st_mode & S_IFMT == S_IFREG && st_uid == geteuid() }
}
