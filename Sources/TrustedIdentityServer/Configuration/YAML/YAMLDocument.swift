internal import Yams

/// The reading of YAML text by Yams, which wraps libyaml.
///
/// Yams loads nodes recursively, expands aliases, and compares keys by their whole content. A file that nests deeply or
/// repeats aliases could therefore exhaust the stack or the time. Such a file is refused before it is parsed.
enum YAMLDocument {
    /// The maximum number of columns before the first character of a line that neither indents nor begins an item, and
    /// the maximum number of flow collections that are open at a time. Each level of nesting takes at least one.
    private static let maximumNesting = 32

    /// Parses a file that contains one document.
    ///
    /// - Parameters:
    ///   - text: The content of the file.
    ///   - content: The description of the file's content, for the message about an empty file.
    ///   - maximumBytes: The maximum size, a multiple of 1024.
    static func root(of text: String, content: String, maximumBytes: Int) throws(YAMLProblem) -> YAMLNode {
        guard text.utf8.count <= maximumBytes else {
            throw YAMLProblem(line: 1, column: 1, "the file is too long: use at most \(maximumBytes / 1024) KiB")
        }
        try check(text)
        let parsed: Node?
        do {
            // Yams keeps a pointer into the text. A text of up to 15 bytes has no separate memory to point to.
            parsed = try Parser(yaml: text + "\n# The end of the file\n", encoding: .utf8).singleRoot()
        } catch let error as YamlError {
            throw problem(of: error, in: text)
        } catch {
            throw YAMLProblem(line: 1, column: 1, "the file cannot be read as YAML")
        }
        guard let parsed else {
            throw YAMLProblem(line: 1, column: 1, "the file is empty: write \(content)")
        }
        return try node(parsed)
    }

    private static func node(_ node: Node) throws(YAMLProblem) -> YAMLNode {
        let place = YAMLNode.Place(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
        switch node {
        case .scalar(let scalar):
            return .scalar(scalar.string, place)
        case .sequence(let sequence):
            var nodes: [YAMLNode] = []
            for member in sequence { nodes.append(try self.node(member)) }
            return .sequence(nodes, place)
        case .mapping(let mapping):
            var pairs: [YAMLNode.Pair] = []
            for (key, value) in mapping {
                let key = try self.node(key)
                guard case .scalar(let text, let place) = key else {
                    throw YAMLProblem(key.place, "a key is not text: write a word")
                }
                pairs.append(.init(key: text, place: place, value: try self.node(value)))
            }
            return .mapping(pairs, place)
        case .alias:
            throw YAMLProblem(place, "aliases are not supported: write the value out")
        }
    }

    /// Refuses anchors, aliases and deep nesting. The check looks at characters, not at tokens: a text in quotes may be
    /// refused for what it contains, and nothing else passes.
    private static func check(_ text: String) throws(YAMLProblem) {
        var depth = 0
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let scalars = Array(line.unicodeScalars)
            let indentation = scalars.prefix { " \t-?:[{".unicodeScalars.contains($0) }.count
            guard indentation <= maximumNesting else {
                throw YAMLProblem(
                    line: index + 1, column: maximumNesting + 1, "the file is nested too deeply: indent less")
            }
            var previous: Unicode.Scalar = " "
            for (column, scalar) in scalars.enumerated() {
                let beginsToken = " \t-?:,[{".unicodeScalars.contains(previous)
                // A comment ends the line.
                if scalar == "#", previous == " " || previous == "\t" { break }
                switch scalar {
                case "[", "{": depth += 1
                case "]", "}": depth = max(0, depth - 1)
                case "&", "*":
                    // All names below a host, such as *.push.example. An alias of that name would have no anchor.
                    let isHost = scalar == "*" && scalars.dropFirst(column + 1).first == "."
                    guard !beginsToken || isHost else {
                        throw YAMLProblem(
                            line: index + 1, column: column + 1,
                            "anchors and aliases are not supported: write the value out")
                    }
                default: break
                }
                guard depth <= maximumNesting else {
                    throw YAMLProblem(
                        line: index + 1, column: column + 1,
                        "the file is nested too deeply: close brackets or use fewer")
                }
                previous = scalar
            }
        }
    }

    private static func problem(of error: YamlError, in text: String) -> YAMLProblem {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return .init(line: mark.line, column: mark.column, "this is not YAML: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            let names = keys.map(quoted).joined(separator: ", ")
            let place = keys.first.flatMap { repetition(of: $0, in: text, from: context.mark.line) }
            return .init(
                place ?? .init(line: context.mark.line, column: context.mark.column),
                "the key \(names) occurs more than once in this mapping: keep one")
        case .reader(let problem, let offset, _, _):
            let before = text.prefix(offset ?? 0)
            let line = before.count { $0.isNewline } + 1
            let column = before.reversed().prefix { !$0.isNewline }.count + 1
            return .init(line: line, column: column, "this is not YAML: \(problem)")
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            return .init(line: 1, column: 1, "the file cannot be read as YAML")
        }
    }

    /// Returns the place of a key that a mapping repeats, or nil if the keys are not on separate lines.
    ///
    /// Yams gives only the place where the mapping begins.
    private static func repetition(of key: String, in text: String, from line: Int) -> YAMLNode.Place? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().dropFirst(line - 1)
        let places = lines.compactMap { index, line -> YAMLNode.Place? in
            let content = line.drop { $0 == " " }
            guard content.hasPrefix(key), content.dropFirst(key.count).drop(while: { $0 == " " }).first == ":" else {
                return nil
            }
            return YAMLNode.Place(line: index + 1, column: line.count - content.count + 1)
        }
        return places.dropFirst().first { $0.column == places[0].column }
    }
}

/// Returns at most 40 characters of a text in quotes. Control characters become question marks.
func quoted(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(40).map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate: "?"
        default: String(scalar)
        }
    }.joined()
    return "'\(shown)\(text.unicodeScalars.count > 40 ? "…" : "")'"
}
