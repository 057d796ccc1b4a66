public import OrchestrationProtocol

/// The data about the device that the SDK reports to the platform, and their collection.
///
/// The data consists of fields of a fixed schema, `DeviceDataField`, each with a purpose. By default the groups `basic`
/// and `app` are on. The groups `network`, `wifi`, `bluetooth` and `location` are off until an app turns them on. The
/// article "Device data and privacy" describes which data is collected and what an app declares on Apple platforms.
public struct DeviceDataSettings: Sendable {
    /// Whether requests carry device data at all.
    package var isEnabled = true

    /// The groups that are collected. No field of another group is ever sent.
    public var groups: Set<DeviceDataGroup>

    /// Fields that are never sent, although their group is on.
    public var excludedFields: Set<DeviceDataField>

    /// Fields of which a keyed hash is sent instead of the value. The platform then sees changes of the value only.
    public var hashedFields: Set<DeviceDataField>

    /// The age from which the data is collected again when a command leaves: 1 second to 1 day. The values of an
    /// approval can be that old.
    public var refreshInterval: Duration

    /// The longest time that a flow waits for the feeder and for each collector of the app: 10 milliseconds to 30
    /// seconds. Later data is left out, with a warning.
    public var timeLimit: Duration

    /// The version of the app, at most 64 bytes of UTF-8. Without one, the version in the app's bundle is used.
    public var appVersion: String?

    /// The source of the data that only the app can know.
    public var feeder: (any DeviceDataFeeder)?

    /// Collectors of the app. One of them replaces the collector of the SDK for its group.
    public var collectors: [any DeviceDataCollector]

    /// Creates settings.
    public init(
        groups: Set<DeviceDataGroup> = [.basic, .app],
        excludedFields: Set<DeviceDataField> = [], hashedFields: Set<DeviceDataField> = [.wifiNetwork],
        refreshInterval: Duration = .seconds(60), timeLimit: Duration = .seconds(2), appVersion: String? = nil,
        feeder: (any DeviceDataFeeder)? = nil, collectors: [any DeviceDataCollector] = []
    ) {
        self.groups = groups
        self.excludedFields = excludedFields
        self.hashedFields = hashedFields
        self.refreshInterval = refreshInterval
        self.timeLimit = timeLimit
        self.appVersion = appVersion
        self.feeder = feeder
        self.collectors = collectors
    }

    /// Settings with which no data is collected or sent.
    public static let off: DeviceDataSettings = {
        var settings = DeviceDataSettings()
        settings.isEnabled = false
        return settings
    }()

    /// Whether a field may be sent.
    package func allows(_ field: DeviceDataField) -> Bool {
        isEnabled && groups.contains(field.group) && !excludedFields.contains(field)
    }

    /// Whether the durations are in their ranges.
    var isValid: Bool {
        (.seconds(1)...Duration.seconds(86_400)).contains(refreshInterval)
            && (.milliseconds(10)...Duration.seconds(30)).contains(timeLimit)
    }
}
