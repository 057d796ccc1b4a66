/// A node of a YAML document (YAML 1.2), with its place. Scalars are text, regardless of their form.
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

/// The first problem of a file that is not a document, and its place.
struct YAMLProblem: Error {
    let place: YAMLNode.Place
    let message: String

    init(line: Int, column: Int, _ message: String) {
        place = YAMLNode.Place(line: line, column: column)
        self.message = message
    }

    init(_ place: YAMLNode.Place, _ message: String) {
        self.place = place
        self.message = message
    }
}
