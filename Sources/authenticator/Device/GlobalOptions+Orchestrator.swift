import Orchestration
import OrchestrationHTTP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension GlobalOptions {
    /// The orchestrator on this device's store: the composition root of the program.
    ///
    /// - Parameter passwordDescriptor: where the password is read from; `nil` for the terminal.
    func orchestrator(passwordDescriptor: Int32? = nil) async throws -> Orchestrator {
        try await orchestrator(passwordDescriptor: passwordDescriptor, transport: try transport())
    }

    /// What is in this device's store, for commands that only look: `--platform` is not needed, and not read.
    func storedUsers() async throws -> Orchestration.Users {
        let nowhere = RelayTransport()
        nowhere.finish()
        return try await orchestrator(transport: nowhere).users
    }

    private func orchestrator(
        passwordDescriptor: Int32? = nil, transport: any Transport
    ) async throws -> Orchestrator {
        let store = try FileStore(directory: storeDirectory())
        let salts = try Salts(authenticator: Self.authenticatorSalt, storage: Self.storageSalt)
        return try await Orchestrator(
            configuration: Configuration(salts: salts, domain: domain, tenant: tenant, deviceName: "authenticator"),
            transport: transport,
            providers: [Self.passwordProvider(descriptor: passwordDescriptor)],
            store: store)
    }

    private static func passwordProvider(descriptor: Int32?) -> any UserAuthenticationProvider {
        guard let descriptor else { return TerminalPasswordProvider() }
        return FileDescriptorPasswordProvider(descriptor: descriptor)
    }

    private func transport() throws -> HTTPTransport {
        guard let url = URL(string: platform) else {
            throw CommandFailure(.usage, "'\(platform)' is no address", hint: "for example https://id.example.com")
        }
        do {
            return try HTTPTransport(endpoint: url)
        } catch {
            throw CommandFailure(
                .usage, "'\(platform)' cannot be the platform's address",
                hint: "an https address, or http to this machine, without user, query and fragment")
        }
    }

    private func storeDirectory() throws -> String {
        if let store { return store }
        let environment = ProcessInfo.processInfo.environment
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/authenticator" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/share/authenticator" }
        throw CommandFailure(.usage, "there is no home folder to keep the store in", hint: "name a folder with --store")
    }

    // The constants of this app (see Salts): they set its keys apart from those of other apps on the same machine.
    // They are no secrets. Drawn once at random; another value would make every store of this program unreadable.
    private static let authenticatorSalt: [UInt8] = [
        0x4E, 0xDA, 0x87, 0x63, 0x88, 0xE1, 0x94, 0xB7, 0xBD, 0x64, 0xD5, 0x38, 0xA4, 0x40, 0x73, 0x04,
        0x50, 0x63, 0x92, 0x60, 0xA2, 0xCA, 0xD0, 0x21, 0x5E, 0xDC, 0x23, 0x83, 0x0F, 0x14, 0xC3, 0x2E,
    ]
    private static let storageSalt: [UInt8] = [
        0x84, 0x12, 0xCC, 0x98, 0xD3, 0xB9, 0x84, 0xBE, 0xAA, 0x0E, 0x01, 0x1E, 0xB7, 0x50, 0xCF, 0xB9,
        0xEE, 0xEF, 0x92, 0xDD, 0x36, 0x65, 0xD9, 0x23, 0xC2, 0x60, 0xC8, 0x4C, 0xC8, 0x8D, 0xB3, 0xA8,
    ]
}
