internal import Primitives

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Asks a running server over its local socket: one HTTP/1.1 request a connection, nothing else.
package enum AdministrationClient {
    /// Asks, and waits at most 30 seconds for each part of the answer.
    ///
    /// - Throws: ``AdministrationError``.
    package static func perform(
        _ request: AdministrationRequest, socket path: String
    ) throws(AdministrationError) -> AdministrationReply {
        guard let body = try? JSONBody.encode(request) else { throw .badAnswer }
        let head =
            "POST \(AdministrationServer.path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        let answer = try exchange(Array(head.utf8) + body, socket: path)
        guard let (status, content) = parse(answer), status == 200,
            let reply = try? JSONBody.decode(AdministrationReply.self, from: content)
        else { throw .badAnswer }
        return reply
    }

    /// The status and the body of an answer that ends with its connection.
    static func parse(_ answer: [UInt8]) -> (status: Int, body: [UInt8])? {
        let separator = Array("\r\n\r\n".utf8)
        guard let end = answer.indices.first(where: { answer[$0...].starts(with: separator) }) else { return nil }
        let statusLine = String(decoding: answer.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        let words = statusLine.split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return nil }
        return (status, Array(answer[(end + separator.count)...]))
    }

    private static func exchange(_ bytes: [UInt8], socket path: String) throws(AdministrationError) -> [UInt8] {
        let descriptor = try connect(to: path)
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, noSignal) }
            guard count > 0 else { throw .unreachable }
            rest = rest.dropFirst(count)
        }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while answer.count < answerLimit {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard count >= 0 else { throw .unreachable }
            if count == 0 { return answer }
            answer += chunk.prefix(count)
        }
        throw .badAnswer
    }

    private static func connect(to path: String) throws(AdministrationError) -> CInt {
        guard AdministrationServer.fits(path) else { throw .unreachable }
        let descriptor = socket(AF_UNIX, streamType, 0)
        guard descriptor >= 0 else { throw .unreachable }
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The address was zeroed and the path is shorter than its field, so the path ends with a zero byte.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Self.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            throw .unreachable
        }
        return descriptor
    }

    private static func connect(_ descriptor: CInt, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> CInt {
        #if canImport(Darwin)
            unsafe Darwin.connect(descriptor, address, size)
        #elseif canImport(Glibc)
            unsafe Glibc.connect(descriptor, address, size)
        #else
            unsafe Musl.connect(descriptor, address, size)
        #endif
    }

    /// The largest answer that is read, in bytes.
    private static let answerLimit = 16 * 1024 * 1024

    #if canImport(Darwin)
        private static let streamType = SOCK_STREAM
        private static let noSignal: CInt = 0
    #else
        private static let streamType = CInt(SOCK_STREAM.rawValue)
        // A server that goes away while we write is an error, not a signal that ends the program.
        private static let noSignal = CInt(MSG_NOSIGNAL)
    #endif
}

/// Why a running server could not be asked.
package enum AdministrationError: Error {
    /// Nobody listens on the socket, or nobody may connect.
    case unreachable
    /// Something answered that is not our server.
    case badAnswer
}
