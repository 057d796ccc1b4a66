import Foundation
import Testing
import TrustedIdentityServer

/// The table of settings in the article about running the platform, against the settings.
@Suite struct ConfigurationArticleTests {
    @Test func `the article has a row for each setting, with its names, default, limits and meaning`() throws {
        let page = try #require(DocumentationTests.pages.first { $0.lastPathComponent == "RunningThePlatform.md" })
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains("| `TRUSTED_IDENTITY_") }
            .map { $0.components(separatedBy: " | ").map { String($0.trimmingPrefix("| ").replacing(" |", with: "")) } }
        #expect(
            rows
                == Setting.all.map {
                    [
                        "`\($0.key)`", "`\($0.environmentName)`", "`\($0.flag)`", "`\($0.defaultText ?? "none")`",
                        $0.limits, $0.help,
                    ]
                })
    }
}
