internal import CLibrary

/// An IPv4 or IPv6 address.
public struct NetworkAddress: Sendable, Hashable {
    /// The address as 128 bits. An IPv4 address is mapped into IPv6 (RFC 4291, section 2.5.5.2).
    let bits: UInt128

    private static let mapped: UInt128 = 0xFFFF << 32

    /// Whether the address is an IPv4 address, or an IPv4 address that is mapped into IPv6.
    var isIPv4: Bool { bits >> 32 == Self.mapped >> 32 }

    /// Creates an address from its text, such as `192.0.2.1` or `2001:db8::1`.
    ///
    /// - Returns: `nil` for a text that is not an address, and for an address with a port, a prefix or a zone index.
    public init?(_ text: String) {
        if let bytes = AddressNetwork.bytes(of: text, family: AF_INET, count: 4) {
            bits = Self.mapped | bytes.reduce(0) { $0 << 8 | UInt128($1) }
        } else if let bytes = AddressNetwork.bytes(of: text, family: AF_INET6, count: 16) {
            bits = bytes.reduce(0) { $0 << 8 | UInt128($1) }
        } else {
            return nil
        }
    }
}

/// A range of network addresses with a common prefix (RFC 4632, section 3.1, and RFC 4291, section 2.3).
public struct NetworkRange: Sendable, Hashable {
    private let bits: UInt128
    private let prefix: Int

    /// Creates a range from its text.
    ///
    /// - Parameter text: One address, or an address, a slash and the length of the prefix in
    ///   bits, such as `192.0.2.0/24` or `2001:db8::/32`.
    /// - Returns: `nil` for any other text, and for an address with a bit after the prefix.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = NetworkAddress(String(parts[0])) else { return nil }
        let isIPv4 = address.isIPv4 && !parts[0].contains(":")
        var length = isIPv4 ? 32 : 128
        if parts.count == 2 {
            let digits = parts[1].utf8
            guard (1...3).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) }),
                digits.count == 1 || digits.first != 48, let number = Int(parts[1]), number <= length
            else { return nil }
            length = number
        }
        prefix = isIPv4 ? length + 96 : length
        bits = address.bits
        guard bits & ~Self.mask(prefix) == 0 else { return nil }
    }

    /// The address, 16 bytes, and the length of the prefix.
    var bytes: [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: bits >> UInt128(120 - 8 * $0)) } + [UInt8(prefix)]
    }

    /// Returns whether an address is in the range.
    public func contains(_ address: NetworkAddress) -> Bool { address.bits & Self.mask(prefix) == bits }

    /// Returns whether every address of another range is in this one.
    func contains(_ other: NetworkRange) -> Bool {
        prefix <= other.prefix && other.bits & Self.mask(prefix) == bits
    }

    private static func mask(_ prefix: Int) -> UInt128 { prefix == 0 ? 0 : ~0 << UInt128(128 - prefix) }
}
