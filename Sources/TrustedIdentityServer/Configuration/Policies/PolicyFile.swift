public import TrustedIdentity

/// A policy file: a policy as YAML.
///
/// ```swift
/// let policy = try PolicyFile.policy(in: text)
/// ```
///
/// The article <doc:PoliciesAndRisk> describes the format. Values are read as text, because no number may be converted
/// to floating point.
public enum PolicyFile {
    /// The maximum size of a file, in bytes.
    public static let maximumBytes = 64 * 1024

    /// The default policy as a file: ``/TrustedIdentity/Policy/default``.
    public static let standard = String(decoding: PackageResources.default_yaml, as: UTF8.self)

    /// Reads a policy. Parts that the file does not name are as in ``/TrustedIdentity/Policy/default``.
    ///
    /// - Parameter text: The content of the file, at most 64 KiB.
    /// - Returns: The policy.
    /// - Throws: ``PolicyFileError`` with all problems of the file. A text that is not YAML results in one problem, the
    ///   first.
    public static func policy(in text: String) throws(PolicyFileError) -> Policy { try content(of: text).policy }

    /// Reads a policy, and the parts of its file that are allowed and have no effect.
    ///
    /// - Returns: The policy, and the warnings in the order of their places.
    /// - Throws: As ``policy(in:)``.
    package static func content(
        of text: String
    ) throws(PolicyFileError) -> (policy: Policy, warnings: [PolicyFileError.Problem]) {
        let root: YAMLNode
        do {
            root = try YAMLDocument.root(of: text, content: "a policy", maximumBytes: maximumBytes)
        } catch {
            throw PolicyFileError([.init(error.place, error.message)])
        }
        var reader = PolicyFileReader()
        let policy = reader.policy(root)
        guard let policy, reader.problems.isEmpty else { throw PolicyFileError(reader.problems) }
        return (policy, PolicyFileError(reader.warnings).problems)
    }

    /// Reads a duration: `90s`, `10m`, `1h` or `7d`.
    ///
    /// - Returns: `nil` for another form. A number has at most nine digits.
    package static func duration(_ text: String) -> Duration? {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        let digits = text.dropLast()
        guard let unit = text.last.flatMap({ units[$0] }), (1...9).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (48...57).contains($0) }), let count = Int(digits)
        else { return nil }
        return .seconds(count * unit)
    }
}

/// The problems of a policy file, in the order of their places.
public struct PolicyFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A problem and its place.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The line, from 1.
        public let line: Int
        /// The column in Unicode scalars, from 1.
        public let column: Int
        /// The description of the problem, and the recovery. It may repeat up to 40 characters of the file.
        public let message: String

        /// The place and the message, such as `3:7: unknown key 'amout': did you mean 'amount'?`.
        public var description: String { "\(line):\(column): \(message)" }

        init(line: Int, column: Int, _ message: String) {
            self.line = line
            self.column = column
            self.message = message
        }

        init(_ place: YAMLNode.Place, _ message: String) {
            self.init(line: place.line, column: place.column, message)
        }
    }

    /// The problems, one or more.
    public let problems: [Problem]

    /// The problems, one on each line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }

    init(_ problems: [Problem]) {
        self.problems = problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }
}
