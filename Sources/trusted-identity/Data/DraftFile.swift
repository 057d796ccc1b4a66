internal import CLibrary
internal import CommandLineReports

/// A file that appears under its name when it is complete, in the place of an earlier one, for its owner only.
///
/// Until then it is a draft beside it, which is removed when it is not completed.
final class DraftFile {
    private let path: String
    private let draft: String
    private let descriptor: CInt
    private var isCommitted = false

    init(path: String) throws(ErrorReport) {
        self.path = path
        draft = path + ".new"
        _ = unsafe unlink(draft)
        descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw ErrorReport(.failed, "cannot make \(draft): \(SystemCall.message(of: errno))")
        }
    }

    deinit {
        close(descriptor)
        if !isCommitted { _ = unsafe unlink(draft) }
    }

    /// Writes bytes at the end.
    func write(_ bytes: [UInt8]) throws {
        guard SystemCall.write(bytes.span, to: descriptor) else {
            throw ErrorReport(.failed, "cannot write \(draft): \(SystemCall.message(of: errno))")
        }
    }

    /// Syncs the file and gives it its name.
    func commit() throws(ErrorReport) {
        guard fsync(descriptor) == 0, unsafe rename(draft, path) == 0 else {
            throw ErrorReport(.failed, "cannot make \(path): \(SystemCall.message(of: errno))")
        }
        isCommitted = true
        PrivateFile.syncFolder(of: path)
    }
}
