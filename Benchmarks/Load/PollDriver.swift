import CLibrary

/// Requests and answers over connections to the loopback interface, on one thread.
final class PollDriver {
    struct Problem: Error, CustomStringConvertible { let description: String }

    /// The server has closed a connection.
    struct Closed: Error {}

    private struct Connection {
        let descriptor: CInt
        var plan: RequestPlan
        var answer: [UInt8] = []
        var begin: ContinuousClock.Instant?
        var account: Int?
        /// The time from which the next request is sent.
        var next = ContinuousClock.now
    }

    private var connections: [Connection] = []
    private let expected: [UInt8]
    private(set) var microseconds: [UInt32] = []
    private(set) var unexpected = 0
    /// The number of answered requests by the place of their account.
    private(set) var answered: [Int: Int] = [:]
    /// The accounts of requests that the server has not answered.
    var unanswered: Set<Int> { Set(connections.filter { $0.begin != nil }.compactMap(\.account)) }

    init(port: UInt16, plans: [RequestPlan], expecting expected: String) throws {
        self.expected = Array(expected.utf8)
        for plan in plans { connections.append(Connection(descriptor: try Self.connect(to: port), plan: plan)) }
    }

    deinit {
        for connection in connections { close(connection.descriptor) }
    }

    /// Sends requests until the time is over, and waits for the answers to what was sent.
    ///
    /// - Parameters:
    ///   - duration: The time.
    ///   - pause: The time from one request of a connection to the next, unless the answer takes longer.
    func run(for duration: Duration, pause: Duration) throws {
        let begin = ContinuousClock.now
        let end = begin + duration
        for index in connections.indices {
            connections[index].next = begin + pause * index / connections.count
            if pause == .zero { try send(on: index, until: end, pause: pause) }
        }
        while connections.contains(where: { $0.begin != nil }) || (pause > .zero && ContinuousClock.now < end) {
            var polled = connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            let count = unsafe poll(&polled, nfds_t(polled.count), pause > .zero ? 1 : 30_000)
            guard count > 0 || pause > .zero else { throw Problem(description: "no answer in 30 seconds") }
            for index in polled.indices {
                if polled[index].revents != 0, try !receive(on: index) { continue }
                if connections[index].begin == nil { try send(on: index, until: end, pause: pause) }
            }
        }
    }

    /// Drops the times of the requests until now.
    func dropTimes() { microseconds.removeAll() }

    private func send(on index: Int, until end: ContinuousClock.Instant, pause: Duration) throws {
        let now = ContinuousClock.now
        guard now < end, connections[index].next <= now else { return }
        guard let (request, account) = connections[index].plan.next() else { return }
        connections[index].next = max(connections[index].next + pause, now)
        connections[index].begin = now
        connections[index].account = account
        connections[index].answer.removeAll(keepingCapacity: true)
        guard SystemCall.write(request.span, to: connections[index].descriptor) else {
            throw Closed()
        }
    }

    /// Reads what has come.
    ///
    /// - Returns: Whether the answer is complete.
    private func receive(on index: Int) throws -> Bool {
        let count = unsafe withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer -> Int in
            let count = unsafe SystemCall.read(connections[index].descriptor, into: buffer)
            if count > 0 { unsafe connections[index].answer.append(contentsOf: buffer.prefix(count)) }
            return count
        }
        guard count > 0 else { throw Closed() }
        guard let answer = Answer(connections[index].answer), let begin = connections[index].begin else { return false }
        microseconds.append(UInt32((ContinuousClock.now - begin) / .microseconds(1)))
        if !(answer.isOK && answer.body.contains(expected)) { unexpected += 1 }
        if let account = connections[index].account { answered[account, default: 0] += 1 }
        connections[index].begin = nil
        return true
    }

    private static func connect(to port: UInt16) throws -> CInt {
        let descriptor = socket(AF_INET, type, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe CLibrary.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard descriptor >= 0, result == 0 else {
            throw Problem(description: "port \(port) cannot be connected to: \(SystemCall.message(of: errno))")
        }
        var one: CInt = 1
        _ = unsafe setsockopt(
            descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<CInt>.size))
        return descriptor
    }

    #if canImport(Glibc)
        private static let type = CInt(SOCK_STREAM.rawValue)
    #else
        private static let type = SOCK_STREAM
    #endif
}

/// A complete answer.
private struct Answer {
    let isOK: Bool
    let body: ArraySlice<UInt8>

    /// Returns nil while the answer is not complete.
    init?(_ bytes: [UInt8]) {
        guard let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).lowercased().split(separator: "\r\n")
        let length = lines.first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) }
        guard let length, bytes.count >= head.upperBound + length else { return nil }
        isOK = lines.first?.contains(" 200 ") ?? false
        body = bytes[head.upperBound...]
    }
}
