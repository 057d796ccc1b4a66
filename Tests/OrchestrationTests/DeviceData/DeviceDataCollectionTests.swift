import Logging
import OrchestrationTesting
import Primitives
import Testing
import Wire

@testable import Orchestration

/// What is collected, when, and what a source that fails leaves out.
@Suite struct DeviceDataCollectionTests {
    private let time = ManualTimeSource()

    private func collection(_ settings: DeviceDataSettings) -> DeviceDataCollection {
        DeviceDataCollection(settings, time: time, logger: Logger(label: "test"))
    }

    @Test func `only the groups basic and app are on by default`() async {
        let collectors = DeviceDataGroup.allCases.filter { ![.basic, .app].contains($0) }.map { group in
            FixedCollector(group: group, values: Self.everything.filter { $0.key.group == group })
        }
        let values = await collection(DeviceDataSettings(collectors: collectors)).current()
        #expect(Set(values.keys.map(\.group)) == [.basic])
        #expect(DeviceDataSettings().groups == [.basic, .app])
        #expect(DeviceDataSettings().hashedFields == [.wifiNetwork])
    }

    @Test func `the basic fields of this system are valid`() async throws {
        let values = await collection(DeviceDataSettings(appVersion: "2.1")).current()
        #expect(values[.appVersion] == .text("2.1"))
        #expect(values[.sdkVersion] == .text("0.1.0"))
        for field in [DeviceDataField.system, .systemVersion, .architecture, .timeZone] {
            #expect(values[field] != nil)
        }
        #expect(values[.uptime] == .integer(0))
        _ = try DeviceData(values)
    }

    @Test func `a system collector returns fields of its group, and valid ones`() async throws {
        for group in [DeviceDataGroup.network, .wifi, .bluetooth] {
            guard let collector = group.systemCollector else { continue }
            let values = try await collector.collect()
            #expect(values.keys.allSatisfy { $0.group == group })
            if !values.isEmpty { _ = try DeviceData(values) }
        }
    }

    @Test func `no field leaves that the settings do not allow`() async {
        var random = SeededRandomSource(seed: 7).generator()
        for _ in 0..<200 {
            let groups = Set(DeviceDataGroup.allCases.filter { _ in Bool.random(using: &random) })
            let excluded = Set(DeviceDataField.allCases.filter { _ in Bool.random(using: &random) })
            // Each collector returns every field of the schema, also those of other groups.
            let collectors = DeviceDataGroup.allCases.map { FixedCollector(group: $0, values: Self.everything) }
            let settings = DeviceDataSettings(
                isEnabled: Bool.random(using: &random), groups: groups, excludedFields: excluded, collectors: collectors
            )
            let values = await collection(settings).current()
            let allowed = Set(DeviceDataField.allCases.filter { settings.allows($0) })
            #expect(Set(values.keys) == allowed)
            #expect(allowed.allSatisfy { groups.contains($0.group) && !excluded.contains($0) && settings.isEnabled })
        }
    }

    @Test func `the data are collected again when they are older than the interval`() async {
        let feeder = ScriptedFeeder(isRooted: false)
        let collection = collection(DeviceDataSettings(feeder: feeder))
        #expect(await collection.current()[.rooted] == .boolean(false))
        feeder.answer { AppDeviceData(isRooted: true) }
        time.advance(milliseconds: 59_999)
        #expect(await collection.current()[.rooted] == .boolean(false))
        #expect(feeder.calls == 1)
        time.advance(milliseconds: 1)
        #expect(await collection.current()[.rooted] == .boolean(true))
        #expect(feeder.calls == 2)
    }

    @Test func `a feeder that throws leaves its group out, with one warning`() async {
        let feeder = ScriptedFeeder { throw ScriptedFeeder.Failure() }
        let collection = collection(DeviceDataSettings(feeder: feeder))
        for _ in 0..<2 {
            let values = await collection.current()
            #expect(values[.rooted] == nil && values[.system] != nil)
            time.advance(seconds: 60)
        }
        let warnings = await collection.unreportedWarnings()
        #expect(warnings.map(\.code) == [.deviceDataMissing(.app)])
        #expect(warnings.first?.cause?.code == .unexpected)
        #expect(warnings.first?.code.description == "deviceDataMissing(app)")
        #expect(await collection.unreportedWarnings().isEmpty)
        // When it works again and then fails, that is reported again.
        feeder.answer { AppDeviceData(isRooted: true) }
        #expect(await collection.current()[.rooted] == .boolean(true))
        feeder.answer { throw ScriptedFeeder.Failure() }
        time.advance(seconds: 60)
        #expect(await collection.current()[.rooted] == nil)
        #expect(await collection.unreportedWarnings().map(\.code) == [.deviceDataMissing(.app)])
    }

    @Test func `a feeder that hangs delays a collection by the limit, and is not asked again`() async {
        let feeder = ScriptedFeeder { await ScriptedFeeder.hang() }
        let collection = collection(DeviceDataSettings(timeLimit: .seconds(2), feeder: feeder))
        async let first = collection.current()
        await time.sleepers(1)
        time.advance(seconds: 2)
        #expect(await first[.rooted] == nil)
        #expect(await collection.unreportedWarnings().map(\.code) == [.deviceDataMissing(.app)])
        time.advance(seconds: 60)
        // The second collection does not wait.
        #expect(await collection.current()[.system] != nil)
        #expect(feeder.calls == 1)
    }

    @Test func `a missing permission and a missing collector leave their groups out`() async {
        let settings = DeviceDataSettings(
            groups: [.basic, .wifi, .location],
            collectors: [FixedCollector(group: .wifi, values: Self.everything, isPermitted: false)])
        let collection = collection(settings)
        #expect(Set(await collection.current().keys.map(\.group)) == [.basic])
        let codes = await collection.unreportedWarnings().map(\.code)
        #expect(Set(codes) == [.deviceDataPermissionMissing(.wifi), .deviceDataMissing(.location)])
    }

    @Test func `settings out of their ranges are refused`() throws {
        for change: (inout DeviceDataSettings) -> Void in [
            { $0.refreshInterval = .milliseconds(999) }, { $0.refreshInterval = .seconds(86_401) },
            { $0.timeLimit = .milliseconds(9) }, { $0.timeLimit = .seconds(31) },
        ] {
            var configuration = Configuration(salts: try Sample.salts())
            change(&configuration.deviceData)
            let error = #expect(throws: OrchestrationError.self) { try configuration.check() }
            #expect(error?.code == .invalidConfiguration)
        }
    }

    @Test func `the release of a Linux system and the locale of a terminal are read as they are written`() {
        let release = "NAME=\"Ubuntu\"\nVERSION_ID=\"24.04\"\nID=ubuntu\n"
        #expect(BasicDeviceData.version(inRelease: Array(release.utf8)) == "ubuntu 24.04")
        #expect(BasicDeviceData.version(inRelease: Array("ID=arch\n".utf8)) == "arch")
        #expect(BasicDeviceData.version(inRelease: Array("VERSION_ID=1\n".utf8)) == nil)
        #expect(BasicDeviceData.version(inRelease: [0xFF, 0x3D, 0x0A]) == nil)
        #if os(Linux)
            #expect(BasicDeviceData.locale(in: ["LANG": "de_AT.UTF-8"]) == "de_AT")
            #expect(BasicDeviceData.locale(in: ["LANG": "de_AT.UTF-8", "LC_ALL": "C"]) == "C")
            #expect(BasicDeviceData.locale(in: [:]) == nil)
        #endif
        let times: [(Int64, Int64)] = [
            (0, 0), (3_599, 0), (3_600, 3_600), (86_399, 3_600), (86_400, 86_400), (604_799, 86_400),
            (9_999_999, 604_800),
        ]
        for (uptime, rounded) in times { #expect(BasicDeviceData.rounded(.seconds(uptime)) == rounded) }
    }

    /// A valid value of each field.
    static let everything: [DeviceDataField: DeviceDataValue] = Dictionary(
        uniqueKeysWithValues: DeviceDataField.allCases.map { field in
            let value: DeviceDataValue =
                switch field {
                case .uptime: .integer(3_600)
                case .releaseDate: .text("2026-02-28")
                case .rooted, .protected, .wifiConnected, .bluetoothAvailable: .boolean(true)
                case .networkInterfaces: .texts(["lo"])
                case .latitude, .longitude, .locationAccuracy: .integer(1)
                default: .text("x")
                }
            return (field, value)
        })
}
