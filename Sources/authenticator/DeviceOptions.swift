import ArgumentParser
import CommandLine
import Orchestration
import OrchestrationHTTP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The user of a command.
struct UserArgument: ParsableArguments {
    @Argument(help: "The user, or user@domain.")
    var user: String
}

/// The source of the user's password.
struct PasswordOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read the password from this open descriptor, not from the terminal.", valueName: "n"))
    var passwordFd: Int32?

    @Flag(help: "Ask for the password with a keypad of digits at random places.")
    var keypad = false

    mutating func validate() throws {
        guard !keypad || passwordFd == nil else {
            throw ValidationError("--keypad asks at the terminal; leave out --password-fd")
        }
        try SecretInput.checkIsOpen(passwordFd, option: "--password-fd")
    }
}

/// The options of each command that uses the store of this device.
struct DeviceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The base address of the platform, for commands that talk to it. Default: the one in the store, which the \
            activation of its first user has written, or http://127.0.0.1:8080.
            """, valueName: "url"))
    var platform: String?

    @Option(
        help: ArgumentHelp(
            "The folder of the store. Default: $XDG_DATA_HOME/authenticator, or ~/.local/share/authenticator.",
            valueName: "dir"))
    var store: String?

    @Flag(help: "Print JSON on one line.")
    var json = false

    @Option(
        help: ArgumentHelp("Append a transcript of each flow to this file, for support.", valueName: "file"))
    var transcript: String?

    @Option(help: "The tenant at the platform.")
    var tenant = "default"

    @Option(help: "The domain of users that are given without @domain.")
    var domain = "master"
}

/// A provider that checks no person, for a computer without a sensor.
private struct UncheckedUser: UserCheckProvider {
    let method: AuthenticationMethod

    func availability() async -> Availability { .available }

    func check(_ prompt: Prompt) async throws -> UserCheck { .recognized }
}

extension PasswordOptions {
    /// The provider that asks for the password.
    var provider: any PasswordProvider {
        if let passwordFd { return FileDescriptorPasswordProvider(descriptor: passwordFd) }
        return keypad ? TerminalKeypadProvider() : TerminalPasswordProvider()
    }
}

extension DeviceOptions {
    /// Creates the orchestrator with the store of this device. This is the composition root of the program.
    ///
    /// - Parameters:
    ///   - password: The source of the password; `nil` for a command that needs none.
    ///   - enrolling: Whether the command enrolls a method.
    func orchestrator(_ password: PasswordOptions? = nil, enrolling: Bool = false) async throws -> Orchestrator {
        try await orchestrator(
            password, transport: try transport(), methods: try softwareKeys(enrolling: enrolling))
    }

    /// Creates an orchestrator that sends nothing, for commands that only read. If the store has no folder, none is
    /// created.
    func unconnectedOrchestrator() async throws -> Orchestrator {
        let unconnected = RelayTransport()
        unconnected.finish()
        return try await orchestrator(transport: unconnected, creating: false)
    }

    private func orchestrator(
        _ password: PasswordOptions? = nil, transport: any Transport, methods: [any UserAuthenticationProvider] = [],
        creating: Bool = true
    ) async throws -> Orchestrator {
        let directory = try storeDirectory()
        let isEmpty = !creating && !FileManager.default.fileExists(atPath: directory)
        let store: any SecureStore = isEmpty ? MemoryStore() : try FileStore(directory: directory)
        let salts = try Salts(authenticator: Self.authenticatorSalt, storage: Self.storageSalt)
        return try await Orchestrator(
            configuration: Configuration(salts: salts, domain: domain, tenant: tenant, deviceName: "authenticator"),
            transport: transport,
            providers: [password?.provider ?? TerminalPasswordProvider()] + methods,
            store: store, recorder: transcript.map { try TranscriptFile(path: $0).recorder })
    }

    /// Returns the address of the platform: the option's address, otherwise the address in the store.
    func platformAddress() throws -> String { try platform ?? keptPlatform() ?? "http://127.0.0.1:8080" }

    /// Stores the platform's address in the store's folder before the first user is activated. For a user of another
    /// platform, each command needs the option.
    func keepPlatform() async throws {
        let address = try platformAddress()
        let users = try await FileStore(directory: try storeDirectory()).names().filter { $0.text.hasPrefix("user-") }
        guard users.isEmpty else {
            if let kept = try keptPlatform(), kept != address {
                StandardStream.error.print("note: the store keeps the platform \(kept); give --platform for this user")
            }
            return
        }
        do {
            try Data((address + "\n").utf8).write(to: try platformFile(), options: .atomic)
        } catch {
            StandardStream.error.print("warning: the store cannot keep the platform; give --platform to each command")
        }
    }

    private func keptPlatform() throws -> String? {
        FileManager.default.contents(atPath: try platformFile().path)
            .flatMap { String(decoding: $0.prefix(2_048), as: UTF8.self).split(separator: "\n").first.map(String.init) }
    }

    private func platformFile() throws -> URL { URL(fileURLWithPath: try storeDirectory() + "/platform") }

    private func transport() throws -> HTTPTransport {
        let platform = try platformAddress()
        guard let url = URL(string: platform) else {
            throw ErrorReport(.usage, "'\(platform)' is not an address", hint: "for example https://id.example.com")
        }
        do {
            return try HTTPTransport(endpoint: url)
        } catch {
            throw ErrorReport(
                .usage, "'\(platform)' cannot be the platform's address",
                hint: "an https address, or http to this machine, without user, query and fragment")
        }
    }

    /// Returns the providers of software keys, in a folder next to the store. Without the folder, the list is empty
    /// unless a method is being enrolled.
    private func softwareKeys(enrolling: Bool) throws -> [any UserAuthenticationProvider] {
        let folder = URL(fileURLWithPath: try storeDirectory() + ".software-keys", isDirectory: true)
        guard enrolling || FileManager.default.fileExists(atPath: folder.path) else { return [] }
        let methods: [AuthenticationMethod] = [.biometric, .face]
        return try methods.map { try UncheckedUser(method: $0).keepingKeys(in: folder) }
    }

    private func storeDirectory() throws -> String {
        if let store { return store }
        let environment = ProcessInfo.processInfo.environment
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/authenticator" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/share/authenticator" }
        throw ErrorReport(.usage, "there is no home folder to keep the store in", hint: "name a folder with --store")
    }

    // The constants of this app (see `Salts`), made once at random. They separate the keys of this app from the keys of
    // other apps and are not secret. With other values, the stores of this program could not be read.
    private static let authenticatorSalt: [UInt8] = [
        0x4E, 0xDA, 0x87, 0x63, 0x88, 0xE1, 0x94, 0xB7, 0xBD, 0x64, 0xD5, 0x38, 0xA4, 0x40, 0x73, 0x04,
        0x50, 0x63, 0x92, 0x60, 0xA2, 0xCA, 0xD0, 0x21, 0x5E, 0xDC, 0x23, 0x83, 0x0F, 0x14, 0xC3, 0x2E,
    ]
    private static let storageSalt: [UInt8] = [
        0x84, 0x12, 0xCC, 0x98, 0xD3, 0xB9, 0x84, 0xBE, 0xAA, 0x0E, 0x01, 0x1E, 0xB7, 0x50, 0xCF, 0xB9,
        0xEE, 0xEF, 0x92, 0xDD, 0x36, 0x65, 0xD9, 0x23, 0xC2, 0x60, 0xC8, 0x4C, 0xC8, 0x8D, 0xB3, 0xA8,
    ]
}
