import Testing

@testable import TrustedIdentityServer

/// The address of a caller behind a proxy.
@Suite struct ClientAddressTests {
    static let peer = "10.0.0.1"

    /// The forms of an element, and the address in each; nil where there is none.
    static let forms: [(element: String, address: String?)] = [
        ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:80", "192.0.2.1"), ("192.0.2.1:0", "192.0.2.1"),
        ("192.0.2.1:65535", "192.0.2.1"), ("2001:db8::1", "2001:db8::1"), ("::1", "::1"),
        ("[2001:db8::1]", "2001:db8::1"), ("[2001:db8::1]:80", "2001:db8::1"), ("[::1]:65535", "::1"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("[::ffff:192.0.2.1]:80", "::ffff:192.0.2.1"),
        ("fe80::1%eth0", "fe80::1"), ("[fe80::1%eth0]", "fe80::1"), ("[fe80::1%eth0]:80", "fe80::1"),
        (" 192.0.2.1 ", "192.0.2.1"), ("\t \t192.0.2.1:80 \t ", "192.0.2.1"), ("\t[::1]:80\t", "::1"),
        // A last group of digits is part of the address, and no port.
        ("2001:db8::1:80", "2001:db8::1:80"),

        ("", nil), (" ", nil), ("\t", nil), ("unknown", nil), ("_hidden", nil), ("proxy.example", nil),
        ("proxy.example:80", nil), ("192.0.2", nil), ("192.0.2.256", nil), ("192.0.2.1 192.0.2.2", nil),
        ("192.0.2.1\n", nil), ("192.0.2.1\0", nil), ("\"192.0.2.1\"", nil), ("for=192.0.2.1", nil),
        ("192.0.2.1:", nil), ("192.0.2.1:65536", nil), ("192.0.2.1:+80", nil), ("192.0.2.1:-1", nil),
        ("192.0.2.1: 80", nil), ("192.0.2.1:http", nil), ("192.0.2.1:000080", nil), ("192.0.2.1:\u{0661}", nil),
        ("192.0.2.1:80:80", nil), ("192.0.2.1%eth0", nil), ("fe80::1%", nil), ("[fe80::1%]", nil), (":", nil),
        (":80", nil), ("[192.0.2.1]", nil), ("[192.0.2.1]:80", nil), ("[]", nil), ("[]:80", nil), ("[", nil),
        ("]", nil), ("[::1", nil), ("::1]", nil), ("::1]:80", nil), ("[::1]80", nil), ("[::1]:", nil),
        ("[::1]:65536", nil), ("[::1]:80:80", nil), ("[[::1]]", nil), ("[::1] :80", nil), ("x[::1]", nil),
        ("[ ::1 ]", nil),
        (String(repeating: "1", count: 65), nil), (String(repeating: ":", count: 10_000), nil),
    ]

    @Test(arguments: forms)
    func `the last element gives the address of the caller, and the connection does where it is no IP address`(
        element: String, address: String?
    ) {
        let address = address ?? Self.peer
        #expect(ClientAddress.of(Self.peer, forwardedFor: [element]) == address)
        // A caller cannot change it by what it sends before.
        for before in ["", " ", "198.51.100.66", "198.51.100.66:80, ::1", "unknown, [", "[::1"] {
            #expect(ClientAddress.of(Self.peer, forwardedFor: ["\(before),\(element)"]) == address)
            #expect(ClientAddress.of(Self.peer, forwardedFor: [before, element]) == address)
            #expect(ClientAddress.of(Self.peer, forwardedFor: [element, before, "\(before), \(element)"]) == address)
        }
    }

    @Test(arguments: [[], [","], ["192.0.2.1,"], ["192.0.2.1, "], ["192.0.2.1", ""], ["192.0.2.1", "unknown"]])
    func `without an address at the end, that of the connection counts`(headers: [String]) {
        #expect(ClientAddress.of(Self.peer, forwardedFor: headers) == Self.peer)
        #expect(ClientAddress.of(nil, forwardedFor: headers) == nil)
    }
}
