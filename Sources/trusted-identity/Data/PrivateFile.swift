internal import Primitives

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Small files that only their owner may read.
enum PrivateFile {
    /// Whether there is something under a path.
    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Reads a whole file.
    ///
    /// - Parameter limit: the most bytes that it may have.
    static func read(_ path: String, limit: Int) throws(Failure) -> SecretBytes {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Failure(.storage, "cannot open \(path): \(SystemError.text(errno))") }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.storage, "\(path) is no file")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw Failure(.storage, "\(path) is open to other users", hint: "chmod 600 \(path)")
        }
        let size = Int(status.st_size)
        guard (1...limit).contains(size) else { throw Failure(.storage, "\(path) is empty or too long") }
        return try SecretBytes(count: size) { (span: inout MutableSpan<UInt8>) throws(Failure) in
            let count = unsafe span.withUnsafeMutableBytes { unsafe Self.read(descriptor, $0) }
            guard count == size else { throw Failure(.storage, "cannot read \(path)") }
        }
    }

    /// Makes a file that must not exist yet, and syncs it and its folder: when this returns, it is there to stay.
    ///
    /// It appears under its name at once with all of its bytes, or not at all.
    static func make(_ path: String, _ bytes: borrowing SecretBytes) throws(Failure) {
        let draft = path + ".new"
        _ = unsafe unlink(draft)
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(.storage, "cannot make \(draft): \(SystemError.text(errno))") }
        let count = bytes.withBytes { span in
            unsafe span.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        }
        let isWritten = count == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        // link, not rename: it does not replace what another process made meanwhile.
        let isLinked = unsafe isWritten && link(draft, path) == 0
        _ = unsafe unlink(draft)
        guard isLinked else { throw Failure(.storage, "cannot make \(path): \(SystemError.text(errno))") }
        syncFolder(of: path)
    }

    private static func read(_ descriptor: CInt, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Darwin)
            unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Glibc)
            unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #else
            unsafe Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }

    private static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// What the system says about an error number.
enum SystemError {
    static func text(_ number: CInt) -> String {
        unsafe strerror(number).map { unsafe String(cString: $0).lowercased() } ?? "error \(number)"
    }
}
