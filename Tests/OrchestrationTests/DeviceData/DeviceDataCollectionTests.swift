import Dispatch
import Logging
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import Orchestration

/// What is collected, when, and what a source that fails leaves out.
@Suite struct DeviceDataCollectionTests {
    private let time = ManualTimeSource()
    private let alice = ActivationExchange.account

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
            var settings = DeviceDataSettings(groups: groups, excludedFields: excluded, collectors: collectors)
            settings.isEnabled = Bool.random(using: &random)
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
        let warnings = await collection.unreported(of: alice)
        #expect(warnings.map(\.code) == [.deviceDataMissing(.app)])
        #expect(warnings.first?.cause?.code == .unexpected)
        #expect(warnings.first?.code.description == "deviceDataMissing(app)")
        #expect(await collection.unreported(of: alice).isEmpty)
        // When it works again and then fails, that is reported again.
        feeder.answer { AppDeviceData(isRooted: true) }
        #expect(await collection.current()[.rooted] == .boolean(true))
        feeder.answer { throw ScriptedFeeder.Failure() }
        time.advance(seconds: 60)
        #expect(await collection.current()[.rooted] == nil)
        #expect(await collection.unreported(of: alice).map(\.code) == [.deviceDataMissing(.app)])
    }

    @Test func `a feeder that hangs delays a collection by the limit, and is not asked again`() async {
        let feeder = ScriptedFeeder { await ScriptedFeeder.hang() }
        let collection = collection(DeviceDataSettings(timeLimit: .seconds(2), feeder: feeder))
        async let first = collection.current()
        await time.sleepers(1)
        time.advance(seconds: 2)
        #expect(await first[.rooted] == nil)
        #expect(await collection.unreported(of: alice).map(\.code) == [.deviceDataMissing(.app)])
        time.advance(seconds: 60)
        // The second collection does not wait.
        #expect(await collection.current()[.system] != nil)
        #expect(feeder.calls == 1)
    }

    @Test func `a source that has failed or was late is asked again after a second`() async {
        let feeder = ScriptedFeeder { throw ScriptedFeeder.Failure() }
        let collection = collection(DeviceDataSettings(refreshInterval: .seconds(86_400), feeder: feeder))
        #expect(await collection.current()[.rooted] == nil)
        feeder.answer { AppDeviceData(isRooted: false) }
        time.advance(milliseconds: 999)
        #expect(await collection.current()[.rooted] == nil)
        time.advance(milliseconds: 1)
        #expect(await collection.current()[.rooted] == .boolean(false))
        time.advance(seconds: 86_399)
        _ = await collection.current()
        #expect(feeder.calls == 2)
    }

    @Test func `a feeder that blocks its thread delays a collection by the limit, and not the collection after it`()
        async
    {
        let feeder = BlockingFeeder()
        defer { feeder.release() }
        let collection = collection(DeviceDataSettings(timeLimit: .seconds(2), feeder: feeder))
        async let first = collection.current()
        await time.sleepers(1)
        time.advance(seconds: 2)
        let values = await first
        #expect(values[.system] != nil && values[.rooted] == nil)
        #expect(await collection.unreported(of: alice).map(\.code) == [.deviceDataMissing(.app)])
        time.advance(seconds: 60)
        #expect(await collection.current()[.system] != nil)
    }

    @Test func `a task that is canceled does not wait for a collection, and the collection goes on`() async {
        let collection = collection(DeviceDataSettings(feeder: ScriptedFeeder { await ScriptedFeeder.hang() }))
        let waiting = Task { await collection.current() }
        async let other = collection.current()
        await time.sleepers(1)
        waiting.cancel()
        // No time passes.
        #expect(await waiting.value.isEmpty)
        time.advance(seconds: 2)
        #expect(await other[.system] != nil)
    }

    @Test func `a warning is reported once for each account, and what was not sent every time`() async throws {
        let feeder = ScriptedFeeder { throw ScriptedFeeder.Failure() }
        let collection = collection(DeviceDataSettings(feeder: feeder))
        _ = await collection.current()
        let bob = try AccountName(userID: "bob", domain: "master")
        let leftOut = Warning(.deviceDataFieldLeftOut(.applicationData))
        #expect(
            await collection.unreported([leftOut], of: alice).map(\.code) == [.deviceDataMissing(.app), leftOut.code])
        #expect(await collection.unreported([leftOut], of: alice).isEmpty)
        #expect(await collection.unreported(of: bob).map(\.code) == [.deviceDataMissing(.app)])
        for _ in 0..<2 {
            let codes = await collection.unreported([Warning(.deviceDataNotSent)], of: bob).map(\.code)
            #expect(codes == [.deviceDataNotSent])
        }
    }

    @Test func `an interface is reported by its kind, and never by its name`() async throws {
        func linux(_ type: Int?, _ files: Set<String> = [], event: String = "") -> NetworkInterfaceKind? {
            NetworkInterfaceKind(linuxType: type, event: event) { files.contains($0) }
        }
        #expect(linux(772) == nil)
        #expect(linux(1, ["device"]) == .ethernet && linux(1) == .virtual && linux(1, ["bridge"]) == .bridge)
        #expect(linux(1, ["device", "wireless"]) == .wifi && linux(1, ["device", "phy80211"]) == .wifi)
        #expect(linux(1, ["tun_flags"]) == .tunnel && linux(65_534) == .tunnel && linux(512) == .tunnel)
        #expect(linux(1, ["device"], event: "DEVTYPE=wwan\nINTERFACE=wwan0\n") == .cellular && linux(519) == .cellular)
        #expect(linux(nil) == .other && linux(24) == .other)
        for (name, kind) in [
            ("lo0", nil), ("en0", .ethernet), ("utun3", .tunnel), ("pdp_ip0", .cellular), ("bridge100", .bridge),
            ("awdl0", nil), ("x5", .other), ("", .other),
        ] as [(String, NetworkInterfaceKind?)] {
            #expect(NetworkInterfaceKind(darwinName: name) == kind)
        }
        let kinds = Set(NetworkInterfaceKind.allCases.map(\.rawValue))
        if case .texts(let texts)? = try NetworkCollector().collect()[.networkInterfaces] {
            #expect(kinds.isSuperset(of: texts) && Set(texts).count == texts.count)
        }
    }

    @Test func `a missing permission and a missing collector leave their groups out`() async {
        let settings = DeviceDataSettings(
            groups: [.basic, .wifi, .location],
            collectors: [FixedCollector(group: .wifi, values: Self.everything, isPermitted: false)])
        let collection = collection(settings)
        #expect(Set(await collection.current().keys.map(\.group)) == [.basic])
        let codes = await collection.unreported(of: alice).map(\.code)
        #expect(Set(codes) == [.deviceDataPermissionMissing(.wifi), .deviceDataMissing(.location)])
    }

    @Test func `an orchestrator collects the data when it is made`() async throws {
        let feeder = ScriptedFeeder(isRooted: false)
        let folder = try TemporaryFolder()
        var configuration = Configuration(salts: try Sample.salts())
        configuration.deviceData.feeder = feeder
        let app = try await Orchestrator(
            configuration: configuration, transport: SilentTransport(), providers: [],
            store: FileStore(directory: folder.path))
        #expect(feeder.calls == 1)
        #expect(await app.deviceData().first { $0.field == .rooted }?.value == .boolean(false))
        #expect(feeder.calls == 1)
    }

    @Test func `settings out of their ranges are refused`() throws {
        for change: (inout Configuration) -> Void in [
            { $0.deviceData.refreshInterval = .milliseconds(999) },
            { $0.deviceData.refreshInterval = .seconds(86_401) },
            { $0.deviceData.timeLimit = .milliseconds(9) }, { $0.deviceData.timeLimit = .seconds(31) },
            { $0.deviceName = String(repeating: "x", count: 65) }, { $0.deviceName = "a\u{0}" },
            { $0.deviceName = "a\u{202E}b" },
        ] {
            var configuration = Configuration(salts: try Sample.salts())
            change(&configuration)
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
                case .networkInterfaces: .texts(["ethernet"])
                case .latitude, .longitude, .locationAccuracy: .integer(1)
                default: .text("x")
                }
            return (field, value)
        })
}

/// A feeder that blocks the thread that asks it.
private final class BlockingFeeder: DeviceDataFeeder {
    private let semaphore = DispatchSemaphore(value: 0)

    func deviceData() async throws -> AppDeviceData {
        block()
        return AppDeviceData(isRooted: true)
    }

    func release() { semaphore.signal() }

    private func block() { semaphore.wait() }
}

/// A transport without a network.
private struct SilentTransport: Transport {
    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        throw OrchestrationError(.transport)
    }
}
