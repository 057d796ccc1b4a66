import Foundation
import Primitives
import Testing

@testable import Orchestration

/// The lists of errors and warnings, the source, and the article *Errors and warnings* have the same members.
@Suite struct ErrorCatalogTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `every code of the source is in the list of codes once`() throws {
        let declared = try Self.sources().flatMap { source in
            source.matches(of: /Self\(\s*"(\w+)",\s*\.(\w+),/).map { "\($0.1) \($0.2)" }
        }
        let listed = OrchestrationError.Code.all.map { "\($0) \($0.blame)" }
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
        #expect(OrchestrationError.Code.decisionRequired.number == 501)
        #expect(OrchestrationError.Code.internal.number == 902)
        #expect(OrchestrationError.errorDomain == "Orchestration.OrchestrationError")
    }

    @Test func `the article lists every error code with its blame`() throws {
        #expect(
            try Self.rows(of: "Errors").sorted() == OrchestrationError.Code.all.map { "\($0) \($0.blame)" }.sorted())
    }

    @Test func `the article lists every cause of an aborted flow with its blame`() throws {
        let causes = Self.unique(AbortCause.all.map { "\(Self.name($0)) \($0.blame)" })
        #expect(try Self.rows(of: "Aborted flows").sorted() == causes)
        #expect(try Self.cases(of: "AbortCause", in: "Orchestrator/Flows/AbortCause") == Self.names(AbortCause.all))
    }

    @Test func `the article lists every other reason, which the user can do something about`() throws {
        func expect<Reason>(_ heading: String, _ reasons: [Reason], _ file: String) throws {
            let rows = try Self.rows(of: heading)
            #expect(rows.sorted() == Self.unique(reasons.map { "\(Self.name($0)) user" }), "\(heading)")
            #expect(try Self.cases(of: "\(Reason.self)", in: file) == Self.names(reasons), "\(heading)")
        }
        try expect("Outdated flows", OutdatedReason.allCases, "Orchestrator/Flows/AbortCause")
        try expect("Refused input", InputRejection.all, "Providers/Prompts/InputRejection")
        try expect("Unsuitable passwords", PasswordFault.all, "Password/Rules/PasswordFault")
        try expect(
            "Activation passwords", ActivationPasswordRejection.all, "Activation/ActivationPasswordRejection")
        try expect("Providers", UserAuthenticationError.allCases, "Providers/UserAuthenticationProvider")
    }

    @Test func `the article lists every warning with its blame`() throws {
        let warnings = Warning.Code.all.map { "\(Self.name($0)) \($0.blame)" }
        #expect(try Self.rows(of: "Warnings").sorted() == warnings.sorted())
        let source = try Self.source("Orchestrator/Errors/Warning")
        let declared = source.matches(of: /public static (?:var|func) (\w+)[^\n]*Code/).map { String($0.1) }
        #expect(declared.sorted() == Self.names(Warning.Code.all))
    }

    @Test func `every row of the article says what it means and what to do`() throws {
        let cells = try Self.article().matches(of: /\| `\w+` \| \w+ \| ([^|\n]+) \| ([^|\n]+) \|/)
        let rows = try Self.article().matches(of: /\n\| `\w/)
        #expect(cells.count == rows.count)
        for row in cells { #expect(row.1.count > 10 && row.2.count > 5, "\(row.0)") }
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
    private static func article() throws -> String {
        let file = root.appending(path: "DocC/Orchestration.docc/Client/ErrorsAndWarnings.md")
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// Returns the names and blames of the table under a heading.
    private static func rows(of heading: String) throws -> [String] {
        let sections = try article().components(separatedBy: "\n### ")
        let section = try #require(sections.first { $0.hasPrefix(heading + "\n") }, "no section \(heading)")
        return section.matches(of: /\n\| `(\w+)` \| (\w+) \|/).map { "\($0.1) \($0.2)" }
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
