import Synchronization
import Testing
import TrustedIdentity

@testable import TrustedIdentityServer

/// Which connections are closed for new ones.
@Suite struct OpenConnectionsTests {
    /// The connections of a listener, by their names, and those that were closed.
    private final class Scene: Sendable {
        private let connections: OpenConnections
        private let state = Mutex(State())

        private struct State {
            var moment: UInt64 = 0
            var closed: [String] = []
            var open: [String: OpenConnection] = [:]
        }

        init(_ limit: Int, perAddress: Int = 100, proxies: [String] = []) {
            var limits = ConnectionLimits()
            (limits.connections, limits.connectionsPerAddress) = (limit, perAddress)
            connections = OpenConnections(limits, TrustedProxies(proxies.compactMap { AddressRange($0) }))
        }

        /// Opens a connection. Returns whether it stays open.
        @discardableResult func open(_ name: String, from address: String?) -> Bool {
            let connection = connections.begin(address, at: tick()) { [self] in
                state.withLock { $0.closed.append(name) }
            }
            state.withLock { $0.open[name] = connection }
            return connection != nil
        }

        /// Begins a request of a connection.
        func ask(_ name: String) { state.withLock { $0.open[name] }?.setIdle(since: nil) }

        /// Ends a request of a connection.
        func answer(_ name: String, proven: Bool = false) {
            let connection = state.withLock { $0.open[name] }
            if proven { connection?.prove() }
            connection?.setIdle(since: tick())
        }

        /// Removes a connection, as when its peer has closed it.
        func end(_ name: String) {
            if let connection = state.withLock({ $0.open.removeValue(forKey: name) }) { connections.end(connection) }
        }

        /// The connections that were closed since the last call.
        var closed: [String] {
            state.withLock { state in
                defer { state.closed = [] }
                return state.closed
            }
        }

        private func tick() -> UInt64 {
            state.withLock { state in
                state.moment += 1
                return state.moment
            }
        }
    }

    @Test func `the network with the most idle connections loses the one that is idle for the longest time`() {
        let scene = Scene(5)
        for name in ["a1", "a2", "a3"] { scene.open(name, from: "192.0.2.1") }
        for name in ["b1", "b2"] { scene.open(name, from: "192.0.2.2") }
        scene.ask("a1")
        scene.answer("a1")
        #expect(scene.open("c1", from: "192.0.2.3") && scene.closed == ["a2"])
        // Both networks have two now. The longest idle one of the two decides.
        #expect(scene.open("c2", from: "192.0.2.3") && scene.closed == ["a3"])
        #expect(scene.open("c3", from: "192.0.2.3") && scene.closed == ["b1"])
        // The networks are those of 64 bits.
        let wide = Scene(3)
        wide.open("a1", from: "192.0.2.1")
        wide.open("v1", from: "2001:db8::1")
        wide.open("v2", from: "2001:db8::2")
        #expect(wide.open("a2", from: "192.0.2.1") && wide.closed == ["v1"])
    }

    @Test func `a connection with a request is not closed, and where all have one, the new one is refused`() {
        let scene = Scene(3)
        for (name, address) in [("a1", "192.0.2.1"), ("a2", "192.0.2.1"), ("b1", "192.0.2.2")] {
            scene.open(name, from: address)
        }
        for name in ["a1", "a2"] { scene.ask(name) }
        #expect(scene.open("c1", from: "192.0.2.3") && scene.closed == ["b1"])
        scene.ask("c1")
        #expect(!scene.open("d1", from: "192.0.2.4") && scene.closed.isEmpty)
        scene.answer("a2")
        #expect(scene.open("d1", from: "192.0.2.4") && scene.closed == ["a2"])
    }

    @Test func `a connection that was closed counts no more, and its end is counted once`() {
        let scene = Scene(2)
        scene.open("a1", from: "192.0.2.1")
        scene.open("a2", from: "192.0.2.1")
        #expect(scene.open("b1", from: "192.0.2.2") && scene.closed == ["a1"])
        // The end of a1 comes later, and is not counted again.
        scene.end("a1")
        #expect(scene.open("b2", from: "192.0.2.2") && scene.closed == ["a2"])
        scene.end("b1")
        #expect(scene.open("c1", from: "192.0.2.3") && scene.closed.isEmpty)
    }

    @Test func `what has proven a key or a device, and what is a proxy's, is closed last`() {
        let scene = Scene(4, proxies: ["198.51.100.0/24"])
        scene.open("p1", from: "198.51.100.1")
        scene.open("l1", from: nil)
        scene.open("a1", from: "192.0.2.1")
        scene.ask("a1")
        scene.answer("a1", proven: true)
        scene.open("b1", from: "192.0.2.2")
        #expect(scene.open("c1", from: "192.0.2.3") && scene.closed == ["b1"])
        scene.ask("c1")
        // The proxy and the local socket have two idle connections, and a1 is one.
        #expect(scene.open("d1", from: "192.0.2.4") && scene.closed == ["p1"])
        scene.ask("d1")
        scene.ask("l1")
        #expect(scene.open("e1", from: "192.0.2.5") && scene.closed == ["a1"])
    }

    @Test func `an address beyond its share loses its own, and a proxy has no share`() {
        let scene = Scene(100, perAddress: 2, proxies: ["198.51.100.1"])
        for name in ["p1", "p2", "p3"] { #expect(scene.open(name, from: "198.51.100.1")) }
        for name in ["b1", "b2"] { scene.open(name, from: "192.0.2.2") }
        scene.open("a1", from: "192.0.2.1")
        scene.open("a2", from: "192.0.2.1")
        #expect(scene.open("a3", from: "192.0.2.1") && scene.closed == ["a1"])
        scene.ask("a2")
        scene.ask("a3")
        #expect(!scene.open("a4", from: "192.0.2.1") && scene.closed.isEmpty)
    }
}
