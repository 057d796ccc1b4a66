// Public, because the conformance of a public type is public, also in a program.
public import ArgumentParser
internal import CommandLine
public import TrustedIdentity
internal import TrustedIdentityServer

/// `platform-key`: the keys with which the platform signs, and to which devices seal.
struct PlatformKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "platform-key", abstract: "List, replace and publish the keys of the platform.",
        subcommands: [PlatformKeyList.self, PlatformKeyRotate.self, PlatformKeyExport.self])
}

/// `platform-key list`: all keys with their states and times.
struct PlatformKeyList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys, the latest of each kind first.")

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    mutating func run() async throws {
        let keys: [PlatformKeyBody] = try await Administration(data: data).send(.get, "v1/platform-keys")
        try StandardStream.output.print(keys, asJSON: output.isJSON, else: Table(keys).text)
    }
}

/// `platform-key rotate`: creates new keys and the next statement.
struct PlatformKeyRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Replace keys by new ones.",
        discussion: """
            Devices learn of the new keys with their next answer. A replaced sealing key opens all messages for 30 more \
            days, and then only the message by which a device gets the new keys, for at most 400 days. A device that was \
            away for longer has to be activated again. Make a backup afterwards: devices that know the new keys cannot reach \
            a platform that was restored from an earlier one.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    @Option(help: "The keys to replace: signing, sealing, audit or all.")
    var use: PlatformKeyUse

    @Option(help: "Announce the new keys for this number of days, 0 to 366, before they are used.")
    var announceDays = 0

    @OptionGroup var confirmation: Confirmation

    @Flag(help: "Replace the keys although the clock is behind the latest statement, which a wrong clock has made.")
    var ignoreClock = false

    mutating func validate() throws {
        guard (0...366).contains(announceDays) else {
            throw ValidationError("--announce-days must be 0 to 366")
        }
    }

    mutating func run() async throws {
        try confirmation.require(explanation)
        let wish = RotationRequest(
            use: use, startingIn: Int64(announceDays) * 86_400, ignoringClock: ignoreClock)
        let rotation: RotationBody = try await Administration(data: data).send(
            .post, "v1/platform-keys/rotate", wish)
        if output.isJSON { return try StandardStream.output.print(json: rotation) }
        StandardStream.output.print("key statement \(rotation.statement)")
        StandardStream.output.print(Table(rotation.keys).text)
        StandardStream.error.print("make a backup now: an earlier one lacks the new keys")
    }

    /// The text before the confirmation.
    private var explanation: String {
        let keys =
            switch use {
            case .signing: "the signing key"
            case .sealing: "the sealing keys of all suites"
            case .audit: "the key that signs checkpoints of the audit log"
            case .all:
                "the signing key, the sealing keys of all suites and the key that signs checkpoints of the audit log"
            }
        let start = announceDays == 0 ? "at once" : "in \(announceDays) days"
        return """
            This replaces \(keys). The new ones are in use \(start), and the next key statement lists them. It cannot be \
            undone. Type yes to go on:
            """
    }
}

/// `platform-key export`: writes the statements.
struct PlatformKeyExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all key statements as JSON, in the form of a page of GET /v1/platform-keys.",
        discussion: """
            A verifier of signatures of the platform needs the fingerprint of a recent statement from you, and the \
            statements from anywhere. The fingerprint of an old statement does not protect against a stolen key that has \
            been replaced since.
            """)

    @OptionGroup var data: DataOption

    mutating func run() async throws {
        let body: PlatformKeysBody = try await Administration(data: data).send(.get, "v1/platform-keys/statements")
        try StandardStream.output.print(json: body)
    }
}

extension PlatformKeyUse: ExpressibleByArgument {}

extension Table {
    /// Creates the table of keys.
    fileprivate init(_ keys: [PlatformKeyBody]) {
        self.init(
            keys.map { key in
                // The first keys have no start time.
                let start = key.notBefore.hasPrefix("1970-01-01T00:00:00") ? "-" : key.notBefore
                return [key.kid, key.use, key.algorithm, key.state, start, key.notAfter ?? "-"]
            })
    }
}
