internal import ArgumentParser

/// `HOST:PORT`, with an IPv6 address in brackets.
struct ListenAddress: ExpressibleByArgument, CustomStringConvertible, Sendable {
    let host: String
    let port: Int

    static let `default` = ListenAddress(host: "127.0.0.1", port: 8080)

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), let port = UInt16(argument[argument.index(after: colon)...])
        else { return nil }
        var host = argument[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = Int(port)
    }

    /// Whether only this machine can connect.
    var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    var description: String { withPort(port) }

    /// The address with the port that the system chose.
    func withPort(_ port: Int) -> String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
