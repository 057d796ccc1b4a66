internal import CLibrary
internal import Foundation
internal import OrchestrationProtocol

/// A regular file that is read once for a seal, in pieces.
struct SealFile: ~Copyable {
    private let descriptor: CInt
    private let before: FileState
    private var count: Int64 = 0

    /// Opens a file.
    ///
    /// - Throws: `invalidSealData` for a file that cannot be read, is not a regular one, or has more than 64 MiB.
    init(_ url: URL) throws {
        // Without O_NONBLOCK, a named pipe without a writer would block. It is refused below.
        let descriptor = unsafe open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.unreadable() }
        guard let state = FileState(descriptor) else {
            close(descriptor)
            throw OrchestrationError(.invalidSealData("it is not a regular file"))
        }
        guard state.length <= Int64(SealContent.maximumBytes) else {
            close(descriptor)
            throw SealHash.tooLarge
        }
        self.descriptor = descriptor
        before = state
    }

    deinit { close(descriptor) }

    /// Reads the next piece, up to 64 KiB.
    ///
    /// - Returns: The bytes; `nil` at the end of a file that is unchanged since it was opened.
    /// - Throws: `invalidSealData` for a file that has changed, or that cannot be read.
    mutating func next() throws -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var span = chunk.mutableSpan
        let read = SystemCall.read(descriptor, into: &span)
        guard read >= 0 else { throw Self.unreadable() }
        count += Int64(read)
        guard read == 0 else { return Array(chunk[..<read]) }
        guard let after = FileState(descriptor), after == before, count == before.length else {
            throw OrchestrationError(.invalidSealData("the file has changed while it was read"))
        }
        return nil
    }

    private static func unreadable() -> OrchestrationError {
        OrchestrationError(.invalidSealData("the file cannot be read: \(SystemCall.message(of: errno))"))
    }
}

/// The values that show a change of a file: its length and its modification time.
private struct FileState: Equatable {
    let length: Int64
    private let seconds: Int64
    private let nanoseconds: Int64

    /// Reads the state of an open file; `nil` when it is not a regular one.
    init?(_ descriptor: CInt) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        length = Int64(status.st_size)
        seconds = Int64(time.tv_sec)
        nanoseconds = Int64(time.tv_nsec)
    }
}
