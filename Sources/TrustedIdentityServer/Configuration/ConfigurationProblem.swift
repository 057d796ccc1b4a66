/// The place of a value of a configuration.
package enum ConfigurationPlace: Sendable, Hashable, CustomStringConvertible {
    /// A flag, such as `--listen`.
    case flag(String)
    /// An environment variable.
    case environment(String)
    /// A line and a column of a file, from 1.
    case file(String, line: Int, column: Int)
    /// No place: the value is the default.
    case standard

    /// The place for an error: the flag, the variable, or the file with line and column.
    package var description: String {
        switch self {
        case .flag(let name), .environment(let name): name
        case .file(let path, let line, let column): "\(path):\(line):\(column)"
        case .standard: "default"
        }
    }

    /// The place as a source of a value.
    package var source: String {
        switch self {
        case .flag(let name): "flag \(name)"
        case .environment(let name): "environment \(name)"
        case .file(let path, let line, _): "\(path):\(line)"
        case .standard: "default"
        }
    }

    /// The order in which problems are listed: flags, variables, the file by its lines.
    fileprivate var rank: (Int, String, Int, Int) {
        switch self {
        case .standard: (0, "", 0, 0)
        case .flag(let name): (1, name, 0, 0)
        case .environment(let name): (2, name, 0, 0)
        case .file(_, let line, let column): (3, "", line, column)
        }
    }
}

/// The problems of a configuration, one or more, in the order of their places.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A problem and its place.
    package struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The place of the value.
        package let place: ConfigurationPlace
        /// The description of the problem, and the recovery. It may repeat up to 40 characters of a value, but never of
        /// a setting that names a key.
        package let message: String

        /// The place and the message.
        package var description: String { "\(place): \(message)" }
    }

    /// The problems.
    package let problems: [Problem]

    /// The path of the policy file that the configuration names. The problems of that file are reported separately.
    package let policyFile: String?

    /// The problems, one on each line.
    package var description: String { problems.map(\.description).joined(separator: "\n") }

    init(_ problems: [Problem], policyFile: String?) {
        self.policyFile = policyFile
        self.problems = problems.sorted { $0.place.rank < $1.place.rank }
    }
}
