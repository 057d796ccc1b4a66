internal import CLibrary

/// The lengths of files.
enum FileLength {
    /// Returns the length of a file in bytes; nil when there is none.
    static func bytes(of path: String) -> Int? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
