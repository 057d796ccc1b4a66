internal import Yams

/// A node of a YAML document (YAML 1.2), with its place. Scalars are text, whatever they look like.
indirect enum YAMLNode {
    /// A place in the file, from 1.
    struct Place {
        let line: Int
        let column: Int
    }

    /// A pair of a mapping.
    struct Pair {
        let key: String
        let place: Place
        let value: YAMLNode
    }

    case scalar(String, Place)
    case sequence([YAMLNode], Place)
    case mapping([Pair], Place)

    var place: Place {
        switch self {
        case .scalar(_, let place), .sequence(_, let place), .mapping(_, let place): place
        }
    }
}

/// The reading of YAML text by Yams, which wraps libyaml.
///
/// Yams loads nodes recursively, expands aliases, and compares keys by their whole content. A file that nests deeply or
/// repeats aliases could therefore exhaust the stack or the time. Such a file is refused before it is parsed.
enum YAMLDocument {
    /// The most columns before the first character of a line that neither indents nor begins an item, and the most flow
    /// collections that are open at a time. Each level of nesting takes at least one.
    private static let maximumNesting = 32

    /// Parses a file that has one document.
    static func root(of text: String) throws(PolicyFileError) -> YAMLNode {
        guard text.utf8.count <= PolicyFile.maximumBytes else {
            throw PolicyFileError([.init(line: 1, column: 1, "the file is too long: use at most 64 KiB")])
        }
        try check(text)
        let parsed: Node?
        do {
            // Yams keeps a pointer into the text. A text of up to 15 bytes has no memory of its own to point to.
            parsed = try Parser(yaml: text + "\n# The end of the file\n", encoding: .utf8).singleRoot()
        } catch let error as YamlError {
            throw PolicyFileError([problem(of: error, in: text)])
        } catch {
            throw PolicyFileError([.init(line: 1, column: 1, "the file cannot be read as YAML")])
        }
        guard let parsed else {
            throw PolicyFileError([.init(line: 1, column: 1, "the file is empty: write a policy")])
        }
        return try node(parsed)
    }

    private static func node(_ node: Node) throws(PolicyFileError) -> YAMLNode {
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
                    throw PolicyFileError([.init(key.place, "a key is not text: write a word")])
                }
                pairs.append(.init(key: text, place: place, value: try self.node(value)))
            }
            return .mapping(pairs, place)
        case .alias:
            throw PolicyFileError([.init(place, "aliases are not supported: write the value out")])
        }
    }

    /// Refuses anchors, aliases and deep nesting. The check looks at characters, not at tokens: a text in quotes may be
    /// refused for what it contains, and nothing else passes.
    private static func check(_ text: String) throws(PolicyFileError) {
        var depth = 0
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let scalars = line.unicodeScalars
            let indentation = scalars.prefix { " \t-?:[{".unicodeScalars.contains($0) }.count
            guard indentation <= maximumNesting else {
                throw PolicyFileError([
                    .init(line: index + 1, column: maximumNesting + 1, "the file is nested too deeply: indent less")
                ])
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
                    guard !beginsToken else {
                        throw PolicyFileError([
                            .init(
                                line: index + 1, column: column + 1,
                                "anchors and aliases are not supported: write the value out")
                        ])
                    }
                default: break
                }
                guard depth <= maximumNesting else {
                    throw PolicyFileError([
                        .init(
                            line: index + 1, column: column + 1,
                            "the file is nested too deeply: close brackets or use fewer")
                    ])
                }
                previous = scalar
            }
        }
    }

    private static func problem(of error: YamlError, in text: String) -> PolicyFileError.Problem {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return .init(line: mark.line, column: mark.column, "this is not YAML: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            let names = keys.map(PolicyFileReader.quoted).joined(separator: ", ")
            return .init(
                line: context.mark.line, column: context.mark.column,
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
}
