internal import Configuration
internal import Primitives
internal import Synchronization
internal import TrustedIdentity

/// The reader of a configuration from flags, environment variables and a file, in this order of precedence.
///
/// Each source is a swift-configuration provider. The library decides which source provides the value of a setting. The
/// values of every source are checked, even if another source takes precedence, and all problems are reported at once.
package struct ConfigurationReader {
    /// A source with the places of its values.
    private struct Source {
        let provider: any ConfigProvider
        let place: (Setting) -> ConfigurationPlace
    }

    /// The variable that names the file.
    package static let fileVariable = Setting.environmentPrefix + "CONFIG"

    private let sources: [Source]
    private let environment: [String: String]
    private let file: ConfigurationFile?

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - flags: The values of flags, by the keys of their settings.
    ///   - environment: The variables of the process. Variables of other programs are ignored.
    ///   - file: The file, or nil when none is named.
    package init(flags: [String: String] = [:], environment: [String: String] = [:], file: ConfigurationFile? = nil) {
        self.environment = environment.filter { $0.key.hasPrefix(Setting.environmentPrefix) }
        self.file = file
        sources = [
            Source(provider: Self.provider(flags)) { .flag($0.flag) },
            Source(
                provider: EnvironmentVariablesProvider(environmentVariables: self.environment)
                    .prefixKeys(with: ["trusted", "identity"])
            ) { .environment($0.environmentName) },
            Source(provider: Self.provider(file?.values ?? [:])) { file?.place(of: $0.key) ?? .standard },
        ]
    }

    /// Reads the configuration.
    ///
    /// - Returns: The configuration, and each value with its source. The policy is still the default.
    /// - Throws: ``ConfigurationError`` with all problems.
    package func read() throws(ConfigurationError) -> EffectiveConfiguration {
        let recorder = SourceRecorder()
        let reader = ConfigReader(providers: sources.map(\.provider), accessReporter: recorder)
        var problems = file?.problems ?? []
        var draft = ConfigurationDraft()
        var places: [String: ConfigurationPlace] = [:]
        for setting in Setting.all {
            problems += self.problems(of: setting)
            let value = reader.string(forKey: ConfigKey(setting.key), isSecret: setting.isSensitive)
            guard let value, let source = recorder.source(of: setting.key) else { continue }
            places[setting.key] = sources[source].place(setting)
            if setting.problem(in: value) == nil { _ = setting.read(value, &draft) }
        }
        problems += unknownVariables(draft)
        problems += ConfigurationConflicts.problems(of: draft) { places[$0] }
        guard problems.isEmpty, let pinPolicy = draft.checkedPINPolicy else {
            throw ConfigurationError(problems, policyFile: draft.installation.policyFile)
        }
        draft.installation.platform.pinPolicy = pinPolicy
        return EffectiveConfiguration(
            configuration: draft.installation,
            entries: Setting.all.map {
                .init(key: $0.key, value: $0.text(draft), place: places[$0.key] ?? .standard)
            })
    }

    /// Returns the problems of the values that the sources contain for a setting.
    private func problems(of setting: Setting) -> [ConfigurationError.Problem] {
        sources.compactMap { source in
            let value = ConfigReader(provider: source.provider)
                .string(forKey: ConfigKey(setting.key), isSecret: setting.isSensitive)
            guard let value, let problem = setting.problem(in: value) else { return nil }
            let place = source.place(setting)
            // The place of a flag or a variable contains the name of the setting. A line of a file does not.
            if case .file = place { return .init(place: place, message: "\(setting.key): \(problem)") }
            return .init(place: place, message: problem)
        }
    }

    /// Returns the problems of variables with the prefix of the settings that are not settings. Variables that hold
    /// keys can have any name.
    private func unknownVariables(_ draft: ConfigurationDraft) -> [ConfigurationError.Problem] {
        let known = Setting.all.map(\.environmentName) + [Self.fileVariable]
        let installation = draft.installation
        let keys = [installation.masterKey, installation.nextMasterKey].compactMap { source in
            if case .environment(let name) = source { name } else { nil }
        }
        return environment.keys.filter { !known.contains($0) && !keys.contains($0) }.map {
            .init(
                place: .environment($0),
                message: "unknown variable: \(SimilarWord.suggestion(for: $0, in: known))")
        }
    }

    private static func provider(_ values: [String: String]) -> InMemoryProvider {
        InMemoryProvider(
            values: Dictionary(
                uniqueKeysWithValues: values.map { key, value in
                    (AbsoluteConfigKey(ConfigKey(key)), ConfigValue(.string(value), isSecret: false))
                }))
    }
}

/// A configuration and the sources of its values.
package struct EffectiveConfiguration: Sendable {
    /// A setting with its value.
    package struct Entry: Sendable {
        /// The key in the file.
        package let key: String
        /// The value as text, or nil for none. For a platform key, this is the place of the key.
        package let value: String?
        /// The place of the value.
        package let place: ConfigurationPlace
    }

    /// The configuration.
    package var configuration: InstallationConfiguration

    /// All settings, in the order of the documentation.
    package let entries: [Entry]
}

/// A record of the providers that supplied the values.
private final class SourceRecorder: AccessReporter {
    private let sources = Mutex<[String: Int]>([:])

    func report(_ event: AccessEvent) {
        let index = event.providerResults.firstIndex { (try? $0.result.get())?.value != nil }
        sources.withLock { $0[event.metadata.key.components.joined(separator: ".")] = index }
    }

    /// Returns the index of the provider that supplied the latest value of a setting, or nil if none did.
    func source(of key: String) -> Int? { sources.withLock { $0[key] } }
}
