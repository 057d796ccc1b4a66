import Crypto
import Orchestration
import OrchestrationTesting
import Primitives
import TestSupport
import TrustedIdentity

@testable import TrustedIdentity

/// The device of a walk that changes passwords: its store, in memory or in files, and its row at the platform.
struct PasswordDevice: Sendable {
    /// The passwords that the user changes between.
    static let passwords = [WalkWorld.password, "739164", "861407"]

    /// Returns another password than the current one.
    static func password(other present: String, _ chance: Chance) -> String {
        chance.pick(passwords.filter { $0 != present })
    }

    let world: WalkWorld
    /// The folder of the store; `nil` for a store in memory.
    private let folder: TemporaryFolder?
    /// The percentage of writes that the store loses.
    private let losses: Int

    /// - Parameters:
    ///   - usesFiles: Whether the store has files, which each process opens for itself.
    ///   - losses: The percentage of writes that the store reports and does not make.
    init(of world: WalkWorld, usesFiles: Bool, losses: Int) async throws {
        self.world = world
        self.losses = losses
        folder = usesFiles ? try TemporaryFolder() : nil
        guard usesFiles else { return }
        try await replace(by: PasswordDevice.content(of: world.clientStore.base))
    }

    /// Returns the store, as an inspection opens it.
    private func base() throws -> any SecureStore {
        guard let folder else { return world.clientStore.base }
        return try FileStore(directory: folder.path)
    }

    /// Returns a new process with writes that may fail.
    func process(
        _ user: any PasswordProvider, methods: [any UserAuthenticationProvider] = []
    ) throws -> Orchestrator {
        let percentage = world.clientStore.percentage
        guard let folder else {
            let store = FragileStore(
                base: world.clientStore.base, chance: world.chance, trace: world.trace, percentage: percentage,
                losses: losses)
            return try world.process(store: store, providers: [user] + methods)
        }
        let store = FragileStore(
            base: try FileStore(directory: folder.path), chance: world.chance, trace: world.trace,
            percentage: percentage, losses: losses)
        return try world.process(store: store, providers: [user] + methods)
    }

    /// Returns a copy of the store.
    func content() async throws -> [StoreName: [UInt8]] { try await Self.content(of: base()) }

    /// Replaces the values of the store, as a backup of the device does.
    func replace(by content: [StoreName: [UInt8]]) async throws {
        let store = try base()
        for (name, value) in content { try await store.update(name) { _ in (.replace(value), ()) } }
    }

    private static func content(of store: any SecureStore) async throws -> [StoreName: [UInt8]] {
        var content: [StoreName: [UInt8]] = [:]
        for name in try await store.names() { content[name] = try await store.read(name) }
        return content
    }

    /// Returns what a thief of the device has.
    func stolen() async throws -> StolenDevice {
        try await StolenDevice(of: world.account, from: world.vault(on: base()))
    }

    /// Returns the device's row at the platform.
    func row() async throws -> DeviceRecord {
        guard let device = try await world.devices().first else { throw world.failure("there is no device") }
        return device
    }

    /// Returns the password that gives the secret which the platform derives for the generation of the device.
    func validPassword() async throws -> String { try await validPassword(at: row(), on: stolen()) }

    func validPassword(at device: DeviceRecord, on stolen: StolenDevice) async throws -> String {
        guard let keys = try DeviceKeys(of: device, sealer: world.platform.sealer) else {
            throw world.failure("the device has no keys")
        }
        guard let expected = keys.password(ofGeneration: stolen.record.generation) else {
            throw world.failure("the generation of the device is not open")
        }
        var valid: [String] = []
        for password in Self.passwords where try await stolen.guess(password).candidate == expected.bytes {
            valid.append(password)
        }
        guard valid.count == 1, let password = valid.first else {
            throw world.failure("\(valid.count) of the passwords are valid")
        }
        return password
    }
}
