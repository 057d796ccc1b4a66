internal import CLibrary

/// The networks that hold a network address, from the widest to the narrowest.
///
/// Limits count the narrowest network: an IPv4 address, or 64 bits of an IPv6 address, because one host has all
/// addresses of such a network. A customer of a provider has 48 bits or more of an IPv6 address in common, and a
/// provider has 32 (RFC 6177 and the allocation policies of the registries). For IPv4 the wider networks have 24 and 16
/// bits.
package struct AddressNetworks: Sendable, Equatable {
    /// The number of networks.
    static let count = 3
    /// The most bytes of a text that count if it is no IP address.
    static let maximumTextBytes = 64

    /// The bits that name each network, the widest first: a byte with the kind of address, and the bits.
    let names: [[UInt8]]

    /// The bits of the narrowest network.
    package var narrowest: [UInt8] { names[Self.count - 1] }

    /// Creates the networks of an address.
    ///
    /// - Parameter address: An IPv4 or IPv6 address as text. An IPv4 address that is mapped into IPv6 is that IPv4
    ///   address (RFC 4291, section 2.5.5.2), and a zone index is ignored. Any other text is a network of its own.
    package init(_ address: String) {
        if let bytes = Self.bytes(of: address, family: AF_INET, count: 4) {
            names = Self.networks(4, bytes, [2, 3, 4])
        } else if let bytes = Self.bytesOfIPv6(address) {
            let isMapped = bytes.prefix(12).elementsEqual([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
            names = isMapped ? Self.networks(4, Array(bytes[12...]), [2, 3, 4]) : Self.networks(6, bytes, [4, 6, 8])
        } else {
            names = Array(repeating: [0] + Array(address.utf8.prefix(Self.maximumTextBytes)), count: Self.count)
        }
    }

    /// Returns whether a text is an IPv4 address, or an IPv6 address with or without a zone index (RFC 4007, section
    /// 11).
    package static func isAddress(_ text: String) -> Bool {
        bytes(of: text, family: AF_INET, count: 4) != nil || bytesOfIPv6(text) != nil
    }

    /// Returns the 4 or 16 bytes of an IP address. An IPv4 address that is mapped into IPv6 is that IPv4 address, and a
    /// zone index is ignored. `nil` for any other text.
    package static func bytes(of text: String) -> [UInt8]? {
        if let bytes = bytes(of: text, family: AF_INET, count: 4) { return bytes }
        guard let bytes = bytesOfIPv6(text) else { return nil }
        let isMapped = bytes.prefix(12).elementsEqual([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
        return isMapped ? Array(bytes[12...]) : bytes
    }

    /// Returns the canonical text of an IP address: the form of RFC 5952 for IPv6. An IPv4 address that is mapped into
    /// IPv6 is that IPv4 address, and a zone index is dropped, as for the networks. `nil` for any other text.
    static func canonicalText(_ text: String) -> String? {
        if let bytes = bytes(of: text, family: AF_INET, count: 4) { return Self.text(of: bytes, family: AF_INET) }
        guard let bytes = bytesOfIPv6(text) else { return nil }
        let isMapped = bytes.prefix(12).elementsEqual([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
        return isMapped
            ? Self.text(of: Array(bytes[12...]), family: AF_INET) : Self.text(of: bytes, family: AF_INET6)
    }

    private static func text(of bytes: [UInt8], family: CInt) -> String? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func networks(_ kind: UInt8, _ bytes: [UInt8], _ lengths: [Int]) -> [[UInt8]] {
        lengths.map { [kind] + bytes.prefix($0) }
    }

    /// Returns the bytes of an IPv6 address. A zone index after "%" is dropped.
    private static func bytesOfIPv6(_ text: String) -> [UInt8]? {
        let address = text.prefix { $0 != "%" }
        let zone = text[address.endIndex...].dropFirst()
        let isZone = !zone.isEmpty && !zone.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "%") }
        guard address.endIndex == text.endIndex || isZone else { return nil }
        return bytes(of: String(address), family: AF_INET6, count: 16)
    }

    private static func bytes(of text: String, family: CInt, count: Int) -> [UInt8]? {
        // The function of C reads to the first zero.
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
