internal import Hummingbird

/// Whose requests are counted together.
enum ClientAddress {
    /// The address of the caller.
    ///
    /// - Parameter isBehindProxy: whether a proxy of ours stands in front and appends to `X-Forwarded-For`. Without
    ///   one the header is a claim of the caller, and not read.
    static func of(_ request: Request, _ context: ServerContext, isBehindProxy: Bool) -> String? {
        guard isBehindProxy, let header = request.headers[values: .forwardedFor].last,
            let last = header.split(separator: ",").last
        else { return context.peerAddress.map(group) }
        let address = last.drop { $0 == " " }
        return address.utf8.count <= 64 ? group(String(address)) : context.peerAddress.map(group)
    }

    /// An IPv4 address counts alone; of an IPv6 address the network part (64 bits) does, for one host roams in it.
    static func group(_ address: String) -> String {
        guard address.contains(":") else { return address }
        let parts = address.split(separator: ":", omittingEmptySubsequences: false)
        // An IPv4 address in IPv6's clothes (::ffff:192.0.2.1).
        if let last = parts.last, last.contains(".") { return String(last) }
        guard let gap = address.firstRange(of: "::") else { return parts.prefix(4).joined(separator: ":") }
        let head = address[..<gap.lowerBound].split(separator: ":")
        let tail = address[gap.upperBound...].split(separator: ":")
        let zeros = [Substring](repeating: "0", count: max(0, 8 - head.count - tail.count))
        return (head + zeros + tail).prefix(4).joined(separator: ":")
    }
}

extension HTTPFields.Element.Name {
    /// The header in which proxies append the address that they were asked from.
    static let forwardedFor: Self = {
        guard let name = Self("x-forwarded-for") else { preconditionFailure("x-forwarded-for is no token") }
        return name
    }()
}
