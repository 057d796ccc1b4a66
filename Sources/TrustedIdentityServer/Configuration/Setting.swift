internal import Logging
internal import Primitives
internal import TrustedIdentity

/// A setting of an installation: its names, and the reading of its text.
package struct Setting: Sendable {
    /// The prefix of all environment variables of settings.
    package static let environmentPrefix = "TRUSTED_IDENTITY_"

    /// The key in the file, with a dot before a key of a nested mapping: `pin-policy.tries`.
    package let key: String

    /// The fields of the configuration that the setting sets, such as `platform.challengeLifetime`.
    package let fields: [String]

    /// The form and the limits of a value, for people.
    package let limits: String

    /// The meaning, for people.
    package let help: String

    /// Whether a value may hold a key by mistake. Such a value is never shown.
    let isSensitive: Bool

    /// Returns a value from the file with its path made relative to the folder of that file.
    let resolved: @Sendable (_ text: String, _ folder: String) -> String

    /// Reads a value into a draft. Returns the problem of a value in another form.
    let read: @Sendable (_ text: String, _ draft: inout ConfigurationDraft) -> String?

    /// Returns the value of a draft as text, or nil for none.
    let text: @Sendable (_ draft: ConfigurationDraft) -> String?

    /// The flag: `--pin-policy-tries`.
    package var flag: String { "--" + key.map { $0 == "." ? "-" : String($0) }.joined() }

    /// The environment variable: `TRUSTED_IDENTITY_PIN_POLICY_TRIES`.
    package var environmentName: String {
        Self.environmentPrefix + key.map { $0 == "." || $0 == "-" ? "_" : $0.uppercased() }.joined()
    }

    /// The default as text, or nil for none.
    package var defaultText: String? { text(ConfigurationDraft()) }

    /// A configuration file with every setting and its default. A setting without a default is a comment.
    package static var template: String {
        var text = """
            # The configuration of trusted-identity. Leave out what stays as it is. Relative paths are relative to the folder of
            # this file. `trusted-identity config check --config FILE` checks it.

            """
        var group: Substring?
        for setting in all {
            let parts = setting.key.split(separator: ".")
            let parent = parts.count > 1 ? parts[0] : nil
            let indent = parent == nil ? "" : "  "
            if parent != group || parent == nil { text += "\n" }
            if let parent, parent != group { text += "\(parent):\n" }
            group = parent
            text += "\(indent)# \(setting.help.prefix(1).uppercased() + setting.help.dropFirst()).\n"
            text += "\(indent)# Use \(setting.limits).\n"
            let isSet = setting.defaultText != nil
            text += "\(indent)\(isSet ? "" : "# ")\(parts[parts.count - 1]): \(setting.defaultText ?? "PATH")\n"
        }
        return text
    }

    /// Creates a setting.
    init(
        _ key: String, fields: [String], limits: String, help: String, isSensitive: Bool = false,
        resolved: @escaping @Sendable (String, String) -> String = { text, _ in text },
        read: @escaping @Sendable (String, inout ConfigurationDraft) -> String?,
        text: @escaping @Sendable (ConfigurationDraft) -> String?
    ) {
        self.key = key
        self.fields = fields
        self.limits = limits
        self.help = help
        self.isSensitive = isSensitive
        self.resolved = resolved
        self.read = read
        self.text = text
    }

    /// Returns the problem of a value, regardless of the other settings, or nil.
    func problem(in value: String) -> String? {
        guard !value.isEmpty else { return "the value is missing: use \(limits)" }
        var draft = ConfigurationDraft()
        if let problem = read(value, &draft) { return problem }
        return draft.fieldsOutsideLimits.isDisjoint(with: fields)
            ? nil : "\(quoted(value)) is outside of the limits: use \(limits)"
    }
}

// The kinds of settings.
extension Setting {
    typealias Path<Value> = WritableKeyPath<ConfigurationDraft, Value> & Sendable

    /// Returns a setting that is a text with the limits of its field.
    static func text(_ key: String, _ field: String, _ path: any Path<String>, _ help: String) -> Setting {
        Setting(key, fields: [field], limits: limits(field), help: help) { value, draft in
            draft[keyPath: path] = value
            return nil
        } text: {
            $0[keyPath: path]
        }
    }

    /// Returns a setting that is a path.
    static func path(_ key: String, _ field: String, _ path: any Path<String?>, _ help: String) -> Setting {
        Setting(key, fields: [field], limits: "a path", help: help, resolved: PathResolution.path) { value, draft in
            guard !value.utf8.contains(0) else { return "this is no path" }
            draft[keyPath: path] = value
            return nil
        } text: {
            $0[keyPath: path]
        }
    }

    /// Returns a setting that is the path of a file, or `none`.
    static func file(_ key: String, _ field: String, _ path: any Path<String?>, _ help: String) -> Setting {
        Setting(
            key, fields: [field], limits: "none or a path", help: help,
            resolved: { text, folder in text == "none" ? text : PathResolution.path(text, folder) }
        ) { value, draft in
            guard !value.utf8.contains(0) else { return "this is no path" }
            draft[keyPath: path] = value == "none" ? nil : value
            return nil
        } text: {
            $0[keyPath: path] ?? "none"
        }
    }

    /// Returns a setting that is a whole number with the limits of its field.
    static func number(_ key: String, _ field: String, _ path: any Path<Int>, _ help: String) -> Setting {
        Setting(key, fields: [field], limits: limits(field), help: help) { value, draft in
            // Int also reads a sign.
            guard value.utf8.count <= 9, value.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(value)
            else { return "\(quoted(value)) is no whole number: use \(limits(field))" }
            draft[keyPath: path] = number
            return nil
        } text: {
            "\($0[keyPath: path])"
        }
    }

    /// Returns a setting that is a duration with the limits of its field.
    static func duration(_ key: String, _ field: String, _ path: any Path<Duration>, _ help: String) -> Setting {
        Setting(key, fields: [field], limits: limits(field), help: help) { value, draft in
            guard let duration = PolicyFile.duration(value) else {
                return "\(quoted(value)) is no duration: write '90s', '10m', '1h' or '7d', for example"
            }
            draft[keyPath: path] = duration
            return nil
        } text: {
            $0[keyPath: path].unitText
        }
    }

    /// Returns a setting that is one of several words.
    static func choice<Value: CaseIterable & RawRepresentable<String> & Sendable & SendableMetatype>(
        _ key: String, _ field: String, _ path: any Path<Value>, _ help: String
    ) -> Setting {
        let words = Value.allCases.map(\.rawValue)
        let limits = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        return Setting(key, fields: [field], limits: limits, help: help) { value, draft in
            guard let choice = Value(rawValue: value) else {
                return "\(quoted(value)) is not allowed here: use \(limits)"
            }
            draft[keyPath: path] = choice
            return nil
        } text: {
            $0[keyPath: path].rawValue
        }
    }

    /// Returns a setting that is a list with commas between its elements, or `none`.
    ///
    /// - Parameters:
    ///   - problem: The problem of a text that is not an element, after the text.
    ///   - element: Returns an element from its text.
    static func list<Element: CustomStringConvertible & SendableMetatype>(
        _ key: String, _ field: String, _ path: any Path<[Element]>, limits: String, help: String, problem: String,
        element: @escaping @Sendable (String) -> Element?
    ) -> Setting {
        Setting(key, fields: [field], limits: limits, help: help) { value, draft in
            var elements: [Element] = []
            if value != "none" {
                for text in value.split(separator: ",", omittingEmptySubsequences: false) {
                    let name = String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
                    guard let element = element(name) else { return "\(quoted(name)) \(problem)" }
                    elements.append(element)
                }
            }
            draft[keyPath: path] = elements
            return nil
        } text: {
            let elements = $0[keyPath: path]
            return elements.isEmpty ? "none" : elements.map(\.description).joined(separator: ",")
        }
    }

    /// Returns a setting that is `true` or `false`.
    static func truth(_ key: String, _ field: String, _ path: any Path<Bool>, _ help: String) -> Setting {
        Setting(key, fields: [field], limits: "true or false", help: help) { value, draft in
            guard let truth = Bool(value) else { return "\(quoted(value)) is not allowed here: use true or false" }
            draft[keyPath: path] = truth
            return nil
        } text: {
            "\($0[keyPath: path])"
        }
    }

    /// Returns a setting that is the place of a key. The message about another form does not repeat the value.
    static func keySource(_ key: String, _ field: String, _ path: any Path<KeySource>, _ help: String) -> Setting {
        Setting(
            key, fields: [field], limits: KeySource.forms, help: help, isSensitive: true,
            resolved: PathResolution.keySource
        ) { value, draft in
            guard let source = KeySource(value) else {
                return "this is no source of a key: use \(KeySource.forms). The key itself is never a value"
            }
            draft[keyPath: path] = source
            return nil
        } text: {
            $0[keyPath: path].description
        }
    }

    private static func limits(_ field: String) -> String { ConfigurationDraft.limits[field] ?? "a text" }
}

/// Paths in a file are relative to the folder of the file, which means the file has the same meaning in each working
/// folder.
enum PathResolution {
    @Sendable static func path(_ text: String, _ folder: String) -> String {
        text.hasPrefix("/") || folder.isEmpty ? text : "\(folder)/\(text)"
    }

    @Sendable static func keySource(_ text: String, _ folder: String) -> String {
        guard case .file(let name)? = KeySource(text) else { return text }
        return KeySource.file(path(name, folder)).description
    }
}
