internal import OrchestrationProtocol

/// The source of device data that only the app can know.
///
/// The SDK asks it when the data is collected, at most once per ``DeviceDataSettings/refreshInterval``, or once a
/// second after a source has failed or was late, and never twice at the same time. An error, or an answer after
/// ``DeviceDataSettings/timeLimit``, leaves the group `app` out with the warning
/// ``Warning/Code/deviceDataMissing(_:)``, and no flow fails.
public protocol DeviceDataFeeder: Sendable {
    /// Returns the data that the app knows now.
    func deviceData() async throws -> AppDeviceData
}

/// The device data that only the app knows.
public struct AppDeviceData: Sendable, Hashable {
    package var releaseDate: String?
    package var isRooted: Bool?
    package var isProtected: Bool?
    package var applicationData: String?

    /// Creates a value. A field that is left out is not sent.
    ///
    /// - Parameters:
    ///   - releaseDate: The date of the app's release, `YYYY-MM-DD`.
    ///   - isRooted: Whether the protections of the operating system are removed ("rooted", "jailbroken").
    ///   - isProtected: Whether a runtime protection (RASP) watches the app.
    ///   - applicationData: Data for the rules of the app: 1 to 1,024 bytes of UTF-8 without control characters.
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
