import Foundation
import Testing

/// The Swift blocks of the README and of the articles. Each one is part of a source file of this folder, line by line,
/// so it compiles. `Tests/Scripts/console-blocks` also compiles and runs the complete programs as they are printed.
@Suite struct DocumentationTests {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let pages: [URL] = {
        let catalog = root.appending(path: "DocC/Orchestration.docc")
        let articles = FileManager.default.enumerator(at: catalog, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }
            .filter { $0.pathExtension == "md" }
        return [root.appending(path: "README.md")] + (articles ?? []).sorted { $0.path < $1.path }
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
