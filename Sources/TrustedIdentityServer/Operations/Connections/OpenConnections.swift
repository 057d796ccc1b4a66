internal import Synchronization
internal import TrustedIdentity

/// The open connections of a listener. When a limit is reached, a new connection replaces an idle one.
final class OpenConnections: Sendable {
    private typealias Network = [ObjectIdentifier: OpenConnection]

    private struct State {
        var total = 0
        var networks: [[UInt8]: Network] = [:]

        mutating func insert(_ connection: OpenConnection) {
            total += 1
            networks[connection.network, default: [:]][ObjectIdentifier(connection)] = connection
        }

        mutating func remove(_ connection: OpenConnection) {
            let removed = networks[connection.network]?.removeValue(forKey: ObjectIdentifier(connection))
            guard removed != nil else { return }
            total -= 1
            if networks[connection.network]?.isEmpty == true { networks[connection.network] = nil }
        }
    }

    private let limits: ConnectionLimits
    private let proxies: TrustedProxies
    private let state = Mutex(State())

    init(_ limits: ConnectionLimits, _ proxies: TrustedProxies) {
        self.limits = limits
        self.proxies = proxies
    }

    /// Adds a new connection. When a limit is reached, it closes an idle one.
    ///
    /// - Parameters:
    ///   - address: The address of the peer; `nil` for a local socket.
    ///   - moment: The current moment. The connection is idle from now on.
    ///   - close: Closes the connection.
    /// - Returns: The connection, for which ``end(_:)`` is called; `nil` when the limit is reached and none is idle.
    func begin(_ address: String?, at moment: UInt64, close: @escaping @Sendable () -> Void) -> OpenConnection? {
        let network = network(of: address)
        // The connections of a proxy serve many callers, so none of them is closed for one caller.
        let connection = OpenConnection(network: network ?? [], isProven: network == nil, at: moment, close: close)
        let (isOpen, replaced) = state.withLock { state -> (Bool, OpenConnection?) in
            let isNetworkFull =
                network.map { state.networks[$0]?.count ?? 0 >= limits.connectionsPerAddress } ?? false
            var replaced: OpenConnection?
            if isNetworkFull || state.total >= limits.connections {
                replaced =
                    isNetworkFull
                    ? Self.longestIdle(in: [state.networks[connection.network] ?? [:]])
                    : Self.longestIdle(in: state.networks.values)
                guard let replaced else { return (false, nil) }
                state.remove(replaced)
            }
            state.insert(connection)
            return (true, replaced)
        }
        replaced?.close()
        return isOpen ? connection : nil
    }

    /// Removes a connection that was closed.
    func end(_ connection: OpenConnection) { state.withLock { $0.remove(connection) } }

    /// Returns the longest idle connection of the network with the most idle ones. It prefers connections that are not
    /// proven.
    private static func longestIdle(in networks: some Sequence<Network>) -> OpenConnection? {
        var (unproven, proven) = (Candidate(), Candidate())
        for network in networks {
            var (others, known) = (Candidate(), Candidate())
            for connection in network.values {
                guard let since = connection.idleSince else { continue }
                if connection.isProven { known.add(connection, since) } else { others.add(connection, since) }
            }
            unproven = max(unproven, others)
            proven = max(proven, known)
        }
        return unproven.longest ?? proven.longest
    }

    /// The idle connections of a network.
    private struct Candidate: Comparable {
        private var count = 0
        private var since = UInt64.max
        private(set) var longest: OpenConnection?

        mutating func add(_ connection: OpenConnection, _ since: UInt64) {
            count += 1
            if since < self.since { (self.since, longest) = (since, connection) }
        }

        static func == (a: Self, b: Self) -> Bool { (a.count, a.since) == (b.count, b.since) }
        static func < (a: Self, b: Self) -> Bool { (a.count, b.since) < (b.count, a.since) }
    }

    /// Returns the network of an address. Returns nil for a proxy, whose connections serve many callers, and for a
    /// local socket.
    private func network(of address: String?) -> [UInt8]? {
        guard let address, !proxies.trust(address) else { return nil }
        return AddressNetwork(address).bytes
    }
}

/// An open connection.
final class OpenConnection: Sendable {
    /// The connection of the request that the current task answers.
    @TaskLocal static var current: OpenConnection?

    /// Closes the connection.
    let close: @Sendable () -> Void
    fileprivate let network: [UInt8]
    /// The moment from which it is idle; 0 while a request is answered.
    private let idle: Atomic<UInt64>
    private let proof: Atomic<Bool>

    fileprivate init(network: [UInt8], isProven: Bool, at moment: UInt64, close: @escaping @Sendable () -> Void) {
        self.network = network
        self.close = close
        idle = Atomic(max(1, moment))
        proof = Atomic(isProven)
    }

    /// The moment from which the platform works on no request of the connection; `nil` while it does. A request that
    /// has not arrived completely does not count as work.
    fileprivate var idleSince: UInt64? {
        let moment = idle.load(ordering: .relaxed)
        return moment == 0 ? nil : moment
    }

    /// Whether a request of the connection has proven an API key, a client certificate or a device.
    fileprivate var isProven: Bool { proof.load(ordering: .relaxed) }

    /// Begins the work on a request, or ends it.
    ///
    /// - Parameter moment: The moment of the end; `nil` when work begins.
    func setIdle(since moment: UInt64?) { idle.store(moment.map { max(1, $0) } ?? 0, ordering: .relaxed) }

    /// Notes that a request has proven its caller.
    func prove() { proof.store(true, ordering: .relaxed) }
}
