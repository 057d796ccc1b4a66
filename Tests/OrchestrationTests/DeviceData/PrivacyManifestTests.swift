import Foundation
import Testing

/// The privacy manifests of the modules that an app links.
@Suite struct PrivacyManifestTests {
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources")
    static let modules = [
        "Orchestration", "OrchestrationHTTP", "OneTimePassword", "Primitives", "OrchestrationProtocol",
    ]

    private func manifest(of module: String) throws -> [String: Any] {
        let file = Self.sources.appending(path: "\(module)/PrivacyInfo.xcprivacy")
        let list = try unsafe PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        return try #require(list as? [String: Any])
    }

    @Test(arguments: modules)
    func `a module declares what it collects, and no tracking`(module: String) throws {
        let manifest = try manifest(of: module)
        #expect(
            Set(manifest.keys) == [
                "NSPrivacyTracking", "NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes",
                "NSPrivacyAccessedAPITypes",
            ])
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyTrackingDomains"] as? [Any])?.isEmpty == true)
        let collected = try #require(manifest["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
        let types = collected.compactMap { $0["NSPrivacyCollectedDataType"] as? String }
        let expected = ["UserID", "DeviceID", "OtherDataTypes"].map { "NSPrivacyCollectedDataType\($0)" }
        #expect(types == (module == "Orchestration" ? expected : []))
        #expect(collected.allSatisfy { $0["NSPrivacyCollectedDataTypeTracking"] as? Bool == false })
        #expect(
            collected.allSatisfy {
                $0["NSPrivacyCollectedDataTypePurposes"] as? [String]
                    == ["NSPrivacyCollectedDataTypePurposeAppFunctionality"]
            })
    }

    @Test(arguments: modules)
    func `a module declares the interfaces with a required reason that it uses`(module: String) throws {
        let declared = try #require(manifest(of: module)["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        let categories = declared.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }
        var used: Set<String> = []
        let folder = Self.sources.appending(path: module)
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for (category, words) in Self.interfaces where words.contains(where: text.contains) {
                used.insert(category)
            }
        }
        #expect(Set(categories) == Set(used.map { "NSPrivacyAccessedAPICategory\($0)" }))
        #expect(declared.allSatisfy { ($0["NSPrivacyAccessedAPITypeReasons"] as? [String])?.isEmpty == false })
    }

    /// Names of the interfaces in each category.
    private static let interfaces: [String: [String]] = [
        "FileTimestamp": [
            " stat(", " fstat(", " fstatat(", " lstat(", "getattrlist", "modificationDate", "creationDate",
        ],
        "SystemBootTime": ["systemUptime", "mach_absolute_time"],
        "DiskSpace": ["statfs", "statvfs", "volumeAvailableCapacity", "systemFreeSize"],
        "UserDefaults": ["UserDefaults"],
        "ActiveKeyboards": ["activeInputModes"],
    ]
}
