import Foundation
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

    /// The proxies: the peer, and a second one behind it.
    private static func proxies(
        _ header: TrustedProxies.Header = .xForwardedFor, hops: Int = 1
    ) throws -> TrustedProxies {
        TrustedProxies([try #require(AddressRange("10.0.0.0/24"))], header: header, hops: hops)
    }

    @Test(arguments: forms)
    func `the last element gives the address of the caller, and the connection does where it is no IP address`(
        element: String, address: String?
    ) throws {
        let (address, proxies) = (address ?? Self.peer, try Self.proxies())
        #expect(proxies.caller(Self.peer, [element]) == address)
        // A caller cannot change it by what it sends before.
        for before in ["", " ", "198.51.100.66", "198.51.100.66:80, ::1", "unknown, [", "[::1"] {
            #expect(proxies.caller(Self.peer, ["\(before),\(element)"]) == address)
            #expect(proxies.caller(Self.peer, [before, element]) == address)
            #expect(proxies.caller(Self.peer, [element, before, "\(before), \(element)"]) == address)
        }
    }

    @Test(arguments: [[], [","], ["192.0.2.1,"], ["192.0.2.1, "], ["192.0.2.1", ""], ["192.0.2.1", "unknown"]])
    func `without an address at the end, that of the connection counts`(headers: [String]) throws {
        #expect(try Self.proxies().caller(Self.peer, headers) == Self.peer)
        #expect(try Self.proxies().caller(nil, headers) == nil)
    }

    @Test(arguments: ["10.0.1.1", "192.0.2.7", "2001:db8::1", "local", ""])
    func `the header of a peer that is no proxy is ignored`(peer: String) throws {
        for hops in [1, 16] {
            #expect(try Self.proxies(hops: hops).caller(peer, ["192.0.2.1"]) == peer)
            #expect(try Self.proxies(.forwarded, hops: hops).caller(peer, ["for=192.0.2.1"]) == peer)
        }
        #expect(try Self.proxies().caller(nil, ["192.0.2.1"]) == nil)
        #expect(TrustedProxies().caller(Self.peer, ["192.0.2.1"]) == Self.peer)
        #expect(try Self.proxies().caller("::ffff:10.0.0.1", ["192.0.2.1"]) == "192.0.2.1")
    }

    @Test(arguments: [
        (1, "198.51.100.1, 10.0.0.2", "10.0.0.2"), (2, "198.51.100.1, 10.0.0.2", "198.51.100.1"),
        // The caller writes the address of a proxy, and another one before it.
        (2, "192.0.2.66, 10.0.0.9, 198.51.100.1", "198.51.100.1"),
        (2, "192.0.2.66, 10.0.0.9, 10.0.0.2", "10.0.0.9"), (16, "192.0.2.66, 10.0.0.9, 10.0.0.2", "192.0.2.66"),
        (16, "10.0.0.3, 10.0.0.2", "10.0.0.3"), (16, "unknown, 10.0.0.2", "10.0.0.2"),
        (16, "192.0.2.66, unknown, 10.0.0.2", "10.0.0.2"),
    ])
    func `an element counts after those of proxies only, and up to the number of hops`(
        hops: Int, header: String, address: String
    ) throws {
        #expect(try Self.proxies(hops: hops).caller(Self.peer, [header]) == address)
        let lines = header.components(separatedBy: ", ")
        #expect(try Self.proxies(hops: hops).caller(Self.peer, lines) == address)
        let forwarded = lines.map { "for=\($0)" }
        #expect(try Self.proxies(.forwarded, hops: hops).caller(Self.peer, forwarded) == address)
    }

    @Test(
        arguments: [
            ("for=192.0.2.1", "192.0.2.1"), ("For=\"192.0.2.1:80\"", "192.0.2.1"),
            ("FOR=\"[2001:db8::1]:80\"", "2001:db8::1"),
            ("proto=https;for=192.0.2.1;by=10.0.0.1", "192.0.2.1"),
            ("by=_x; for=192.0.2.1 ;host=\"a, b\"", "192.0.2.1"),
            ("for=192.0.2.1;host=\"a\\\", for=198.51.100.6\"", "192.0.2.1"),
            ("for=192.0.2.1;host=\"\\\\\"", "192.0.2.1"),
            ("for=unknown", nil), ("for=_hidden", nil), ("for=", nil), ("for", nil), ("", nil), ("by=192.0.2.1", nil),
            ("for=192.0.2.1;for=192.0.2.2", nil), ("for=\"192.0.2.1", nil), ("for=\"\"", nil), ("for=\"", nil),
            ("for=\"192.0.2\\.1\"", nil), ("192.0.2.1", nil), ("for =192.0.2.1", nil), ("for=[192.0.2.1]", nil),
        ] as [(String, String?)])
    func `the parameter for of the last element of Forwarded counts`(element: String, address: String?) throws {
        let (address, proxies) = (address ?? Self.peer, try Self.proxies(.forwarded))
        #expect(proxies.caller(Self.peer, [element]) == address)
        for before in ["for=198.51.100.6", "for=\"", "\"", "for=\"198.51.100.6, ", "\\", "host=\"\\", ";;", ",,"] {
            #expect(proxies.caller(Self.peer, [before, element]) == address)
            // The quote that a caller has opened is closed by no proxy.
            #expect(proxies.caller(Self.peer, ["\(before), \(element)"]) == address, "\(before)")
        }
    }

    @Test(arguments: [
        ("192.0.2.1", ["192.0.2.1", "::ffff:192.0.2.1"], ["192.0.2.2", "::1"]),
        ("192.0.2.0/31", ["192.0.2.1"], ["192.0.2.2"]), ("10.0.0.0/8", ["10.255.0.1"], ["11.0.0.0", "a00::"]),
        ("0.0.0.0/0", ["255.255.255.255"], ["::"]), ("::/0", ["2001:db8::1"], ["192.0.2.1"]),
        ("2001:db8::/33", ["2001:db8:7fff::", "2001:db8::1%eth0"], ["2001:db8:8000::"]),
        ("::1/128", ["::1"], ["::2"]),
    ])
    func `a network has the addresses with its leading bits`(text: String, inside: [String], outside: [String]) throws {
        let network = try #require(AddressRange(text))
        for address in inside { #expect(network.contains(address), "\(address)") }
        for address in outside + ["", "x", "1"] { #expect(!network.contains(address), "\(address)") }
        #expect(network.description == text)
    }

    @Test(arguments: [
        "", "/", "10.0.0.1/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0/8",
        "/8",
        "::/129", "::1/0", "fe80::1%eth0", "proxy.example", "10.0.0.0 /8", "10.0.0.0/0008", "::ffff:10.0.0.0/104",
    ])
    func `a text that is no network is refused`(text: String) { #expect(AddressRange(text) == nil) }
}
