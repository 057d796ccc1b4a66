internal import CLibrary

/// An open file of the operating system, closed when the value is released.
struct FileDescriptor: ~Copyable, Sendable {
    let number: Int32

    /// Creates a descriptor from the result of a call that opens files.
    init(_ call: String, _ number: Int32) throws(SystemFailure) {
        guard number >= 0 else { throw SystemFailure(call, errno) }
        self.number = number
    }

    deinit { close(number) }

    /// Returns the number. The caller closes it.
    consuming func detach() -> Int32 {
        let number = number
        discard self
        return number
    }

    func status() throws(SystemFailure) -> stat {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw SystemFailure("fstat", errno) }
        return status
    }

    /// Reads until the end, or until there is one byte more than the limit. The content may be secret: the caller wipes
    /// the returned bytes, and a file of up to 64 KiB leaves no other copy.
    func readAll(limit: Int) throws(SystemFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let count = min(limit + 1 - bytes.count, 65_536)
            var failure: Int32 = 0
            var chunk = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                let length = unsafe SystemCall.read(number, into: UnsafeMutableRawBufferPointer(buffer))
                failure = length < 0 ? errno : 0
                initialized = max(length, 0)
            }
            guard failure == 0 else { throw SystemFailure("read", failure) }
            guard !chunk.isEmpty else { return bytes }
            bytes += chunk
            chunk.wipe()
        }
        return bytes
    }

    func writeAll(_ bytes: [UInt8]) throws(SystemFailure) {
        guard SystemCall.write(bytes.span, to: number) else { throw SystemFailure("write", errno) }
    }

    /// Returns when everything is on the disk. On Apple platforms `fsync` stops at the drive's cache.
    func synchronize() throws(SystemFailure) {
        #if canImport(Darwin)
            if fcntl(number, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(number) == 0 else { throw SystemFailure("fsync", errno) }
    }
}

extension stat {
    var kind: mode_t { st_mode & S_IFMT }
}

/// A call of the operating system that failed. It contains no file content, and its description contains no path.
package struct SystemFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the call.
    package let call: String

    /// The value of `errno` after the call.
    package let number: Int32

    /// The path of the file or folder that the call was about; `nil` for none.
    package let path: String?

    package init(_ call: String, _ number: Int32, path: String? = nil) {
        self.call = call
        self.number = number
        self.path = path
    }

    /// Returns the failure with a path, unless it has one.
    func at(_ path: String) -> Self { Self(call, number, path: self.path ?? path) }

    /// The path and the system's text for the cause, for developers and for programs at a terminal; `nil` without a path.
    package var reason: String? { path.map { "\($0): \(SystemCall.message(of: number))" } }

    package var description: String { "\(call) failed with errno \(number)" }
}
