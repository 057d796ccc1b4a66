internal import CLibrary
internal import CommandLineReports

/// A file that appears under its name when it is complete, for its owner only.
///
/// Until then it is a draft beside it, which is removed when it is not completed. A lock on the draft keeps two
/// processes from writing the same file at the same time.
final class DraftFile {
    private let path: String
    private let draft: String
    private let failure: ExitStatus
    private let descriptor: CInt
    /// Whether this process holds the lock on the draft, and the draft still has its name.
    private var isOwned = false

    /// Makes an empty draft. What an interrupted process left of an earlier one is deleted.
    ///
    /// - Parameter failure: The exit status of a failure.
    init(path: String, failure: ExitStatus = .failed) throws(ErrorReport) {
        self.path = path
        self.failure = failure
        draft = path + ".new"
        descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw ErrorReport(failure, "cannot make \(draft): \(SystemCall.message(of: errno))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isDraft() else {
            throw ErrorReport(failure, "another process is writing \(path)", hint: "try again when it has ended")
        }
        isOwned = true
        try requireSingleName()
        guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
            throw ErrorReport(failure, "cannot make \(draft): \(SystemCall.message(of: errno))")
        }
    }

    deinit {
        if isOwned { _ = unsafe unlink(draft) }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Writes bytes at the end.
    func write(_ bytes: Span<UInt8>) throws(ErrorReport) {
        guard SystemCall.write(bytes, to: descriptor) else {
            throw ErrorReport(failure, "cannot write \(draft): \(SystemCall.message(of: errno))")
        }
    }

    /// Syncs the file and gives it its name.
    ///
    /// - Parameter replacing: Whether an earlier file with this name is replaced. Otherwise it stays, and the call
    ///   fails.
    func commit(replacing: Bool) throws(ErrorReport) {
        // link fails where rename would replace a file that another process has made meanwhile.
        let publish = unsafe replacing ? rename : link
        guard fsync(descriptor) == 0, unsafe publish(draft, path) == 0 else {
            throw ErrorReport(failure, "cannot make \(path): \(SystemCall.message(of: errno))")
        }
        if unsafe replacing || unlink(draft) == 0 { isOwned = false }
        PrivateFile.syncFolder(of: path)
    }

    /// Throws an error when the open file has another name, too. A run that was interrupted after it gave the file its
    /// name has left the name of the draft, which `deinit` removes. The file is complete.
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
