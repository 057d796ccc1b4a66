internal import CLibrary

/// The state of a file, and the free bytes of its disk.
enum FileState {
    /// Returns a text that changes when a file is written or replaced; empty when there is none.
    static func identity(of path: String) -> String {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return "" }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return "\(status.st_dev) \(status.st_ino) \(status.st_size) \(time.tv_sec) \(time.tv_nsec)"
    }

    /// Returns the bytes that a process without privileges can still write to the disk of a file; `nil` when the disk
    /// does not say.
    static func free(at path: String) -> Int64? {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { return nil }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }
}
