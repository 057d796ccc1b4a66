internal import Synchronization
internal import TrustedIdentity

/// The number of open connections, in all and of each address.
final class ConnectionCount: Sendable {
    private struct Counts {
        var total = 0
        var byAddress: [[UInt8]: Int] = [:]
    }

    private let limits: ConnectionLimits
    private let proxies: TrustedProxies
    private let counts = Mutex(Counts())

    init(_ limits: ConnectionLimits, _ proxies: TrustedProxies) {
        self.limits = limits
        self.proxies = proxies
    }

    /// Counts a new connection, unless a limit is reached.
    ///
    /// - Returns: Whether the connection may stay open. ``end(_:)`` is called for such a connection only.
    func begin(_ address: String?) -> Bool {
        let network = network(of: address)
        return counts.withLock { counts in
            let count = network.map { counts.byAddress[$0] ?? 0 } ?? 0
            guard counts.total < limits.connections, count < limits.connectionsPerAddress else { return false }
            counts.total += 1
            if let network { counts.byAddress[network] = count + 1 }
            return true
        }
    }

    /// Ends the count of a connection.
    func end(_ address: String?) {
        let network = network(of: address)
        counts.withLock { counts in
            counts.total -= 1
            guard let network, let count = counts.byAddress[network] else { return }
            counts.byAddress[network] = count > 1 ? count - 1 : nil
        }
    }

    /// Returns the narrowest network of an address. Returns nil for a proxy, whose connections are those of many
    /// callers, and for a local socket.
    private func network(of address: String?) -> [UInt8]? {
        guard let address, !proxies.trust(address) else { return nil }
        return AddressNetwork(address).bytes
    }
}
