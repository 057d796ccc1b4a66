internal import TrustedIdentity

/// A network of IP addresses: `192.0.2.0/24`, `2001:db8::/32`, or a single address (RFC 4632, section 3.1; RFC 4291,
/// section 2.3).
public struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    /// The text form, as it was given.
    public let description: String

    /// The 4 or 16 bytes of the network's address.
    private let bytes: [UInt8]
    private let bits: Int

    /// Creates a network from its text.
    ///
    /// - Parameter text: An IPv4 or IPv6 address without a zone index, and after a slash the number of its leading bits
    ///   that all addresses of the network share. The other bits are zero. Without a slash, the network is the address.
    /// - Returns: `nil` for any other text, such as `10.0.0.1/8`, which could be meant as an address or as a network.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let address = String(parts[0])
        guard !address.contains("%"), let bytes = AddressNetwork.bytes(of: address) else { return nil }
        // A mapped address has 4 bytes here, and its number of bits would count IPv6 bits.
        guard (bytes.count == 16) == address.contains(":") || parts.count == 1 else { return nil }
        var bits = bytes.count * 8
        if parts.count == 2 {
            guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (48...57).contains($0) }),
                let number = Int(parts[1]), number <= bits
            else { return nil }
            bits = number
        }
        self.bytes = bytes
        self.bits = bits
        description = text
        guard Self.prefix(of: bytes, bits) == bytes else { return nil }
    }

    /// Returns whether an address is one of the network. An IPv4 address that is mapped into IPv6 is that IPv4 address.
    public func contains(_ address: String) -> Bool {
        guard let other = AddressNetwork.bytes(of: address), other.count == bytes.count else { return false }
        return Self.prefix(of: other, bits) == bytes
    }

    /// Returns whether two networks have the same addresses.
    public static func == (a: Self, b: Self) -> Bool { a.bytes == b.bytes && a.bits == b.bits }

    /// Hashes the network.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
        hasher.combine(bits)
    }

    /// Returns bytes with zeros after a number of bits.
    private static func prefix(of bytes: [UInt8], _ bits: Int) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let kept = min(8, max(0, bits - index * 8))
            return kept == 0 ? 0 : byte & (UInt8.max << (8 - kept))
        }
    }
}
