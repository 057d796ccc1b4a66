internal import Crypto
public import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Device keys in software, for systems without a Secure Enclave.
///
/// Each key is a separate P-256 key. It is sealed with a secret that is made of a random key file (mode 0600, one for
/// each key), the app's salt, and the machine's identity: `/etc/machine-id`, otherwise `/var/lib/dbus/machine-id`,
/// otherwise nothing. A store that is copied to another machine, or without its key file, causes
/// `storeRestoredElsewhere`. Where the machine has no identity, as in many containers, a copy of the whole folder is a
/// copy of the device.
///
/// A process that can read the files of the user that runs the app can steal a software key; the threat model describes
/// what a thief gains. Deleting a key removes its file, which makes every copy of the data unreadable.
public struct SoftwareDeviceKeys: DeviceKeyProvider {
    private let folder: any StorageFolder
    private let salts: Salts
    private let machine: MachineIdentity
    private let random: any RandomSource
    private let hasHardwareKeys: Bool
    /// The orphaned key files, in a folder that holds the records of all its keys.
    private let orphans: OrphanKeyFiles?

    /// Creates a provider that keeps its key files in a folder.
    ///
    /// A ``FileStore`` needs no such provider. An orchestrator without a provider keeps the key files next to the
    /// records, and removes the key files of activations that were never finished. Use another folder here.
    ///
    /// - Parameters:
    ///   - directory: The folder, which is created where it does not exist. It must belong to the user that runs the
    ///     process and must not be a symbolic link. On Apple platforms it is excluded from backups.
    ///   - salts: The constants of the app.
    ///   - random: The source of the keys.
    /// - Throws: `invalidConfiguration` for a URL that is not a file URL; `storeUnavailable` when the folder cannot be
    ///   created or used.
    public init(
        directory: URL, salts: Salts, random: any RandomSource = SystemRandomSource()
    ) throws(OrchestrationError) {
        guard directory.isFileURL else { throw OrchestrationError(.invalidConfiguration) }
        self.init(folder: try DiskFolder(path: directory.path), salts: salts, machine: .current(), random: random)
        try BackupExclusion.apply(toFolder: directory.path)
    }

    /// Creates a provider that keeps its keys in memory. The keys end with the last copy of this value.
    public init(inMemory salts: Salts, random: any RandomSource = SystemRandomSource()) {
        self.init(folder: MemoryFolder(), salts: salts, machine: .current(), random: random)
    }

    /// Creates a provider that keeps its key files in a folder.
    ///
    /// - Parameters:
    ///   - ownsFolder: Whether the folder also holds the records of all its keys. Key files that no record names are
    ///     then removed before a key is created and after one is deleted, unless an activation is using them.
    ///   - hasHardwareKeys: Whether the device could keep its keys in hardware. If so, software keys cause a warning.
    package init(
        folder: any StorageFolder, salts: Salts, machine: MachineIdentity, random: any RandomSource,
        ownsFolder: Bool = false, hasHardwareKeys: Bool = Self.hasSecureEnclave
    ) {
        self.folder = folder
        self.hasHardwareKeys = hasHardwareKeys
        orphans = ownsFolder ? OrphanKeyFiles(folder: folder) : nil
        self.salts = salts
        self.machine = machine
        self.random = random
    }

    /// ``Warning/Code/softwareKeys`` on a device that has a Secure Enclave.
    public var warnings: [Warning] { hasHardwareKeys && !(folder is MemoryFolder) ? [Warning(.softwareKeys)] : [] }

    /// Whether this device has a Secure Enclave.
    package static var hasSecureEnclave: Bool {
        #if canImport(Darwin)
            SecureEnclaveDeviceKeys.isAvailable
        #else
            false
        #endif
    }

    /// Creates a key and its key file, which is durable when this method returns.
    @concurrent public func makeKey(for name: StoreName) async throws -> any DeviceKey {
        orphans?.remove()
        let file = random.bytes(KeyFile.idCount)
        var secret = random.bytes(KeyFile.secretCount)
        var content = KeyFile.encode(secret)
        defer {
            secret.wipe()
            content.wipe()
        }
        let claim: KeyFileClaim
        do {
            // The claim keeps the file from other processes that remove orphans of this folder.
            claim = try OrphanKeyFiles(folder: folder).claim(file)
            try folder.create(KeyFile.name(file), content)
            try folder.synchronize(KeyFile.name(file))
            try folder.synchronize()
        } catch {
            try? folder.remove(KeyFile.name(file))
            throw OrchestrationError(.deviceKeyUnavailable, underlying: error)
        }
        let salt = random.bytes(32)
        let root = SoftwareDeviceRoot(secret: secret, salts: salts, machine: machine, salt: salt)
        let key = try signingKey()
        let handle = SoftwareKeyHandle(
            file: file, salt: salt, binding: root.binding, sealedKey: try root.seal(key))
        return SoftwareDeviceKey(handle: handle.encoded, key: key, root: root, claim: claim)
    }

    /// Opens a key. Without its file, or on another machine, it throws `storeRestoredElsewhere`; for a damaged file
    /// `storeCorrupt`.
    @concurrent public func key(handle: [UInt8]) async throws -> any DeviceKey {
        let parts = try SoftwareKeyHandle(decoding: handle)
        guard var bytes = try folder.read(KeyFile.name(parts.file), limit: KeyFile.limit) else {
            throw OrchestrationError(.storeRestoredElsewhere)
        }
        defer { bytes.wipe() }
        var secret = try KeyFile.decode(bytes)
        defer { secret.wipe() }
        let root = SoftwareDeviceRoot(secret: secret, salts: salts, machine: machine, salt: parts.salt)
        guard ConstantTime.equal(root.binding, parts.binding) else {
            throw OrchestrationError(.storeRestoredElsewhere)
        }
        return SoftwareDeviceKey(handle: handle, key: try root.open(parts.sealedKey), root: root)
    }

    /// Removes the key file. A handle that cannot be read names no file and is not an error.
    @concurrent public func delete(handle: [UInt8]) async throws {
        guard let parts = try? SoftwareKeyHandle(decoding: handle) else { return }
        try folder.remove(KeyFile.name(parts.file))
        try folder.synchronize()
        orphans?.remove()
    }

    /// Creates a P-256 key from the source of randomness.
    private func signingKey() throws(OrchestrationError) -> P256.Signing.PrivateKey {
        // Zero and numbers above the order of the group are not keys. One try in 2^32 fails; four in a row do not.
        for _ in 0..<4 {
            var number = random.bytes(32)
            defer { number.wipe() }
            if let key = try? P256.Signing.PrivateKey(rawRepresentation: number) { return key }
        }
        throw OrchestrationError(.deviceKeyUnavailable)
    }
}
