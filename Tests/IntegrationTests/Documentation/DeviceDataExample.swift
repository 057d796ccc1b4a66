import Orchestration
import Testing

/// A protection that knows whether the system is rooted, as apps have one.
private struct Protection: Sendable {
    let isRooted: Bool
}

private let protection = Protection(isRooted: false)

/// The configuration of the article "Device data and privacy".
private func configuration(salts: Salts) -> Configuration {
    var configuration = Configuration(salts: salts)
    configuration.deviceData.groups.insert(.network)
    configuration.deviceData.excludedFields = [.locale]
    configuration.deviceData.hashedFields.insert(.timeZone)
    configuration.deviceData.feeder = ShopFeeder()
    return configuration
}

/// The feeder of the same article.
struct ShopFeeder: DeviceDataFeeder {
    func deviceData() async throws -> AppDeviceData {
        AppDeviceData(releaseDate: "2026-11-02", isRooted: protection.isRooted, isProtected: true)
    }
}

@Suite struct DeviceDataExample {
    @Test func `the settings of the article allow what it says`() throws {
        let salts = try Salts(authenticator: Array(repeating: 1, count: 16), storage: Array(repeating: 2, count: 16))
        let settings = configuration(salts: salts).deviceData
        #expect(settings.allows(.networkInterfaces) && settings.allows(.timeZone) && !settings.allows(.locale))
        #expect(!settings.allows(.wifiNetwork) && !settings.allows(.latitude))
    }
}
