import Foundation

/// The check of JSON values against the part of JSON Schema (2020-12) that `openapi.json` uses.
///
/// It is stricter than JSON Schema: a member that no schema describes is a problem, and so is a keyword that the check
/// does not know.
struct SchemaCheck {
    /// The keywords that say nothing about a value.
    private static let notes: Set<String> = ["description", "title", "default"]

    /// The document that the references of the schemas name parts of.
    let document: JSONValue

    /// Returns the problems of a value, each with the path of the value; none for a value that has the schema.
    func problems(_ value: JSONValue, _ schema: JSONValue, at path: String = "$") -> [String] {
        guard let keywords = schema.object else { return ["\(path): the schema is no object"] }
        if let name = keywords["$ref"]?.text {
            guard let target = resolve(name) else { return ["\(path): \(name) does not exist"] }
            return problems(value, target, at: path)
        }
        var found = keywords.flatMap { check(value, $0.key, $0.value, keywords, at: path) }
        if let members = value.object, let properties = keywords["properties"]?.object {
            found += members.keys.filter { properties[$0] == nil }.map { "\(path): \($0) is not described" }
        }
        return found
    }

    /// Returns the part of the document that a reference of the form `#/a/b` names.
    func resolve(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#/") else { return nil }
        return reference.dropFirst(2).split(separator: "/").reduce(document) { part, name in part?[String(name)] }
    }

    private func check(
        _ value: JSONValue, _ keyword: String, _ limit: JSONValue, _ keywords: [String: JSONValue], at path: String
    ) -> [String] {
        func require(_ isMet: Bool) -> [String] { isMet ? [] : ["\(path): \(value) against \(keyword) \(limit)"] }
        switch keyword {
        case "type": return require((limit.text.map { [$0] } ?? limit.texts).contains { Self.matches(value, $0) })
        case "const": return require(value == limit)
        case "enum": return require(limit.array?.contains(value) ?? false)
        case "minimum": return require(value.number.map { $0 >= limit.number ?? .infinity } ?? true)
        case "maximum": return require(value.number.map { $0 <= limit.number ?? -.infinity } ?? true)
        case "minLength": return require(value.text.map { $0.unicodeScalars.count >= Self.count(limit) } ?? true)
        case "maxLength": return require(value.text.map { $0.unicodeScalars.count <= Self.count(limit) } ?? true)
        case "minItems": return require(value.array.map { $0.count >= Self.count(limit) } ?? true)
        case "maxItems": return require(value.array.map { $0.count <= Self.count(limit) } ?? true)
        case "pattern": return require(value.text.map { Self.matches($0, pattern: limit.text) } ?? true)
        case "format": return require(limit.text == "date-time" && value.text.map(Self.isTime) ?? true)
        case "required":
            guard let members = value.object else { return [] }
            return limit.texts.filter { members[$0] == nil }.map { "\(path): \($0) is missing" }
        case "items":
            return (value.array ?? []).enumerated().flatMap { problems($1, limit, at: "\(path)[\($0)]") }
        case "properties":
            return (value.object ?? [:]).flatMap { name, member in
                limit[name].map { problems(member, $0, at: "\(path).\(name)") } ?? []
            }
        case "anyOf", "oneOf":
            let matches = (limit.array ?? []).count { problems(value, $0, at: path).isEmpty }
            return require(keyword == "anyOf" ? matches > 0 : matches == 1)
        // Members that are not described are problems in any case.
        case "additionalProperties": return limit == .boolean(false) ? [] : ["\(path): \(keyword) \(limit)"]
        case _ where Self.notes.contains(keyword): return []
        default: return ["\(path): the keyword \(keyword) is not known"]
        }
    }

    private static func count(_ limit: JSONValue) -> Int { limit.number.map { Int($0) } ?? -1 }

    private static func matches(_ value: JSONValue, _ type: String) -> Bool {
        switch (value, type) {
        case (.null, "null"), (.boolean, "boolean"), (.number, "number"), (.text, "string"), (.array, "array"),
            (.object, "object"):
            true
        case (.number(let number), "integer"): number == number.rounded()
        default: false
        }
    }

    private static func matches(_ text: String, pattern: String?) -> Bool {
        guard let pattern, let expression = try? Regex(pattern) else { return false }
        return text.contains(expression)
    }

    private static func isTime(_ text: String) -> Bool {
        text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil
    }
}
