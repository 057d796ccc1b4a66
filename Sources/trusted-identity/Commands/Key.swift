// Public, because the conformance of a public type is public, also in a program.
public import ArgumentParser
internal import CommandLine
public import TrustedIdentity
internal import TrustedIdentityServer

/// `key`: the API keys.
struct Key: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make, list and revoke API keys.",
        subcommands: [KeyCreate.self, KeyList.self, KeyRevoke.self])
}

/// `key create`: creates an API key and shows it once.
struct KeyCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make an API key. It is shown once and stored as a hash.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Option(help: "The part of the REST API that the key opens: app-server, admin or helpdesk.")
    var scope: APIKeyScope

    @Option(help: "The name of the key, 1 to 64 characters: that of the application server, which apps show to users.")
    var name: String

    @Flag(help: "Say that the site shows the number that the user types in the app. For the scope app-server.")
    var showsNumbers = false

    @Option(
        name: .customLong("domain"),
        help: "A domain whose users the key may name. Repeat it for up to 32. Without it, the key may name all users.")
    var domains: [String] = []

    @Option(help: "A TLS client certificate in PEM that is accepted instead of a key. No key is made then.")
    var certificate: String?

    mutating func run() async throws {
        let wish = NewKeyRequest(
            scope: scope, name: name, showsNumbers: showsNumbers, domains: domains,
            certificate: try certificate.map { try InputFile.text($0, limit: 32_768) })
        let administration = try Administration(data: data)
        let made: NewKeyBody = try await administration.send(.post, "v1/keys", wish)
        try StandardStream.output.print(made, asJSON: output.isJSON, else: made.key ?? made.id)
        // A key whose text is lost cannot be used. The id of a certificate is not a key.
        guard let failure = StandardStream.outputFailure, made.key != nil else { return }
        do {
            try await administration.complete(.delete, "v1/keys/\(Administration.segment(made.id))")
        } catch {
            throw ErrorReport(
                .failed, "the key \(made.id) cannot be written to standard output, and is valid: \(failure)",
                hint: "key revoke \(made.id)")
        }
        throw ErrorReport(
            .failed, "the key cannot be written to standard output, and was revoked: \(failure)",
            hint: "make another key")
    }
}

/// `key list`: the API keys, including revoked ones.
struct KeyList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the API keys.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    mutating func run() async throws {
        let list: APIKeyListBody = try await Administration(data: data).send(.get, "v1/keys")
        let keys = list.keys
        if output.isJSON { return try StandardStream.output.print(json: keys) }
        guard !keys.isEmpty else { return }
        let rows = keys.map { key in
            let state = key.revokedAt.map { "revoked \($0.rfc3339)" } ?? (key.isSuspended ? "suspended" : "valid")
            return [key.id, key.scope.rawValue, key.createdAt.rfc3339, state, key.name]
                + (key.showsNumbers ? ["shows numbers"] : [])
                + (key.domains.isEmpty ? [] : ["only " + key.domains.joined(separator: ", ")])
        }
        StandardStream.output.print(Table(rows).text)
    }
}

/// `key revoke`: ends an API key immediately.
struct KeyRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke an API key.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Argument(help: "The id of the key, as listed.")
    var id: String

    mutating func run() async throws {
        try await Administration(data: data).complete(.delete, "v1/keys/\(Administration.segment(id))")
        try output.print(status: "revoked")
    }
}

extension APIKeyScope: ExpressibleByArgument {}
