internal import Crypto
public import Primitives

/// Device keys in software, for systems without a Secure Enclave.
///
/// Each key is a P-256 key of its own, sealed with a secret that is made of a random key file (mode 0600, one for each
/// key), the app's salt, and the machine's identity: `/etc/machine-id`, else `/var/lib/dbus/machine-id`, else nothing.
/// A store that is copied to another machine, or without its key file, is `storeRestoredElsewhere`. Where the machine
/// has no identity, as in many containers, whoever copies the whole folder has copied the device.
///
/// A software key can be stolen by whoever reads the files of the user that runs the app; what a thief gains is in the
/// threat model. Deleting a key removes its file, which makes every copy of the data unreadable.
public struct SoftwareDeviceKeys: DeviceKeyProvider {
    private let folder: any StorageFolder
    private let salts: Salts
    private let machine: MachineIdentity
    private let random: any RandomSource
    /// In a folder where all records stand beside their keys.
    private let orphans: OrphanKeyFiles?

    /// Keeps the key files in a folder of its own.
    ///
    /// Keys of a ``FileStore`` need no provider: an orchestrator that is given none keeps them beside the records, and
    /// removes those that an activation left behind which was never finished. So a folder with records of a
    /// ``FileStore`` is no place for keys of other records.
    ///
    /// - Parameters:
    ///   - directory: the path of the folder, made where it does not exist. It must belong to the user that runs the
    ///     process and be no symbolic link.
    ///   - salts: the constants of the app.
    ///   - random: where keys come from.
    /// - Throws: `storeUnavailable` when the folder cannot be made or used.
    public init(
        directory: String, salts: Salts, random: any RandomSource = SystemRandomSource()
    ) throws(OrchestrationError) {
        self.init(folder: try DiskFolder(path: directory), salts: salts, machine: .current(), random: random)
    }

    /// Keeps the keys in memory: they end with the last copy of this value, as the data of a ``MemoryStore`` does.
    public init(inMemory salts: Salts, random: any RandomSource = SystemRandomSource()) {
        self.init(folder: MemoryFolder(), salts: salts, machine: .current(), random: random)
    }

    /// - Parameter ownsFolder: whether the records of all keys in the folder stand in it, too. Then key files that no
    ///   record names are removed before a key is made and after one is deleted, unless an activation is using them.
    package init(
        folder: any StorageFolder, salts: Salts, machine: MachineIdentity, random: any RandomSource,
        ownsFolder: Bool = false
    ) {
        self.folder = folder
        orphans = ownsFolder ? OrphanKeyFiles(folder: folder) : nil
        self.salts = salts
        self.machine = machine
        self.random = random
    }

    /// Makes a key and its key file, which is on the disk when this returns.
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
            // Whoever removes the orphans of this folder must see that this is none.
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

    /// Opens a key. Its file missing, or another machine, is `storeRestoredElsewhere`; a damaged file is `storeCorrupt`.
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

    /// Removes the key file. A handle that cannot be read names no file, and is no error.
    @concurrent public func delete(handle: [UInt8]) async throws {
        guard let parts = try? SoftwareKeyHandle(decoding: handle) else { return }
        try folder.remove(KeyFile.name(parts.file))
        try folder.synchronize()
        orphans?.remove()
    }

    /// A key from the source of randomness that was handed in.
    private func signingKey() throws(OrchestrationError) -> P256.Signing.PrivateKey {
        // Zero and what is above the order are no keys. One try in 2^32 fails; four in a row do not.
        for _ in 0..<4 {
            var number = random.bytes(32)
            defer { number.wipe() }
            if let key = try? P256.Signing.PrivateKey(rawRepresentation: number) { return key }
        }
        throw OrchestrationError(.deviceKeyUnavailable)
    }
}
