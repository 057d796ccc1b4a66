internal import CLibrary
internal import CommandLine
internal import Primitives

/// Small files that only their owner can read.
enum PrivateFile {
    /// Whether there is a file at a path.
    ///
    /// A file that cannot be examined is treated as existing: opening it reports the reason.
    static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    /// Whether a path names a symbolic link, whatever its target is.
    static func isSymbolicLink(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Reads a whole file.
    ///
    /// - Parameter limit: The maximum size of the file, in bytes.
    static func read(_ path: String, limit: Int) throws(ErrorReport) -> SecretBytes {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw ErrorReport(.storage, "cannot open \(path): \(SystemCall.message(of: errno))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ErrorReport(.storage, "\(path) is not a file")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw ErrorReport(.storage, "\(path) is open to other users", hint: "chmod 600 \(path)")
        }
        let size = Int(status.st_size)
        guard (1...limit).contains(size) else { throw ErrorReport(.storage, "\(path) is empty or too long") }
        return try SecretBytes(count: size) { (span: inout MutableSpan<UInt8>) throws(ErrorReport) in
            guard SystemCall.read(descriptor, into: &span) == size else {
                throw ErrorReport(.storage, "cannot read \(path)")
            }
        }
    }

    /// Creates a file that must not yet exist, and syncs it and its folder.
    ///
    /// The file appears under its name with all of its bytes, or not at all, even after a power loss.
    static func make(_ path: String, _ bytes: borrowing SecretBytes) throws(ErrorReport) {
        let draft = try DraftFile(path: path, failure: .storage)
        try bytes.withBytes { (span) throws(ErrorReport) in try draft.write(span) }
        try draft.commit()
    }

    /// Makes a file and its name durable.
    static func sync(_ path: String) throws(ErrorReport) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        for name in [path, folder] {
            let descriptor = unsafe open(name, O_RDONLY | O_CLOEXEC)
            defer { if descriptor >= 0 { close(descriptor) } }
            guard descriptor >= 0, fsync(descriptor) == 0 else {
                throw ErrorReport(.failed, "cannot sync \(name): \(SystemCall.message(of: errno))")
            }
        }
    }

    /// Makes the names in the folder of a file durable.
    static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
