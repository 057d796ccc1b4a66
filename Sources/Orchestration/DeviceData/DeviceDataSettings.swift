public import Wire

/// Which data about the device the SDK reports to the platform, and how they are collected.
///
/// The data are fields of a fixed schema, `DeviceDataField`, each with a purpose. By default the groups `basic` and `app` are on. The
/// groups `network`, `wifi`, `bluetooth` and `location` are off until an app turns them on. The article "Device data and privacy"
/// describes what is collected and what an app declares on Apple platforms.
public struct DeviceDataSettings: Sendable {
    /// Whether requests carry device data at all.
    public var isEnabled: Bool

    /// The groups that are collected. No field of another group is ever sent.
    public var groups: Set<DeviceDataGroup>

    /// Fields that are never sent, although their group is on.
    public var excludedFields: Set<DeviceDataField>

    /// Fields of which a keyed hash is sent and not the value. The platform then sees changes of the value only.
    public var hashedFields: Set<DeviceDataField>

    /// The age from which the data are collected again when a command leaves: 1 second to 1 day. The values of an approval can be
    /// that old.
    public var refreshInterval: Duration

    /// The longest time that a flow waits for the feeder and for each collector of the app: 10 milliseconds to 30 seconds. What comes
    /// later is left out, with a warning.
    public var timeLimit: Duration

    /// The version of the app, at most 64 bytes of UTF-8. Without one, the version in the bundle of the app is taken.
    public var appVersion: String?

    /// The source of what only the app can know.
    public var feeder: (any DeviceDataFeeder)?

    /// Collectors of the app. One of them replaces the collector of the SDK for its group.
    public var collectors: [any DeviceDataCollector]

    /// Creates settings.
    public init(
        isEnabled: Bool = true, groups: Set<DeviceDataGroup> = [.basic, .app],
        excludedFields: Set<DeviceDataField> = [], hashedFields: Set<DeviceDataField> = [.wifiNetwork],
        refreshInterval: Duration = .seconds(60), timeLimit: Duration = .seconds(2), appVersion: String? = nil,
        feeder: (any DeviceDataFeeder)? = nil, collectors: [any DeviceDataCollector] = []
    ) {
        self.isEnabled = isEnabled
        self.groups = groups
        self.excludedFields = excludedFields
        self.hashedFields = hashedFields
        self.refreshInterval = refreshInterval
        self.timeLimit = timeLimit
        self.appVersion = appVersion
        self.feeder = feeder
        self.collectors = collectors
    }

    /// No data are collected, and none are sent.
    public static let off = DeviceDataSettings(isEnabled: false)

    /// Whether a field may be sent.
    public func allows(_ field: DeviceDataField) -> Bool {
        isEnabled && groups.contains(field.group) && !excludedFields.contains(field)
    }

    /// Whether the durations are in their ranges.
    var isValid: Bool {
        (.seconds(1)...Duration.seconds(86_400)).contains(refreshInterval)
            && (.milliseconds(10)...Duration.seconds(30)).contains(timeLimit)
    }
}

/// The source of device data that only the app can know.
///
/// The SDK asks it when the data are collected, at most once per ``DeviceDataSettings/refreshInterval``, or once a second after a source
/// has failed or was late, and never twice at the same time. An error, or an answer after ``DeviceDataSettings/timeLimit``, leaves the group `app` out with the warning
/// ``Warning/Code/deviceDataMissing(_:)``, and no flow fails.
public protocol DeviceDataFeeder: Sendable {
    /// Returns what the app knows now.
    func deviceData() async throws -> AppDeviceData
}

/// What only the app knows about the device.
public struct AppDeviceData: Sendable, Hashable {
    /// The date of the app's release, `YYYY-MM-DD`.
    public var releaseDate: String?
    /// Whether the protections of the operating system are removed ("rooted", "jailbroken").
    public var isRooted: Bool?
    /// Whether a runtime protection (RASP) watches the app.
    public var isProtected: Bool?
    /// Data for the rules of the app: 1 to 1,024 bytes of UTF-8 without control characters.
    public var applicationData: String?

    /// Creates a value. What is left out is not sent.
    public init(
        releaseDate: String? = nil, isRooted: Bool? = nil, isProtected: Bool? = nil, applicationData: String? = nil
    ) {
        self.releaseDate = releaseDate
        self.isRooted = isRooted
        self.isProtected = isProtected
        self.applicationData = applicationData
    }

    /// The fields.
    var values: [DeviceDataField: DeviceDataValue] {
        var values: [DeviceDataField: DeviceDataValue] = [:]
        values[.releaseDate] = releaseDate.map { .text($0) }
        values[.rooted] = isRooted.map { .boolean($0) }
        values[.protected] = isProtected.map { .boolean($0) }
        values[.applicationData] = applicationData.map { .text($0) }
        return values
    }
}

/// A collector of the device data of one group.
///
/// The SDK has collectors for `basic`, on Linux and Apple platforms for `network`, and on Linux for `wifi` and `bluetooth`. An app gives a
/// collector of its own for another group, or in place of one of these. A field of another group, a field that the settings do not
/// allow, and a value of another form are left out.
public protocol DeviceDataCollector: Sendable {
    /// The group.
    var group: DeviceDataGroup { get }

    /// Returns the values that are known now.
    ///
    /// - Throws: ``DeviceDataPermissionError`` when the user has not given the permission: the group is left out with
    ///   ``Warning/Code/deviceDataPermissionMissing(_:)``. Any other error leaves it out with
    ///   ``Warning/Code/deviceDataMissing(_:)``.
    func collect() async throws -> [DeviceDataField: DeviceDataValue]
}

/// The error of a collector whose permission is missing.
public struct DeviceDataPermissionError: Error, Sendable, Hashable {
    /// Creates the error.
    public init() {}
}
