#if PostgreSQL
    import CLibrary
    import Foundation
    import Synchronization

    /// A relay between clients and a server of PostgreSQL, on a port of the loopback interface, that injects faults. The
    /// connections must not be encrypted.
    final class FaultRelay: Sendable {
        /// What happens to a new connection.
        enum NewConnections: Sendable {
            case relayed
            /// It is closed at once.
            case refused
            /// It is taken, and never answered.
            case silent
        }

        /// Where a connection is cut that sends `COMMIT` after a write.
        enum CommitCut: Sendable {
            /// The server does not get it.
            case before
            /// The server has committed, and the client gets no answer.
            case inside
            /// The client has got the answer.
            case after
        }

        /// What happens to the messages with notifications.
        enum Notifications: Sendable {
            case relayed
            case lost
            case doubled
            /// Each has the topic of a program that knows nothing of the platform.
            case malformed
        }

        /// The faults from now on.
        struct Faults: Sendable {
            var newConnections = NewConnections.relayed
            /// The cut of the next connection that sends `COMMIT` after a write. It happens once.
            var cut: CommitCut?
            var notifications = Notifications.relayed
            /// Whether the answers of the server are dropped, as behind a network that is cut without notice.
            var isStalled = false
        }

        let port: UInt16
        private let server: UInt16
        private let listener: CInt
        private let faults = Mutex(Faults())
        private let links = Mutex<[Link]>([])

        /// Starts a relay to a server.
        init(to server: UInt16) throws {
            self.server = server
            listener = Sockets.make()
            port = try Sockets.listen(listener)
            let relay = Unowned(self)
            Thread.detachNewThread { [listener] in
                while true {
                    let descriptor = accept(listener, nil, nil)
                    guard descriptor >= 0, let relay = relay.value else { return }
                    relay.take(descriptor)
                }
            }
        }

        deinit {
            shutdown(listener, CInt(SHUT_RDWR))
            close(listener)
            cutAll()
        }

        /// Changes the faults.
        func change(_ body: (inout Faults) -> Void) { faults.withLock { body(&$0) } }

        /// Whether the cut at a `COMMIT` is still to come.
        var isArmed: Bool { faults.withLock { $0.cut != nil } }

        /// Cuts all connections.
        func cutAll() {
            let open = links.withLock { links in
                defer { links = [] }
                return links
            }
            for link in open { link.cut() }
        }

        fileprivate var current: Faults { faults.withLock { $0 } }

        /// Takes the cut, for one connection.
        fileprivate func takeCut() -> CommitCut? {
            faults.withLock { faults in
                defer { faults.cut = nil }
                return faults.cut
            }
        }

        private func take(_ descriptor: CInt) {
            let newConnections = current.newConnections
            guard newConnections != .refused else {
                close(descriptor)
                return
            }
            Sockets.sendAtOnce(descriptor)
            let upstream = Sockets.make()
            let link = Link(client: descriptor, server: upstream)
            links.withLock { $0.append(link) }
            guard newConnections == .relayed else { return }
            guard Sockets.connect(upstream, to: server) else { return link.cut() }
            let relay = Unowned(self)
            Thread.detachNewThread { link.relayRequests(faults: relay) }
            Thread.detachNewThread { link.relayAnswers(faults: relay) }
        }
    }

    /// A reference that does not keep the relay.
    private struct Unowned: Sendable {
        weak let value: FaultRelay?
        init(_ value: FaultRelay) { self.value = value }
    }

    /// Both sides of one connection. Its descriptors are closed with the last reference.
    private final class Link: Sendable {
        private let client: CInt
        private let server: CInt
        /// The cut that waits for the end of the server's answer.
        private let pending = Mutex<FaultRelay.CommitCut?>(nil)

        init(client: CInt, server: CInt) {
            self.client = client
            self.server = server
        }

        deinit {
            close(client)
            close(server)
        }

        func cut() {
            shutdown(client, CInt(SHUT_RDWR))
            shutdown(server, CInt(SHUT_RDWR))
        }

        func relayRequests(faults: Unowned) {
            defer { cut() }
            var statements = Statements()
            // The first message has no type.
            var reader = MessageReader(hasType: false)
            while let part = Sockets.part(from: client) {
                reader.append(part)
                while let message = reader.next() {
                    if statements.isCommit(message), let cut = faults.value?.takeCut() {
                        guard cut != .before else { return }
                        pending.withLock { $0 = cut }
                    }
                    guard Sockets.send(message.bytes, to: server) else { return }
                }
            }
        }

        func relayAnswers(faults: Unowned) {
            defer { cut() }
            var reader = MessageReader(hasType: true)
            while let part = Sockets.part(from: server) {
                reader.append(part)
                while let message = reader.next() {
                    guard let present = faults.value?.current else { return }
                    let cut = pending.withLock { $0 }
                    if cut != .inside, !present.isStalled {
                        let isNotification = message.type == UInt8(ascii: "A")
                        for bytes in isNotification
                            ? Self.notification(message, present.notifications) : [message.bytes]
                        {
                            guard Sockets.send(bytes, to: client) else { return }
                        }
                    }
                    // The server is ready for the next request: it has committed.
                    if cut != nil, message.type == UInt8(ascii: "Z") { return }
                }
            }
        }

        private static func notification(
            _ message: MessageReader.Message, _ fault: FaultRelay.Notifications
        ) -> [[UInt8]] {
            switch fault {
            case .relayed: return [message.bytes]
            case .lost: return []
            case .doubled: return [message.bytes, message.bytes]
            case .malformed:
                // The process id, the channel and the topic, which both end with a zero.
                let head = message.bytes.dropFirst(5).prefix(4) + message.bytes.dropFirst(9).prefix { $0 != 0 } + [0]
                let body = Array(head) + Array("no topic: \u{1F4A5} '; DROP TABLE account".utf8) + [0]
                let length = UInt32(body.count + 4)
                return [[message.type] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + body]
            }
        }
    }

    /// The messages of a direction of the protocol, version 3.
    private struct MessageReader {
        struct Message {
            /// 0 for the first message of a client.
            let type: UInt8
            let bytes: [UInt8]
            /// What follows the length.
            var body: ArraySlice<UInt8> { bytes.dropFirst(type == 0 ? 4 : 5) }
        }

        private var hasType: Bool
        private var bytes: [UInt8] = []

        init(hasType: Bool) { self.hasType = hasType }

        mutating func append(_ part: [UInt8]) { bytes += part }

        mutating func next() -> Message? {
            let start = hasType ? 1 : 0
            guard bytes.count >= start + 4 else { return nil }
            let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            guard bytes.count >= start + length else { return nil }
            let message = Message(type: hasType ? bytes[0] : 0, bytes: Array(bytes.prefix(start + length)))
            bytes.removeFirst(start + length)
            hasType = true
            return message
        }
    }

    /// The prepared statements of a connection, as far as they show which request commits a write.
    private struct Statements {
        private enum Kind { case begin, commit, write, other }

        /// The prepared statements by their names.
        private var prepared: [[UInt8]: Kind] = [:]
        /// The statement of the portal without a name.
        private var bound = Kind.other
        private var hasWritten = false

        /// Returns whether a message commits a transaction that has written.
        mutating func isCommit(_ message: MessageReader.Message) -> Bool {
            let texts = message.body.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
            guard let first = texts.first else { return false }
            switch message.type {
            case UInt8(ascii: "Q"): return runs(Self.kind(first))
            case UInt8(ascii: "P"): prepared[first] = texts.count > 1 ? Self.kind(texts[1]) : .other
            case UInt8(ascii: "B"): bound = texts.count > 1 ? prepared[texts[1], default: .other] : .other
            case UInt8(ascii: "E"): return runs(bound)
            default: break
            }
            return false
        }

        private mutating func runs(_ kind: Kind) -> Bool {
            switch kind {
            case .commit:
                defer { hasWritten = false }
                return hasWritten
            case .begin: hasWritten = false
            case .write: hasWritten = true
            case .other: break
            }
            return false
        }

        private static func kind(_ statement: [UInt8]) -> Kind {
            switch String(decoding: statement, as: UTF8.self).uppercased().prefix(5) {
            case "BEGIN": .begin
            case "COMMI": .commit
            case "INSER", "UPDAT", "DELET": .write
            default: .other
            }
        }
    }

    /// TCP sockets of the loopback interface.
    private enum Sockets {
        static func make() -> CInt { socket(AF_INET, streamType, 0) }

        /// Listens, and returns the port.
        static func listen(_ descriptor: CInt) throws -> UInt16 {
            var (bound, length) = (address(0), socklen_t(MemoryLayout<sockaddr_in>.size))
            let status = unsafe withUnsafeMutablePointer(to: &bound) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, length) == 0 && CLibrary.listen(descriptor, 64) == 0
                        ? getsockname(descriptor, $0, &length) : -1
                }
            }
            guard status == 0 else { throw POSIXError(.EADDRINUSE) }
            return UInt16(bigEndian: bound.sin_port)
        }

        static func connect(_ descriptor: CInt, to port: UInt16) -> Bool {
            var address = address(port)
            sendAtOnce(descriptor)
            return unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe CLibrary.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }

        /// Sends small parts without a wait for more.
        static func sendAtOnce(_ descriptor: CInt) {
            var one: CInt = 1
            unsafe setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<CInt>.size))
        }

        /// Reads what has come; `nil` after the end.
        static func part(from descriptor: CInt) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            return count > 0 ? Array(bytes.prefix(count)) : nil
        }

        static func send(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes {
                    unsafe CLibrary.send(descriptor, $0.baseAddress, $0.count, noSignal)
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        private static func address(_ port: UInt16) -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return address
        }

        #if canImport(Darwin)
            private static let streamType = SOCK_STREAM
            private static let noSignal: CInt = 0
        #else
            private static let streamType = CInt(SOCK_STREAM.rawValue)
            private static let noSignal = CInt(MSG_NOSIGNAL)
        #endif
    }
#endif
