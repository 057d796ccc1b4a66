internal import CLibrary

/// Small files of the operating system.
enum SystemFile {
    /// The content of a file of at most so many bytes, `nil` when there is none or it cannot be read.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        guard
            let descriptor = try? FileDescriptor("open", unsafe open(path, flags)),
            let bytes = try? descriptor.readAll(limit: limit), bytes.count <= limit
        else { return nil }
        return bytes
    }
}
