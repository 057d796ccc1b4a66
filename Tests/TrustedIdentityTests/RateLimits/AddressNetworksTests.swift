import Testing

@testable import TrustedIdentity

/// The networks that an address counts for.
struct AddressNetworksTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::ffff:c000:201", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("2001:db8::1", "2001:db8::"), ("::1", "::2"),
        ("fe80::1%eth0", "fe80::2"), ("2001:DB8::1", "2001:0db8::1"),
    ])
    func `addresses of one network count together`(address: String, other: String) {
        #expect(AddressNetworks(address) == AddressNetworks(other))
        #expect(AddressNetworks.isAddress(address) && AddressNetworks.isAddress(other))
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.2", 2), ("192.0.2.1", "192.0.3.1", 1), ("192.0.2.1", "192.1.2.1", 0),
        ("2001:db8:1:2::", "2001:db8:1:3::", 2), ("2001:db8:1:2::", "2001:db8:2:2::", 1),
        ("2001:db8:1:2::", "2001:db9:1:2::", 0), ("::c000:201", "192.0.2.1", 0),
    ])
    func `two addresses have this number of wide networks in common`(a: String, b: String, common: Int) {
        let (a, b) = (AddressNetworks(a).names, AddressNetworks(b).names)
        #expect(zip(a, b).prefix { $0 == $1 }.count == common)
        #expect(zip(a, b).count { $0 == $1 } == common)
    }

    @Test(arguments: [
        "", ":", "::::::", "192.0.2", "192.0.2.1.", "2001:db8::1::", "local", "1.2.3.4:80",
        "fe80::1%", "fe80::1%a%b", "%eth0", "192.0.2.1%eth0", "192.0.2.1\0", "fe80::1\0", "fe80::1%eth0\0x",
    ])
    func `any other text is a network of its own`(text: String) {
        #expect(!AddressNetworks.isAddress(text))
        #expect(Set(AddressNetworks(text).names).count == 1)
        #expect(AddressNetworks(text) != AddressNetworks(text + "x"))
    }

    @Test func `a long text counts by its first 64 bytes`() {
        let long = String(repeating: "a", count: 64)
        #expect(AddressNetworks(long + "b") == AddressNetworks(long + "c"))
    }
}
