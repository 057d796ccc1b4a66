internal import CLibrary
internal import CommandLine

/// A file, or standard input, that a command reads as a whole.
enum InputFile {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The path; `-` for standard input.
    ///   - limit: The maximum size, in bytes.
    /// - Throws: ``ErrorReport`` with `usage` for a file that cannot be read, that is longer, or that is not UTF-8.
    static func text(_ path: String, limit: Int) throws(ErrorReport) -> String {
        let isInput = path == "-"
        let descriptor = isInput ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ErrorReport(.usage, "cannot open \(path): \(SystemCall.message(of: errno))")
        }
        defer { if !isInput { close(descriptor) } }
        let name = isInput ? "standard input" : path
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            var span = chunk.mutableSpan
            let count = SystemCall.read(descriptor, into: &span)
            guard count >= 0 else {
                throw ErrorReport(.usage, "cannot read \(name): \(SystemCall.message(of: errno))")
            }
            if count == 0 { break }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw ErrorReport(.usage, "\(name) is longer than \(limit) bytes") }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ErrorReport(.usage, "\(name) is not UTF-8")
        }
        return text
    }
}
