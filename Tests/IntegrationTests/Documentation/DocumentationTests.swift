import Foundation
import Testing

/// Code in articles is compiled: every Swift block of the README and of the articles stands, line by line, in a source
/// file of this folder.
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
            let stands = sources.contains { source in
                source.indices.contains { source[$0...].starts(with: wanted) }
            }
            #expect(stands, "a block of \(page.lastPathComponent) is in no example: \(wanted.first ?? "")")
        }
    }

    /// Lines without indentation, blank ones and imports, which stand at the top of a source file.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: true)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
    }

    private static func blocks(_ text: String) -> [String] {
        text.components(separatedBy: "```swift\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
    }
}
