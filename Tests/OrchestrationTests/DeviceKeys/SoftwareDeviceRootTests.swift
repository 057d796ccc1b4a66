import Crypto
import TestSupport
import Testing

@testable import Orchestration

/// The keys that a software device key is sealed with and derives. A folder of an earlier version depends on them.
@Suite struct SoftwareDeviceRootTests {
    private let root: SoftwareDeviceRoot

    init() throws {
        let salts = try Salts(
            authenticator: [UInt8](repeating: 0xA0, count: 16), storage: [UInt8](repeating: 0xB0, count: 16))
        root = SoftwareDeviceRoot(
            secret: Array(0..<32), salts: salts, machine: MachineIdentity(bytes: Array("machine".utf8)),
            salt: [UInt8](repeating: 0xC0, count: 16))
    }

    // The values were computed with the module hmac of Python, as RFC 5869 describes HKDF.
    @Test func `the derived keys are those of HKDF`() {
        #expect(root.binding.hex == "0357b2b429bf9636896d33499afba68a")
        #expect(
            Sample.bytes(root.secret(.storage)).hex
                == "ebc5c8b659d5db438a03cd1243da77e09737c136fda8b7df9c596a409f53bd5f")
        #expect(
            Sample.bytes(root.secret(.password)).hex
                == "816244ef33d844a7e4bee38e597f6adde089fe569c798a980535d6f35c207a06")
    }
}
