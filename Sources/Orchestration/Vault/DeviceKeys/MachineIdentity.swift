internal import CLibrary

/// The identity of this machine, if the system has one.
///
/// On Linux it is the content of `/etc/machine-id`, otherwise of `/var/lib/dbus/machine-id`: 32 hexadecimal digits that
/// are created when the system is installed. Where neither exists, as in many containers, the identity is empty. The
/// device is then bound only by its random key file, and a copy of the whole folder is a copy of the device. When the
/// identity changes, the stored keys become the keys of another device.
package struct MachineIdentity: Sendable, Hashable {
    /// The bytes that enter the device's keys. They are not secret, but should not be shown (machine-id(5)).
    package let bytes: [UInt8]

    /// Reads the identity of this machine.
    package static func current() -> MachineIdentity {
        for folder in ["/etc", "/var/lib/dbus"] {
            guard let text = SystemFile.read("\(folder)/machine-id", limit: 64) else { continue }
            let digits = text.prefix { $0 != UInt8(ascii: "\n") }
            // Before the first boot the file is empty or holds the word "uninitialized".
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

/// Access to small files of the operating system.
enum SystemFile {
    /// Returns the content of a file of at most `limit` bytes, or `nil` when it does not exist or cannot be read.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        guard
            let descriptor = try? FileDescriptor("open", unsafe open(path, flags)),
            let bytes = try? descriptor.readAll(limit: limit), bytes.count <= limit
        else { return nil }
        return bytes
    }
}
