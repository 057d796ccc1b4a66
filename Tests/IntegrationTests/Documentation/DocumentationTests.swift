import Foundation
import Testing

/// The README and the articles. Each Swift block is part of a source file of this folder, line by line, so it compiles.
/// `Tests/Scripts/console-blocks` also compiles the complete programs as they are printed, and runs those of articles;
/// `Tests/Scripts/approval-loop` runs that of the README. Paths, events and linked modules exist.
@Suite struct DocumentationTests {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let pages: [URL] = {
        let catalog = root.appending(path: "DocC/Orchestration.docc")
        let articles = FileManager.default.enumerator(at: catalog, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }
            .filter { $0.pathExtension == "md" }
        return ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map { root.appending(path: $0) }
            + (articles ?? []).sorted { $0.path < $1.path }
    }()

    @Test func `the catalog has articles`() {
        #expect(Self.pages.count > 5)
    }

    @Test(arguments: pages) func `every Swift block is code that compiles`(page: URL) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let sources = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasSuffix("Example.swift") }
            .map { Self.lines(try String(contentsOf: $0, encoding: .utf8)) }
        for block in Self.blocks(try String(contentsOf: page, encoding: .utf8)) {
            let wanted = Self.lines(block)
            let isCompiled = sources.contains { source in
                source.indices.contains { source[$0...].starts(with: wanted) }
            }
            #expect(isCompiled, "a block of \(page.lastPathComponent) is in no example: \(wanted.first ?? "")")
        }
    }

    @Test(arguments: pages) func `every path that a page names exists`(page: URL) throws {
        #expect(Self.missingPaths(try String(contentsOf: page, encoding: .utf8)) == [])
    }

    @Test func `every event that the article lists is sent`() throws {
        #expect(
            try Self.unsentEvents(Self.text("DocC/Orchestration.docc/Platform/EventsForApplicationServers.md")) == [])
    }

    @Test func `every module that a page links to is in the documentation and in the package index`() throws {
        let text = try Self.pages.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        #expect(try Self.unlistedModules(text) == [])
    }

    @Test func `a path, an event and a module that do not exist are found`() throws {
        #expect(
            Self.missingPaths("`Vault/Nothing.swift`, `.ci/run` and `Tests/Nothing FILE`")
                == ["Vault/Nothing.swift", "Tests/Nothing"])
        #expect(
            try Self.unsentEvents("| `device.painted` | |\n| `device.revoked` | |") == ["device.painted"])
        let links = "``/CommandLine/QRCode`` and ``/OrchestrationProtocol/OrchestrationCommand``"
        #expect(try Self.unlistedModules(links) == ["CommandLine"])
    }

    /// The paths of the repository's files and folders that pages name.
    private static let paths: Set<String> = {
        var paths: Set<String> = []
        for folder in ["Sources", "Tests", "Benchmarks", "DocC", ".ci"] {
            let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
            for case let path as String in files ?? .init() { paths.insert("\(folder)/\(path)") }
        }
        return paths
    }()

    /// Returns the paths in code voice that do not exist: those that begin with a folder of the repository, and the
    /// ends of paths of Swift files. A page that prints the manifest of a package also names files of that package.
    private static func missingPaths(_ text: String) -> [String] {
        let folders = Set(paths.compactMap { $0.split(separator: "/").first })
        return text.matches(of: /`([^`\n]+)`/).flatMap { $0.1.split(separator: " ") }.filter { path in
            let parts = path.split(separator: "/")
            guard path.hasSuffix(".swift") || parts.count > 1 && folders.contains(parts[0]) else { return false }
            let path = parts.joined(separator: "/")
            let isOfReader = parts.count > 1 && text.contains("name: \"\(parts[1])\"")
            return !isOfReader && !paths.contains { $0 == path || $0.hasSuffix("/" + path) }
        }.map(String.init)
    }

    /// Returns the events in the tables of an article that no source line of the platform sends.
    private static func unsentEvents(_ article: String) throws -> [String] {
        let files = try paths.filter { $0.hasPrefix("Sources/TrustedIdentity/") && $0.hasSuffix(".swift") }.map(text)
        // A line that gives an entry of the audit log its event sends nothing: the entry has to be written elsewhere.
        let source = files.joined().replacing(/\.(\w+): \.\1/, with: "")
        return article.matches(of: /\| `([a-z-]+\.[a-z-]+)` \|/).map { String($0.1) }.filter { event in
            !source.matches(of: /static let (\w+): Kind = "([a-z.-]+)"/)
                .contains { $0.2 == event && source.contains(".\($0.1)") }
        }
    }

    /// Returns the modules in links that `.spi.yml` or the target of the articles does not list.
    private static func unlistedModules(_ text: String) throws -> [String] {
        let index = try Self.text(".spi.yml")
        let target = try Self.text("Package.swift").components(separatedBy: "name: \"Documentation\"").last ?? ""
        let dependencies = target.components(separatedBy: "]").first ?? ""
        return Set(text.matches(of: /``\/([A-Za-z]+)/).map { String($0.1) }).sorted()
            .filter { !index.contains("- \($0)\n") || !dependencies.contains("\"\($0)\"") }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns the lines without indentation, blank lines, and imports, which are at the top of a source file.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: true)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
    }

    /// Returns the Swift blocks of a page. Manifests are not part of a module; `.ci/adopter` resolves them.
    private static func blocks(_ text: String) -> [String] {
        text.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            .filter { !$0.hasPrefix("// swift-tools-version") }
    }
}
