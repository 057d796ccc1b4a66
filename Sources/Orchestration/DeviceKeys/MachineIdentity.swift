/// What tells this machine from others, as far as the system says.
///
/// On Linux it is the content of `/etc/machine-id`, else of `/var/lib/dbus/machine-id`: 32 hexadecimal digits that are
/// made when the system is installed. Where there is neither, as in many containers, the identity is empty; the device
/// is then bound by its random key file alone, and whoever copies the whole folder has moved the device. An identity
/// that changes makes the stored keys those of another device.
package struct MachineIdentity: Sendable, Hashable {
    /// The bytes that enter the device's keys. Not secret, but not to be shown either (machine-id(5)).
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads the identity of this machine.
    package static func current() -> MachineIdentity {
        for folder in ["/etc", "/var/lib/dbus"] {
            guard let text = SystemFile.read("\(folder)/machine-id", limit: 64) else { continue }
            let digits = text.prefix { $0 != UInt8(ascii: "\n") }
            // A system that was not booted yet has the word "uninitialized" here, or nothing.
            guard digits.count == 32, digits.allSatisfy({ isHexDigit($0) }) else { continue }
            return MachineIdentity(bytes: Array(digits))
        }
        return MachineIdentity(bytes: [])
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}
