internal import Foundation
internal import OrchestrationProtocol

/// The kinds of the network interfaces that are up, each once, in order. The name of an interface can contain a
/// hardware address, and never leaves the device.
struct NetworkCollector: DeviceDataCollector {
    var group: DeviceDataGroup { .network }

    func collect() throws -> [DeviceDataField: DeviceDataValue] {
        let kinds = Set(try Self.kinds()).map(\.rawValue).sorted()
        return kinds.isEmpty ? [:] : [.networkInterfaces: .texts(kinds)]
    }

    #if !canImport(Darwin)
        static func kinds() throws -> [NetworkInterfaceKind] {
            try SystemFolder.names(in: LinuxInterfaces.folder).filter { LinuxInterfaces.state(of: $0) != "down" }
                .compactMap(LinuxInterfaces.kind)
        }
    #endif
}

/// The kind of a network interface in the report.
enum NetworkInterfaceKind: String, CaseIterable {
    /// A wired network; on Apple platforms also a wireless one, which a program cannot tell apart without a permission.
    case ethernet
    case wifi
    case cellular
    /// A virtual private network or another tunnel.
    case tunnel
    case bridge
    /// An interface without a device, for example of a container.
    case virtual
    case other

    /// Reads the kind from the properties of a Linux interface; `nil` for the loopback.
    ///
    /// - Parameters:
    ///   - type: The number of the hardware type (`ARPHRD_`, netdevice(7)).
    ///   - event: The text of the file `uevent`.
    ///   - has: Whether the folder of the interface has a file.
    init?(linuxType type: Int?, event: String, has: (String) -> Bool) {
        switch type {
        case 772: return nil
        case 512, 768, 769, 776, 778, 823, 65_534: self = .tunnel
        case 519: self = .cellular
        case 1 where event.contains("DEVTYPE=wwan"): self = .cellular
        case 1 where has("wireless") || has("phy80211"): self = .wifi
        case 1 where has("tun_flags"): self = .tunnel
        case 1 where has("bridge"): self = .bridge
        case 1: self = has("device") ? .ethernet : .virtual
        default: self = .other
        }
    }

    /// Reads the kind from the name of an interface of an Apple platform; `nil` for the loopback and for interfaces
    /// that the system uses itself.
    init?(darwinName name: String) {
        switch String(name.prefix { !$0.isNumber }) {
        case "lo", "awdl", "llw", "anpi", "ap", "gif", "stf": return nil
        case "en": self = .ethernet
        case "pdp_ip": self = .cellular
        case "utun", "ipsec", "ppp", "tun", "tap": self = .tunnel
        case "bridge": self = .bridge
        default: self = .other
        }
    }
}

#if os(Linux)
    /// Whether a wireless interface is up. The name of the network needs a collector of the app.
    struct WiFiCollector: DeviceDataCollector {
        var group: DeviceDataGroup { .wifi }

        func collect() throws -> [DeviceDataField: DeviceDataValue] {
            let isConnected = try SystemFolder.names(in: LinuxInterfaces.folder).contains { name in
                FileManager.default.fileExists(atPath: "\(LinuxInterfaces.folder)/\(name)/wireless")
                    && LinuxInterfaces.state(of: name) == "up"
            }
            return [.wifiConnected: .boolean(isConnected)]
        }
    }

    /// Whether there is a Bluetooth adapter.
    struct BluetoothCollector: DeviceDataCollector {
        var group: DeviceDataGroup { .bluetooth }

        func collect() -> [DeviceDataField: DeviceDataValue] {
            // Without an adapter the folder does not exist.
            let adapters = try? SystemFolder.names(in: "/sys/class/bluetooth")
            return [.bluetoothAvailable: .boolean(adapters?.isEmpty == false)]
        }
    }
#endif

/// The network interfaces that Linux lists as folders (sysfs(5)).
private enum LinuxInterfaces {
    static let folder = "/sys/class/net"

    /// Returns the kind of an interface; `nil` for the loopback.
    static func kind(of name: String) -> NetworkInterfaceKind? {
        NetworkInterfaceKind(
            linuxType: line(of: "type", of: name).flatMap { Int($0) },
            event: SystemFile.read("\(folder)/\(name)/uevent", limit: 4_096).map { String(decoding: $0, as: UTF8.self) }
                ?? "",
            has: { FileManager.default.fileExists(atPath: "\(folder)/\(name)/\($0)") })
    }

    /// Returns the state of an interface, for example `up`.
    static func state(of name: String) -> String? { line(of: "operstate", of: name) }

    private static func line(of file: String, of name: String) -> String? {
        SystemFile.read("\(folder)/\(name)/\(file)", limit: 64).map {
            String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }
}

private enum SystemFolder {
    static func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path)
    }
}

/// The operating system has refused to list its network interfaces.
struct CollectionFailure: Error {}

extension DeviceDataGroup {
    /// The collector of the SDK for a group that an app turns on; `nil` where the SDK has no collector on this system.
    var systemCollector: (any DeviceDataCollector)? {
        switch self {
        case .network: return NetworkCollector()
        case .wifi, .bluetooth:
            #if os(Linux)
                return self == .wifi ? WiFiCollector() : BluetoothCollector()
            #else
                return nil
            #endif
        case .basic, .app, .location: return nil
        }
    }
}
