internal import Crypto
internal import Primitives

/// A subscription of a device at a push service of the web, as its address contains it:
/// `https://HOST/PATH#p256dh=KEY&auth=SECRET`.
struct WebPushSubscription: Sendable {
    /// The URL of the push resource.
    let endpoint: String
    /// The scheme and the host of the endpoint, and the port if there is one.
    let origin: String
    /// The public key of the device.
    let publicKey: P256.KeyAgreement.PublicKey
    /// The authentication secret of the device, 16 bytes.
    let authentication: [UInt8]

    /// The hosts that an endpoint may have.
    struct Hosts: Sendable {
        let allowed: [WebPushHost]
        /// An origin that is also allowed, for tests with a service on this machine.
        let testOrigin: String?
    }

    /// Reads an address. It comes from a device, so its URL is not trusted: requests go to allowed hosts only, by their
    /// names, at the port of https.
    ///
    /// - Returns: nil for another form and for a host that is not allowed.
    init?(_ address: String, hosts: Hosts) {
        let parts = address.utf8.split(separator: UInt8(ascii: "#"), omittingEmptySubsequences: false)
        guard address.utf8.count <= 1_024, parts.count == 2, let endpoint = String(parts[0]),
            let keys = String(parts[1]), let origin = Self.origin(of: endpoint, hosts: hosts),
            let (key, secret) = Self.keys(keys),
            let publicKey = try? P256.KeyAgreement.PublicKey(x963Representation: key)
        else { return nil }
        self.endpoint = endpoint
        self.origin = origin
        self.publicKey = publicKey
        authentication = secret
    }

    /// Returns the origin of an endpoint with an allowed host.
    ///
    /// The parts are found here and not by a URL parser, because no other reading of the text may result in another
    /// host. The authority is a plain name, without a user, a port and an escape.
    private static func origin(of endpoint: String, hosts: Hosts) -> String? {
        let scheme = "https://"
        guard endpoint.hasPrefix(scheme) else { return nil }
        let authority = String(endpoint.dropFirst(scheme.count).prefix { $0 != "/" })
        let path = endpoint.utf8.dropFirst(scheme.utf8.count + authority.utf8.count)
        guard path.first == UInt8(ascii: "/"), path.allSatisfy(isPathCharacter) else { return nil }
        let origin = scheme + authority
        guard origin != hosts.testOrigin else { return origin }
        guard WebPushHost.isName(authority), hosts.allowed.contains(where: { $0.includes(authority) }) else {
            return nil
        }
        return origin
    }

    /// Returns whether a character may be in a path or a query (RFC 3986, sections 3.3 and 3.4).
    private static func isPathCharacter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
            || "-._~!$&'()*+,;=:@/?%".utf8.contains(byte)
    }

    private static func keys(_ text: String) -> (key: [UInt8], secret: [UInt8])? {
        let parts = text.split(separator: "&", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasPrefix("p256dh="), parts[1].hasPrefix("auth="),
            let key = try? Base64URL.decode(parts[0].dropFirst(7)), key.count == 65,
            let secret = try? Base64URL.decode(parts[1].dropFirst(5)), secret.count == 16
        else { return nil }
        return (key, secret)
    }
}
