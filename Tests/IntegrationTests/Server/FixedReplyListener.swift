import CLibrary
import Dispatch
import Synchronization
import Testing

/// A listener on a Unix domain socket that reads a request, sends nothing or a fixed reply, and closes the connection.
final class FixedReplyListener: Sendable {
    private let descriptor: CInt
    private let reply: [UInt8]
    private let connections = Mutex(0)

    init(path: String, reply: String = "") throws {
        self.reply = Array(reply.utf8)
        #if canImport(Darwin)
            descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #else
            descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        #endif
        try #require(descriptor >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0 && listen(descriptor, 8) == 0)
        // The calls block, so they run on a thread of their own.
        DispatchQueue.global().async { [self] in serve() }
    }

    /// Stops the listener and returns the number of connections that it accepted.
    func stop() -> Int {
        shutdown(descriptor, CInt(SHUT_RDWR))
        close(descriptor)
        return connections.withLock { $0 }
    }

    private func serve() {
        while true {
            let connection = accept(descriptor, nil, nil)
            guard connection >= 0 else { return }
            connections.withLock { $0 += 1 }
            var chunk = [UInt8](repeating: 0, count: 4_096)
            _ = unsafe chunk.withUnsafeMutableBytes { unsafe recv(connection, $0.baseAddress, $0.count, 0) }
            _ = unsafe reply.withUnsafeBytes { unsafe send(connection, $0.baseAddress, $0.count, 0) }
            close(connection)
        }
    }
}
