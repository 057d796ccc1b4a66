internal import CLibrary

/// A folder on the disk that belongs to the user of the process alone.
///
/// It is opened once, and every access uses that descriptor. A later change of the path therefore has no effect.
package final class DiskFolder: StorageFolder {
    private let folder: FileDescriptor

    /// The path as it was given, for errors.
    private let path: String

    /// Opens a folder, and creates it with its missing parents where it does not exist.
    ///
    /// - Parameter path: The path. It must not be a symbolic link and must belong to the user that runs the process. A
    ///   folder that is created has mode 0700. An existing folder keeps its permissions, because it may contain other
    ///   files. However, the first change removes the write permission of the group and of others, who could replace a
    ///   file. A folder for all users, such as `/tmp`, is refused.
    /// - Throws: `storeUnavailable`.
    package init(path: String) throws(OrchestrationError) {
        self.path = path
        folder = try Self.wrapping(path) { () throws(SystemFailure) in
            try Self.makeFolders(path)
            let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            let folder = try FileDescriptor("open", unsafe open(path, flags))
            let status = try folder.status()
            let isForAll = status.st_mode & 0o1002 == 0o1002
            guard status.st_uid == geteuid(), !isForAll else { throw SystemFailure("open", EPERM) }
            return folder
        }
    }

    package func files() throws(OrchestrationError) -> [String] {
        try Self.wrapping(path) { () throws(SystemFailure) in
            let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
            let descriptor = unsafe openat(folder.number, ".", flags)
            guard descriptor >= 0 else { throw SystemFailure("openat", errno) }
            guard let stream = unsafe fdopendir(descriptor) else {
                let number = errno
                close(descriptor)
                throw SystemFailure("fdopendir", number)
            }
            defer { unsafe closedir(stream) }
            var names: [String] = []
            while let entry = unsafe readdir(stream) {
                let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                    unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                }
                if name != ".", name != ".." { names.append(name) }
            }
            return names
        }
    }

    package func read(_ file: String, limit: Int) throws(OrchestrationError) -> [UInt8]? {
        // Without NONBLOCK, opening a FIFO of this name would block. It is refused below.
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let bytes = try Self.wrapping(path(of: file)) { () throws(SystemFailure) -> [UInt8]? in
            let number = unsafe openat(folder.number, file, flags)
            if number < 0, errno == ENOENT { return nil }
            let descriptor = try FileDescriptor("openat", number)
            try Self.requireOwnFile(descriptor)
            return try descriptor.readAll(limit: limit)
        }
        guard let bytes else { return nil }
        guard bytes.count <= limit else { throw OrchestrationError(.storeCorrupt) }
        return bytes
    }

    package func create(_ file: String, _ bytes: [UInt8]) throws(OrchestrationError) {
        try Self.wrapping(path(of: file)) { () throws(SystemFailure) in
            try excludeOtherWriters()
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let descriptor = try FileDescriptor("openat", unsafe openat(folder.number, file, flags, 0o600))
            guard fchmod(descriptor.number, 0o600) == 0 else { throw SystemFailure("fchmod", errno) }
            try descriptor.writeAll(bytes)
        }
    }

    package func synchronize(_ file: String) throws(OrchestrationError) {
        try Self.wrapping(path(of: file)) { () throws(SystemFailure) in
            let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
            let descriptor = try FileDescriptor("openat", unsafe openat(folder.number, file, flags))
            try descriptor.synchronize()
        }
    }

    package func rename(_ file: String, to name: String) throws(OrchestrationError) {
        try Self.wrapping(path(of: file)) { () throws(SystemFailure) in
            guard unsafe renameat(folder.number, file, folder.number, name) == 0 else {
                throw SystemFailure("renameat", errno)
            }
        }
    }

    package func remove(_ file: String) throws(OrchestrationError) {
        try Self.wrapping(path(of: file)) { () throws(SystemFailure) in
            guard unsafe unlinkat(folder.number, file, 0) == 0 || errno == ENOENT else {
                throw SystemFailure("unlinkat", errno)
            }
        }
    }

    package func synchronize() throws(OrchestrationError) {
        try Self.wrapping(path) { () throws(SystemFailure) in try folder.synchronize() }
    }

    package func lock(_ file: String) throws(OrchestrationError) -> FolderLock? {
        try Self.wrapping(path(of: file)) { () throws(SystemFailure) -> FolderLock? in
            try excludeOtherWriters()
            // Deleting a user also removes the lock file, and a lock on a removed file excludes no other process. The
            // locked file must therefore still have the name; otherwise try again with the file that has it.
            for _ in 0..<100 {
                let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
                let descriptor = try FileDescriptor("openat", unsafe openat(folder.number, file, flags, 0o600))
                try Self.requireOwnFile(descriptor)
                // This uses flock, not fcntl, because locks of flock belong to the open file and exclude two instances
                // in one process.
                guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else {
                    if errno == EINTR { continue }
                    if errno == EWOULDBLOCK { return nil }
                    throw SystemFailure("flock", errno)
                }
                var named = stat()
                guard unsafe fstatat(folder.number, file, &named, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
                let locked = try descriptor.status()
                guard named.st_ino == locked.st_ino, named.st_dev == locked.st_dev else { continue }
                return Self.lock(holding: descriptor)
            }
            return nil
        }
    }

    private func excludeOtherWriters() throws(SystemFailure) {
        let mode = try folder.status().st_mode
        guard mode & 0o022 != 0, fchmod(folder.number, mode & 0o7755) != 0 else { return }
        throw SystemFailure("fchmod", errno)
    }

    /// Returns a lock that ends when it is released. The kernel releases it when the process ends.
    private static func lock(holding descriptor: consuming FileDescriptor) -> FolderLock {
        let holder = Holder(descriptor)
        return FolderLock { holder.release() }
    }

    private static func requireOwnFile(_ descriptor: borrowing FileDescriptor) throws(SystemFailure) {
        let status = try descriptor.status()
        guard status.kind == S_IFREG, status.st_uid == geteuid() else { throw SystemFailure("open", EPERM) }
    }

    private static func makeFolders(_ path: String) throws(SystemFailure) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard !parts.isEmpty else { return }
        var prefix = path.hasPrefix("/") ? "" : "."
        for part in parts {
            prefix += "/" + part
            guard unsafe mkdir(prefix, 0o700) == 0 || errno == EEXIST || access(prefix) else {
                throw SystemFailure("mkdir", errno, path: prefix)
            }
        }
    }

    /// Returns whether a path exists that cannot be created again, such as a mounted read-only parent.
    private static func access(_ path: String) -> Bool {
        let number = errno
        var status = stat()
        let exists = unsafe stat(path, &status) == 0
        errno = number
        return exists
    }

    private func path(of file: String) -> String { "\(path)/\(file)" }

    /// Runs calls about a path, and adds the path to their failure.
    private static func wrapping<R: ~Copyable>(
        _ path: String, _ body: () throws(SystemFailure) -> R
    ) throws(OrchestrationError) -> R {
        do { return try body() } catch { throw OrchestrationError(.storeUnavailable, underlying: error.at(path)) }
    }
}

extension DiskFolder {
    /// Owns the descriptor of a lock file inside a closure, which cannot own noncopyable values itself.
    private final class Holder: Sendable {
        private let descriptor: Int32

        init(_ descriptor: consuming FileDescriptor) {
            self.descriptor = descriptor.detach()
        }

        /// Unlocks before closing: a child process holds a copy of the descriptor between fork and exec.
        func release() {
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
    }
}
