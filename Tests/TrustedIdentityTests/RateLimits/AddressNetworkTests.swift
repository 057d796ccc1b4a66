import Testing

@testable import TrustedIdentity

/// The networks that an address counts for.
struct AddressNetworkTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::ffff:c000:201", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("2001:db8::1", "2001:db8::"), ("::1", "::2"),
        ("fe80::1%eth0", "fe80::2"), ("2001:DB8::1", "2001:0db8::1"),
    ])
    func `addresses of one network count together`(address: String, other: String) {
        #expect(AddressNetwork(address) == AddressNetwork(other))
        #expect(AddressNetwork.isAddress(address) && AddressNetwork.isAddress(other))
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.2"), ("2001:db8:1:2::", "2001:db8:1:3::"), ("::c000:201", "192.0.2.1"),
    ])
    func `neighboring addresses are distinct networks`(a: String, b: String) {
        #expect(AddressNetwork(a) != AddressNetwork(b))
    }

    @Test(arguments: [
        "", ":", "::::::", "192.0.2", "192.0.2.1.", "2001:db8::1::", "local", "1.2.3.4:80",
        "fe80::1%", "fe80::1%a%b", "%eth0", "192.0.2.1%eth0", "192.0.2.1\0", "fe80::1\0", "fe80::1%eth0\0x",
    ])
    func `any other text is a network of its own`(text: String) {
        #expect(!AddressNetwork.isAddress(text))
        #expect(AddressNetwork(text) != AddressNetwork(text + "x"))
    }

    @Test func `a long text counts by its first 64 bytes`() {
        let long = String(repeating: "a", count: 64)
        #expect(AddressNetwork(long + "b") == AddressNetwork(long + "c"))
    }
}
