internal import CLibrary
internal import CommandLine

/// The bytes of a file, in chunks. Each iteration reads the file from its start.
struct FileChunks: AsyncSequence, Sendable {
    private let path: String

    /// Checks that a file can be read.
    init(path: String) throws(ErrorReport) {
        self.path = path
        _ = try Descriptor(path)
    }

    func makeAsyncIterator() -> Iterator { Iterator(path: path) }

    struct Iterator: AsyncIteratorProtocol {
        private static let size = 64 * 1024

        let path: String
        private var file: Descriptor?

        init(path: String) { self.path = path }

        mutating func next() async throws -> [UInt8]? {
            if file == nil { file = try Descriptor(path) }
            guard let number = file?.number else { return nil }
            var bytes = [UInt8](repeating: 0, count: Self.size)
            var span = bytes.mutableSpan
            let count = SystemCall.read(number, into: &span)
            guard count >= 0 else {
                throw ErrorReport(.failed, "cannot read \(path): \(SystemCall.message(of: errno))")
            }
            return count == 0 ? nil : Array(bytes.prefix(count))
        }
    }

    /// A descriptor that is closed with its last reference.
    private final class Descriptor {
        let number: CInt

        init(_ path: String) throws(ErrorReport) {
            number = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard number >= 0 else {
                throw ErrorReport(.usage, "cannot open \(path): \(SystemCall.message(of: errno))")
            }
            // A folder can be opened. Only reading it fails.
            var status = stat()
            guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
                throw ErrorReport(.usage, "\(path) is a folder")
            }
        }

        deinit { close(number) }
    }
}
