internal import CLibrary
internal import Foundation
internal import Wire

/// The names of the network interfaces that are up, in order: at most 16.
struct NetworkCollector: DeviceDataCollector {
    var group: DeviceDataGroup { .network }

    func collect() throws -> [DeviceDataField: DeviceDataValue] {
        let names = try Self.interfaces().filter { $0.utf8.count <= 32 }.sorted()
        return names.isEmpty ? [:] : [.networkInterfaces: .texts(Array(names.prefix(16)))]
    }

    #if canImport(Darwin)
        private static func interfaces() throws -> Set<String> {
            var list: UnsafeMutablePointer<ifaddrs>?
            guard unsafe getifaddrs(&list) == 0 else { throw CollectionFailure() }
            defer { unsafe freeifaddrs(list) }
            var names: Set<String> = []
            var next = unsafe list
            while let interface = unsafe next {
                if unsafe interface.pointee.ifa_flags & UInt32(IFF_UP) != 0 {
                    unsafe names.insert(String(cString: interface.pointee.ifa_name))
                }
                unsafe next = interface.pointee.ifa_next
            }
            return names
        }
    #else
        private static func interfaces() throws -> [String] {
            try SystemFolder.names(in: LinuxInterfaces.folder).filter { LinuxInterfaces.state(of: $0) != "down" }
        }
    #endif
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

    /// Returns the state of an interface, for example `up`.
    static func state(of name: String) -> String? {
        SystemFile.read("\(folder)/\(name)/operstate", limit: 64).map {
            String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }
}

private enum SystemFolder {
    static func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path)
    }
}

/// The system did not tell.
struct CollectionFailure: Error {}

extension DeviceDataGroup {
    /// The collector of the SDK for a group that an app turns on; `nil` where it has none on this system.
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
