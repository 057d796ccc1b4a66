import Foundation

/// The article "REST reference", read as tables.
struct RESTReference {
    /// A row of a table of fields.
    struct Field {
        let name: String
        let type: String
        let isRequired: Bool
    }

    /// The section of a route.
    struct Route: CustomStringConvertible {
        let method: String
        let path: String
        let scopes: Set<String>
        let request: [Field]
        let reply: [Field]
        let errors: Set<Int>

        var description: String { "\(method) \(path)" }
    }

    let routes: [Route]

    /// Reads the article.
    static func load() throws -> RESTReference {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "DocC/Orchestration.docc/Platform/RESTReference.md"), encoding: .utf8)
        return RESTReference(page)
    }

    init(_ page: String) {
        let sections = page.components(separatedBy: "\n### ")
        let common = sections.first { $0.hasPrefix("Common fields") }.map(Self.fields) ?? []
        routes = sections.compactMap { section in
            guard let heading = section.firstMatch(of: /^`([A-Z]+) ([^`]+)`/) else { return nil }
            let parts = section.components(separatedBy: "\nReply")
            let request = parts[0].contains("\nRequest") ? Self.fields(parts[0]) : []
            let hasCommonFields = parts[0].contains("\nRequest, with the common fields:")
            let scopes = section.firstMatch(of: /\nScopes: ([^\n]*?)(?:\. |\.\n)/)?.1 ?? ""
            let errors = section.components(separatedBy: "\nErrors: ").dropFirst().joined()
            return Route(
                method: String(heading.1), path: String(heading.2),
                scopes: Set(scopes.matches(of: /`([\w-]+)`/).map { String($0.1) }),
                request: request + (hasCommonFields ? common : []), reply: parts.dropFirst().flatMap(Self.fields),
                errors: Set(errors.matches(of: /-1\d{3}/).compactMap { Int($0.output) }))
        }
    }

    private static func fields(_ text: String) -> [Field] {
        text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count > 3, let name = cells[1].wholeMatch(of: /`([\w.]+)`/) else { return nil }
            return Field(name: String(name.1), type: cells[2], isRequired: cells.contains("required"))
        }
    }
}
