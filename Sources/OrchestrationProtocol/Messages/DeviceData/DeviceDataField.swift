/// A field of the device data that a device may report about itself, with the reason for reporting it.
///
/// The raw value is the number on the wire. The article "Device data" lists types and limits.
@nonexhaustive
public enum DeviceDataField: UInt64, Sendable, Hashable, CaseIterable {
    /// The name of the operating system, for example `Linux`: 1 to 64 bytes.
    case system = 1
    /// The version of the operating system: 1 to 64 bytes.
    case systemVersion = 2
    /// The architecture of the processor, for example `arm64`: 1 to 32 bytes.
    case architecture = 3
    /// The identifier of the locale, for example `de_AT`: 1 to 64 bytes.
    case locale = 4
    /// The identifier of the time zone, for example `Europe/Vienna`: 1 to 64 bytes.
    case timeZone = 5
    /// The time since the start of the system, rounded down to 0, an hour, a day or a week, in seconds.
    case uptime = 6
    /// The version of the app: 1 to 64 bytes.
    case appVersion = 7
    /// The version of the SDK: 1 to 32 bytes.
    case sdkVersion = 8
    /// The type of the terminal of a command-line program: 1 to 64 bytes.
    case terminal = 9
    /// The date of the app's release, `YYYY-MM-DD`.
    case releaseDate = 16
    /// Whether the protections of the operating system are removed ("rooted", "jailbroken").
    case rooted = 17
    /// Whether a runtime protection (RASP) watches the app.
    case protected = 18
    /// Data of the app for its own rules: 1 to 1,024 bytes.
    case applicationData = 19
    /// The kinds of the network interfaces that are up, for example `ethernet` and `tunnel`: 1 to 16 of at most 32
    /// bytes.
    case networkInterfaces = 32
    /// Whether the device is connected to a wireless network.
    case wifiConnected = 40
    /// The name of the wireless network: 1 to 32 bytes.
    case wifiNetwork = 41
    /// Whether the device has a Bluetooth adapter that is available.
    case bluetoothAvailable = 48
    /// The latitude in millionths of a degree, -90,000,000 to 90,000,000.
    case latitude = 56
    /// The longitude in millionths of a degree, -180,000,000 to 180,000,000.
    case longitude = 57
    /// The accuracy of the location in meters, at most 1,000,000.
    case locationAccuracy = 58

    /// The name in policies and reports, for example `rooted`.
    public var name: String { "\(self)" }

    /// The group that an app turns on or off.
    public var group: DeviceDataGroup {
        switch self {
        case .system, .systemVersion, .architecture, .locale, .timeZone, .uptime, .appVersion, .sdkVersion, .terminal:
            .basic
        case .releaseDate, .rooted, .protected, .applicationData: .app
        case .networkInterfaces: .network
        case .wifiConnected, .wifiNetwork: .wifi
        case .bluetoothAvailable: .bluetooth
        case .latitude, .longitude, .locationAccuracy: .location
        }
    }

    /// The reason why the field is reported, in English, for a privacy statement.
    public var purpose: String {
        switch self {
        case .system: "refuse systems that are not supported"
        case .systemVersion: "find systems without security updates"
        case .architecture: "notice that an activation moved to another machine"
        case .locale: "notice an unusual language and region"
        case .timeZone: "notice an unusual place without a location"
        case .uptime: "notice a system that was started for an attack"
        case .appVersion: "find versions of the app that must be updated"
        case .sdkVersion: "find versions of the SDK that must be updated"
        case .terminal: "distinguish a command line from an app"
        case .releaseDate: "find versions of the app that are too old"
        case .rooted: "refuse payments from a system without its protections"
        case .protected: "know whether a runtime protection (RASP) watches the app"
        case .applicationData: "what the app reports for its own rules"
        case .networkInterfaces: "notice a virtual private network or a tunnel"
        case .wifiConnected: "distinguish a wireless network from another one"
        case .wifiNetwork: "notice an unusual network"
        case .bluetoothAvailable: "distinguish a phone from an emulator"
        case .latitude, .longitude: "notice an unusual place"
        case .locationAccuracy: "judge the location"
        }
    }

    /// The values of ``uptime``, in seconds.
    package static let uptimes: [Int64] = [0, 3_600, 86_400, 604_800]

    /// Returns whether a field can have a value that a policy compares with a text. An unknown name never has a value,
    /// and a condition on it is safe with any value.
    package static func allowsPolicyText(_ text: String, for name: String) -> Bool {
        guard let field = allCases.first(where: { $0.name == name }) else { return true }
        let values: [DeviceDataValue?] = [
            .text(text), Int64(text).map { .integer($0) }, Bool(text).map { .boolean($0) },
        ]
        return field.form.isList
            || values.contains { $0?.policyText == text && $0.map(field.form.problem) == .some(nil) }
    }

    /// The form of the value.
    var form: DeviceDataForm {
        switch self {
        case .system, .systemVersion, .locale, .timeZone, .appVersion, .terminal: .text(maximumBytes: 64)
        case .architecture, .sdkVersion, .wifiNetwork: .text(maximumBytes: 32)
        case .uptime: .uptime
        case .releaseDate: .date
        case .rooted, .protected, .wifiConnected, .bluetoothAvailable: .boolean
        case .applicationData: .text(maximumBytes: FieldLimit.deviceDataText)
        case .networkInterfaces: .texts
        case .latitude: .integer(-90_000_000...90_000_000)
        case .longitude: .integer(-180_000_000...180_000_000)
        case .locationAccuracy: .integer(0...1_000_000)
        }
    }
}

/// A group of device data. ``basic`` and ``app`` need no permission of the user; the others are off unless an app turns
/// them on.
@nonexhaustive
public enum DeviceDataGroup: String, Sendable, Hashable, CaseIterable {
    /// The system, the version of the app and similar data.
    case basic
    /// Data that only the app can know.
    case app
    /// The network interfaces.
    case network
    /// The wireless network.
    case wifi
    /// Bluetooth.
    case bluetooth
    /// The location.
    case location
}
