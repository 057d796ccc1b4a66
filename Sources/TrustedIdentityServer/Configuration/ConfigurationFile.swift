internal import Primitives

/// The settings in a configuration file, with their places, and the problems of the file.
///
/// The file is YAML. Each value is text until its setting reads it.
package struct ConfigurationFile: Sendable {
    /// The maximum size of a file, in bytes.
    package static let maximumBytes = 256 * 1024

    private let path: String
    private(set) var values: [String: String] = [:]
    private(set) var problems: [ConfigurationError.Problem] = []
    private var places: [String: ConfigurationPlace] = [:]

    /// Reads the settings. A text that is not YAML results in one problem, the first.
    ///
    /// - Parameters:
    ///   - path: The path for the places of problems. Paths in the file are relative to its folder.
    ///   - text: The content, at most ``maximumBytes``.
    package init(path: String, text: String) {
        self.path = path
        do {
            add(
                try YAMLDocument.root(of: text, content: "'KEY: VALUE'", maximumBytes: Self.maximumBytes), in: "")
        } catch {
            refuse(error.place, error.message)
        }
    }

    /// Returns the place of a setting's value.
    func place(of key: String) -> ConfigurationPlace { places[key] ?? .standard }

    /// Adds the pairs of a mapping.
    ///
    /// - Parameter section: The key of the mapping with a dot, or an empty text for the whole file.
    private mutating func add(_ node: YAMLNode, in section: String) {
        let known = Self.keys(in: section)
        guard case .mapping(let pairs, _) = node else {
            return refuse(
                node.place, "this is not a mapping: write 'KEY: VALUE' with the keys \(known.joined(separator: ", "))")
        }
        for pair in pairs {
            let key = section + pair.key
            // A key with a dot is not a known key, although the keys of settings contain dots.
            if !known.contains(pair.key) {
                let hint = SimilarWord.suggestion(for: pair.key, in: known)
                refuse(pair.place, "unknown key \(quoted(pair.key)): \(hint)")
            } else if let setting = Setting.all.first(where: { $0.key == key }) {
                add(pair.value, for: setting)
            } else {
                add(pair.value, in: key + ".")
            }
        }
    }

    private mutating func add(_ node: YAMLNode, for setting: Setting) {
        guard case .scalar(let text, let place) = node else {
            return refuse(node.place, "\(setting.key): this is not a single value: use \(setting.limits)")
        }
        values[setting.key] = setting.resolved(text, folder)
        places[setting.key] = .file(path, line: place.line, column: place.column)
    }

    private mutating func refuse(_ place: YAMLNode.Place, _ message: String) {
        problems.append(.init(place: .file(path, line: place.line, column: place.column), message: message))
    }

    private var folder: String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ""
    }

    /// Returns the keys of a mapping: the keys of settings, and the keys of nested mappings.
    private static func keys(in section: String) -> [String] {
        var keys: [String] = []
        for setting in Setting.all where setting.key.hasPrefix(section) {
            let key = String(setting.key.dropFirst(section.count).prefix { $0 != "." })
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }
}
