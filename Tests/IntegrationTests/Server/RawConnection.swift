import CLibrary
import Dispatch
import Testing

/// A TCP connection for bytes that no HTTP client sends.
enum RawConnection {
    /// Sends bytes and reads until the server closes the connection, two minutes at most for each part.
    ///
    /// The calls block, so they run on a thread of their own: the server under test needs the threads of the tasks.
    static func exchange(_ text: String, port: Int) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try blockingExchange(text, port: port) })
            }
        }
    }

    private static func blockingExchange(_ text: String, port: Int) throws -> String {
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #endif
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, noSignal) }
            if count <= 0 { break }
            rest = rest.dropFirst(count)
        }
        shutdown(descriptor, CInt(SHUT_WR))
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count <= 0 { return String(decoding: answer, as: UTF8.self) }
            answer += chunk.prefix(count)
        }
    }

    #if canImport(Darwin)
        private static let noSignal: CInt = 0
    #else
        private static let noSignal = CInt(MSG_NOSIGNAL)
    #endif
}
