import CLibrary
import Dispatch
import Testing

/// A TCP connection for bytes that no HTTP client sends.
enum RawConnection {
    /// Sends bytes and reads until the server closes the connection, two minutes at most for each part.
    static func exchange(_ text: String, port: Int) async throws -> String {
        try await connected(to: port) { descriptor in
            send(Array(text.utf8), to: descriptor)
            shutdown(descriptor, CInt(SHUT_WR))
            return received(from: descriptor)
        }
    }

    /// Sends bytes, and reads the first part of the answer while the connection stays open in both directions.
    static func firstPart(after text: String, port: Int) async throws -> String {
        try await connected(to: port) { descriptor in
            send(Array(text.utf8), to: descriptor)
            return part(from: descriptor).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }

    /// Sends bytes, and closes the connection after a pause without reading.
    static func abandon(after text: String, port: Int, milliseconds: UInt32) async throws {
        try await connected(to: port) { descriptor in
            send(Array(text.utf8), to: descriptor)
            usleep(milliseconds * 1_000)
        }
    }

    /// Sends bytes, and closes the connection without reading once a condition holds.
    static func abandon(after text: String, port: Int, once condition: () async throws -> Void) async throws {
        let descriptor = try await blocking {
            let descriptor = try connection(to: port)
            send(Array(text.utf8), to: descriptor)
            return descriptor
        }
        defer { close(descriptor) }
        try await condition()
    }

    /// Sends parts with pauses between them, and reads until the server closes the connection.
    static func exchange(_ parts: [String], pause milliseconds: UInt32, port: Int) async throws -> String {
        try await connected(to: port) { descriptor in
            for (index, part) in parts.enumerated() {
                if index > 0 { usleep(milliseconds * 1_000) }
                send(Array(part.utf8), to: descriptor)
            }
            return received(from: descriptor)
        }
    }

    /// Sends two parts with work between them, and reads until the server closes the connection.
    static func exchange(
        _ first: String, then second: String, port: Int, between work: () async throws -> Void
    ) async throws -> String {
        let descriptor = try await blocking {
            let descriptor = try connection(to: port)
            send(Array(first.utf8), to: descriptor)
            return descriptor
        }
        defer { close(descriptor) }
        try await work()
        return try await blocking {
            send(Array(second.utf8), to: descriptor)
            return received(from: descriptor)
        }
    }

    /// Sends bytes, and then a byte every tenth of a second, or nothing, until the server closes the connection.
    /// Returns the answer, or a text that says that the connection was still open after a minute.
    static func drip(_ text: String, byte: String? = "x", port: Int) async throws -> String {
        try await connected(to: port) { descriptor in
            send(Array(text.utf8), to: descriptor)
            var patience = timeval(tv_sec: 0, tv_usec: 100_000)
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            var answer: [UInt8] = []
            for _ in 0..<600 {
                var bytes = [UInt8](repeating: 0, count: 4_096)
                let count = unsafe bytes.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
                if count > 0 {
                    answer += bytes.prefix(count)
                } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                    return String(decoding: answer, as: UTF8.self)
                } else if let byte {
                    send(Array(byte.utf8), to: descriptor)
                }
            }
            return "still open"
        }
    }

    /// A connection that stays open.
    final class Kept: Sendable {
        private let descriptor: CInt

        init(port: Int) async throws { descriptor = try await blocking { try connection(to: port) } }

        deinit { CLibrary.close(descriptor) }

        /// Sends bytes.
        func send(_ text: String) async throws {
            try await blocking { [descriptor] in RawConnection.send(Array(text.utf8), to: descriptor) }
        }

        /// Sends bytes, and reads the next part that arrives; empty when the server has closed the connection.
        func exchange(_ text: String) async throws -> String {
            try await blocking { [descriptor] in
                RawConnection.send(Array(text.utf8), to: descriptor)
                return String(decoding: part(from: descriptor) ?? [], as: UTF8.self)
            }
        }

        /// Whether the server closes the connection within the time of a part.
        func isClosed() async throws -> Bool { try await exchange("").isEmpty }
    }

    /// Connections that say nothing.
    struct Silent: Sendable {
        fileprivate let descriptors: [CInt]
        /// The number of connections that the server had closed.
        let closed: Int

        func close() { for descriptor in descriptors { CLibrary.close(descriptor) } }
    }

    /// Opens connections that say nothing, waits until the server has closed some of them, and counts them a little
    /// later.
    static func silent(_ count: Int, untilClosed expected: Int, port: Int) async throws -> Silent {
        try await blocking {
            let descriptors = try (0..<count).map { _ in try connection(to: port) }
            func closed() -> Int {
                descriptors.count { descriptor in
                    var byte: UInt8 = 0
                    return unsafe recv(descriptor, &byte, 1, CInt(MSG_DONTWAIT | MSG_PEEK)) == 0
                }
            }
            let end = ContinuousClock.now + .seconds(300)
            while closed() < expected, ContinuousClock.now < end { usleep(10_000) }
            usleep(200_000)
            return Silent(descriptors: descriptors, closed: closed())
        }
    }

    /// Opens connections that say nothing, and returns before the server has taken them all.
    static func silent(_ count: Int, port: Int) async throws -> Silent {
        try await blocking { Silent(descriptors: try (0..<count).map { _ in try connection(to: port) }, closed: 0) }
    }

    /// Connects, and closes the connection after the body.
    private static func connected<R: Sendable>(
        to port: Int, _ body: @escaping @Sendable (_ descriptor: CInt) throws -> R
    ) async throws -> R {
        try await blocking {
            let descriptor = try connection(to: port)
            defer { close(descriptor) }
            return try body(descriptor)
        }
    }

    /// Runs blocking calls on a thread of their own, because the server under test needs the threads of the tasks.
    private static func blocking<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
        }
    }

    private static func connection(to port: Int) throws -> CInt {
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #endif
        try #require(descriptor >= 0)
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
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
        return descriptor
    }

    /// Sends bytes, until the server closes the connection.
    private static func send(_ bytes: [UInt8], to descriptor: CInt) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe CLibrary.send(descriptor, $0.baseAddress, $0.count, noSignal)
            }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func received(from descriptor: CInt) -> String {
        var answer: [UInt8] = []
        while let part = part(from: descriptor) { answer += part }
        return String(decoding: answer, as: UTF8.self)
    }

    private static func part(from descriptor: CInt) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    #if canImport(Darwin)
        private static let noSignal: CInt = 0
    #else
        private static let noSignal = CInt(MSG_NOSIGNAL)
    #endif
}
