internal import CLibrary

/// The network by which limits count an address: an IPv4 address, or 64 bits of an IPv6 address, because one host has
/// all addresses of such a network.
package struct AddressNetwork: Sendable, Hashable {
    /// The maximum number of bytes of a text that count if it is not an IP address.
    static let maximumTextBytes = 64

    /// A byte with the kind of address, and the bits of the network.
    package let bytes: [UInt8]

    /// Creates the network of an address.
    ///
    /// - Parameter address: An IPv4 or IPv6 address as text. An IPv4 address that is mapped into IPv6 is that IPv4
    ///   address (RFC 4291, section 2.5.5.2), and a zone index is ignored. Any other text is a separate network.
    package init(_ address: String) {
        if let bytes = Self.bytes(of: address) {
            self.bytes = [bytes.count == 4 ? 4 : 6] + bytes.prefix(8)
        } else {
            bytes = [0] + address.utf8.prefix(Self.maximumTextBytes)
        }
    }

    /// Returns whether a text is an IPv4 address, or an IPv6 address with or without a zone index (RFC 4007, section
    /// 11).
    package static func isAddress(_ text: String) -> Bool { bytes(of: text) != nil }

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
        bytes(of: text).flatMap { Self.text(of: $0, family: $0.count == 4 ? AF_INET : AF_INET6) }
    }

    private static func text(of bytes: [UInt8], family: CInt) -> String? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns the bytes of an IPv6 address. A zone index after "%" is dropped.
    private static func bytesOfIPv6(_ text: String) -> [UInt8]? {
        let address = text.prefix { $0 != "%" }
        let zone = text[address.endIndex...].dropFirst()
        let isZone = !zone.isEmpty && !zone.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "%") }
        guard address.endIndex == text.endIndex || isZone else { return nil }
        return bytes(of: String(address), family: AF_INET6, count: 16)
    }

    /// Returns the bytes of an address of one family, without a zone index; `nil` for any other text.
    static func bytes(of text: String, family: CInt, count: Int) -> [UInt8]? {
        // The function of C reads to the first zero.
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
