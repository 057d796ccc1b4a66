import Foundation
import Primitives
import Testing

@testable import Orchestration

/// The lists of errors and warnings, the source, and the article *Errors and warnings* have the same members.
///
/// The table of errors is generated: `GENERATE=1 swift test --filter ErrorCatalogTests` writes it into the article.
@Suite struct ErrorCatalogTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `every code of the source is in the list of codes once`() throws {
        let declared = try Self.sources().flatMap { source in
            source.matches(of: /Self\(\s*"(\w+)",\s*(\d+),/).map { "\($0.1) \($0.2)" }
        }
        let listed = OrchestrationError.Code.all.map { "\($0) \($0.number)" }
        #expect(declared.count >= 40)
        #expect(declared.sorted() == listed.sorted())
    }

    @Test func `every code has a number of its own, which Objective-C gets`() {
        let numbers = OrchestrationError.Code.all.map(\.number)
        #expect(numbers.allSatisfy { $0 > 100 })
        #expect(Set(numbers).count == numbers.count)
        // Numbers that an app may have stored do not change.
        #expect(OrchestrationError.Code.storeBusy.number == 201)
        #expect(OrchestrationError.Code.transport.number == 401)
        #expect(OrchestrationError.Code.undecided.number == 501)
        #expect(OrchestrationError(.internal).number == 902)
        #expect(OrchestrationError.errorDomain == "Orchestration.OrchestrationError")
    }

    @Test func `the article has the generated table of error codes`() throws {
        let article = try Self.article()
        let start = try #require(article.firstRange(of: "| Code | Number |")?.lowerBound, "no table of errors")
        let end = try #require(article[start...].firstRange(of: "\n\n")?.lowerBound, "the table has no end")
        if ProcessInfo.processInfo.environment["GENERATE"] != nil {
            let generated = article.replacingCharacters(in: start..<end, with: Self.table)
            try generated.write(to: Self.articleFile, atomically: true, encoding: .utf8)
        } else {
            let rows = article[start..<end].split(separator: "\n")
            for (row, expected) in zip(rows, Self.table.split(separator: "\n")) { #expect(row == expected) }
            #expect(rows.count == OrchestrationError.Code.all.count + 2)
        }
    }

    @Test func `the article lists every other reason`() throws {
        func expect<Reason>(_ heading: String, _ reasons: [Reason], _ file: String) throws {
            #expect(try Self.rows(of: heading).sorted() == Self.names(reasons), "\(heading)")
            #expect(try Self.cases(of: "\(Reason.self)", in: file) == Self.names(reasons), "\(heading)")
        }
        try expect("Refused input", InputRejection.all, "Providers/Prompts/InputRejection")
        try expect("Unsuitable passwords", PasswordFault.all, "Password/Rules/PasswordFault")
        try expect("Providers", UserAuthenticationError.allCases, "Providers/UserAuthenticationProvider")
    }

    @Test func `the article lists every warning`() throws {
        #expect(try Self.rows(of: "Warnings").sorted() == Self.names(Warning.Code.all))
        let source = try Self.source("Orchestrator/Errors/Warning")
        let declared = source.matches(of: /public static (?:let|func) (\w+)[^\n]* Self/).map { String($0.1) }
        #expect(declared.sorted() == Self.names(Warning.Code.all))
    }

    @Test func `every row of the article says what it means and what to do`() throws {
        let rows = try Self.article().split(separator: "\n").filter { $0.hasPrefix("| `") && !$0.hasPrefix("| `.") }
        #expect(rows.count > OrchestrationError.Code.all.count)
        for row in rows {
            let cells = row.split(separator: " | ")
            #expect(cells.count == 3 || cells.count == 7, "\(row)")
            #expect(cells.dropFirst().allSatisfy { !$0.allSatisfy(\.isWhitespace) }, "\(row)")
        }
    }

    @Test func `every message is in lower case and without closing punctuation`() {
        for code in OrchestrationError.Code.all {
            #expect(code.message.first?.isLowercase == true, "\(code)")
            #expect(!code.message.hasSuffix("."), "\(code)")
        }
    }
}

// What the article and the source have.
extension ErrorCatalogTests {
    /// The table of errors as the article has it.
    private static var table: String {
        let head = """
            | Code | Number | Meaning | Text | German text | Recovery | What to do |
            | --- | --- | --- | --- | --- | --- | --- |
            """
        let rows = OrchestrationError.Code.all.map { code in
            let error = OrchestrationError(code)
            let texts = [PromptCatalog.default, .german].map { $0[code.text] }
            return "| `\(code)` | \(code.number) | \(error.errorDescription ?? "") | \(texts[0]) | \(texts[1])"
                + " | `\(name(error.recovery))` | \(error.recoverySuggestion ?? "–") |"
        }
        return ([head] + rows).joined(separator: "\n")
    }

    private static var articleFile: URL { root.appending(path: "DocC/Orchestration.docc/Client/ErrorsAndWarnings.md") }

    private static func article() throws -> String { try String(contentsOf: articleFile, encoding: .utf8) }

    /// Returns the names of the table under a heading.
    private static func rows(of heading: String) throws -> [String] {
        let sections = try article().components(separatedBy: "\n### ")
        let section = try #require(sections.first { $0.hasPrefix(heading + "\n") }, "no section \(heading)")
        return section.matches(of: /\n\| `(\w+)` \|/).map { String($0.1) }
    }

    /// Returns the cases of an enumeration as the source declares them.
    private static func cases(of type: String, in file: String) throws -> [String] {
        let source = try source(file)
        let start = try #require(source.firstRange(of: "public enum \(type):"), "no \(type) in \(file)")
        let end = source[start.upperBound...].firstRange(of: "\n}")?.lowerBound ?? source.endIndex
        return unique(
            source[start.upperBound..<end].matches(of: /\n    case ([^.\n]+)/).flatMap { line in
                line.1.replacing(/\([^)]*\)/, with: "").split(separator: ", ").map(String.init)
            })
    }

    private static func source(_ file: String) throws -> String {
        try String(contentsOf: root.appending(path: "Sources/Orchestration/\(file).swift"), encoding: .utf8)
    }

    private static func sources() throws -> [String] {
        let folder = root.appending(path: "Sources/Orchestration")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }
        return try (files ?? []).filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
    }

    /// Returns the name of a case without its value.
    private static func name(_ value: some Any) -> String { String("\(value)".prefix { $0 != "(" }) }

    private static func names(_ values: [some Any]) -> [String] { unique(values.map { name($0) }) }

    private static func unique(_ names: [String]) -> [String] { Set(names).sorted() }
}
