internal import ArgumentParser
internal import Primitives
internal import TrustedIdentityServer

/// The flags of the settings. ``Setting/all`` contains their names: a flag is defined together with its setting.
struct ServerOptions: ParsableArguments {
    /// The part of a command's help that lists the flags.
    static let help =
        "A flag goes before an environment variable, and a variable before the file of --config. The flags, with their defaults:\n\n"
        + Setting.all.map { "\($0.flag) (\($0.defaultText ?? "none")): \($0.help)." }.joined(separator: "\n")

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("A setting, such as --listen 127.0.0.1:8080.", valueName: "--setting value"))
    var arguments: [String] = []

    /// The values by the keys of their settings.
    private(set) var flags: [String: String] = [:]

    private enum CodingKeys: CodingKey {
        case arguments
    }

    mutating func validate() throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else { throw ValidationError("unexpected argument '\(argument)'") }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let setting = Setting.all.first(where: { $0.flag == parts[0] }) else {
                let known = Setting.all.map(\.flag)
                throw ValidationError(
                    "unknown option '\(parts[0])': \(SimilarWord.suggestion(for: parts[0], in: known))")
            }
            guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
                throw ValidationError("missing value for '\(setting.flag)'")
            }
            flags[setting.key] = value
        }
    }
}
