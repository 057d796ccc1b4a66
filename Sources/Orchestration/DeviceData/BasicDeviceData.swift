internal import Foundation
internal import OrchestrationProtocol
internal import Primitives

/// The collector of the group `basic`: it reads what every program may read, and needs no permission.
struct BasicDeviceData {
    let appVersion: String?
    let time: any TimeSource

    /// Returns the values. It blocks no longer than reading two small files takes.
    func values() -> [DeviceDataField: DeviceDataValue] {
        let environment = ProcessInfo.processInfo.environment
        var values: [DeviceDataField: DeviceDataValue] = [
            .system: .text(Self.system), .architecture: .text(Self.architecture),
            .sdkVersion: .text(PackageVersion.text),
            .timeZone: .text(TimeZone.current.identifier),
        ]
        values[.systemVersion] = Self.systemVersion.map { .text($0) }
        values[.locale] = Self.locale(in: environment).map { .text($0) }
        values[.appVersion] = (appVersion ?? Self.bundleVersion).map { .text($0) }
        values[.terminal] = environment["TERM"].flatMap { $0.isEmpty ? nil : .text($0) }
        #if os(Linux) || os(macOS)
            // On Apple's other systems, this time must not leave the device.
            values[.uptime] = Self.rounded(time.uptime()).map { .integer($0) }
        #endif
        return values
    }

    /// Returns a time since the start of the system, rounded down to 0, an hour, a day or a week, in seconds.
    static func rounded(_ uptime: Duration) -> Int64? {
        DeviceDataField.uptimes.last { $0 <= uptime.components.seconds }
    }

    private static var system: String {
        #if os(macOS)
            "macOS"
        #elseif os(iOS)
            "iOS"
        #elseif os(Linux)
            "Linux"
        #else
            "other"
        #endif
    }

    private static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "other"
        #endif
    }

    private static var systemVersion: String? {
        #if canImport(Darwin)
            let version = ProcessInfo.processInfo.operatingSystemVersion
            return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        #else
            return SystemFile.read("/etc/os-release", limit: 16_384).flatMap(version(inRelease:))
                ?? SystemFile.read("/proc/sys/kernel/osrelease", limit: 256).map { text(of: $0) }
        #endif
    }

    /// Returns the name and the version of a distribution, for example `ubuntu 24.04` (os-release(5)).
    static func version(inRelease file: [UInt8]) -> String? {
        var fields: [Substring: Substring] = [:]
        for line in String(decoding: file, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[parts[0]] = parts[1].drop { $0 == "\"" }.prefix { $0 != "\"" }
        }
        guard let name = fields["ID"], !name.isEmpty else { return nil }
        return [name, fields["VERSION_ID"]].compactMap { $0 }.joined(separator: " ")
    }

    private static func text(of bytes: [UInt8]) -> String {
        String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Returns the identifier of the locale: the system's, or the one in the variables of a terminal.
    static func locale(in environment: [String: String]) -> String? {
        #if canImport(Darwin)
            return Locale.current.identifier
        #else
            let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
            return name.map { String($0.prefix { $0 != "." && $0 != "@" }) }
        #endif
    }

    private static var bundleVersion: String? {
        #if canImport(Darwin)
            Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
        #else
            nil
        #endif
    }
}
