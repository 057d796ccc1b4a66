internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The opened keys of a device.
struct DeviceKeys: Sendable {
    let secrets: DeviceSecrets
    let ratchet: DeviceRatchet
    /// The index that the ratchet confirmed.
    let confirmedIndex: UInt64
    private let offeredIndex: UInt64
    /// The generation of the password's secret.
    let generation: UInt64

    /// Opens the keys in the row of a device. They must be those of the account and the signing key of the row, the
    /// secrets those of its generation, and the ratchet the one that belongs to its index.
    ///
    /// - Returns: `nil` for a revoked device, whose keys are erased.
    /// - Throws: ``PlatformError`` with `wrongMasterKey`.
    init?(of device: DeviceRecord, sealer: RowSealer) throws {
        let owner = RowOwner(device)
        guard let secrets = try DeviceSecrets(of: device, owner: owner, sealer: sealer),
            let sealedRatchet = device.ratchet
        else { return nil }
        self.secrets = secrets
        ratchet = try DeviceRatchet(
            decoding: sealer.open(
                sealedRatchet, .deviceRatchet, row: device.id, owner: owner,
                revision: Int64(clamping: device.ratchetIndex)), isOffered: device.offeredIndex > device.ratchetIndex)
        confirmedIndex = device.ratchetIndex
        offeredIndex = device.offeredIndex
        generation = device.generation
    }

    /// Returns D at an index that ``RatchetState`` accepted.
    func ratchetKey(at index: UInt64) throws -> SymmetricKey { try ratchet.key(at: index, confirmed: confirmedIndex) }

    /// Returns the secret of an instance, for the password that of a generation that ``GenerationState`` accepted;
    /// `nil` for a method that is not registered.
    func secret(
        of instance: Instance, generation named: UInt64, device: DeviceAddress, changeKey: ChangeKey
    ) throws -> SymmetricKey? {
        switch instance {
        case .password: try password(ofGeneration: named, device: device, changeKey: changeKey)
        case .possession: secrets.possession
        case .biometric, .face: secrets.methods[instance.method]
        }
    }

    /// Returns K₁ of a generation that ``GenerationState`` accepted.
    func password(ofGeneration named: UInt64, device: DeviceAddress, changeKey: ChangeKey) throws -> SymmetricKey {
        try changeKey.secret(secrets.password, from: generation, to: named, device: device)
    }

    /// Moves the secret of the password to the generation of a device, keeps those of its enrolled methods, and seals
    /// them, if one of them has changed.
    ///
    /// - Parameter registered: The secret of a method that the device registers; `nil` for none.
    func sealSecrets(
        of device: inout DeviceRecord, address: DeviceAddress, changeKey: ChangeKey,
        registered: RegisteredSecret? = nil, sealer: RowSealer
    ) throws {
        var methods = secrets.methods
        if let registered { methods[registered.method] = registered.secret }
        let enrolled = Set(device.enrolledMethods.map(\.method))
        methods = methods.filter { enrolled.contains($0.key) }
        guard device.generation != generation || methods != secrets.methods else { return }
        let moved = DeviceSecrets(
            password: try password(ofGeneration: device.generation, device: address, changeKey: changeKey),
            possession: secrets.possession, channel: secrets.channel, methods: methods)
        device.secrets = try sealer.seal(
            moved.encoded(), .deviceSecrets, row: device.id, owner: RowOwner(device),
            revision: Int64(clamping: device.generation))
    }

    /// Seals the keys of the ratchet of a device, if its confirmed or its offered index has changed.
    ///
    /// - Parameter moved: The keys at the indexes of the device.
    func sealRatchet(of device: inout DeviceRecord, as moved: DeviceRatchet, sealer: RowSealer) throws {
        guard device.ratchetIndex != confirmedIndex || device.offeredIndex != offeredIndex else { return }
        device.ratchet = try sealer.seal(
            moved.encoded(), .deviceRatchet, row: device.id, owner: RowOwner(device),
            revision: Int64(clamping: device.ratchetIndex))
    }
}

/// The secrets of a device, as they are sealed in its row.
struct DeviceSecrets: Sendable {
    /// K₁, the secret of the password instance.
    let password: SymmetricKey
    /// K₂n, the secret of the possession instance.
    let possession: SymmetricKey
    /// The pre-shared key of the channel.
    let channel: SymmetricKey
    /// The secrets of the enrolled methods.
    let methods: [AuthenticationMethod: SymmetricKey]

    init(
        password: SymmetricKey, possession: SymmetricKey, channel: SymmetricKey,
        methods: [AuthenticationMethod: SymmetricKey] = [:]
    ) {
        self.password = password
        self.possession = possession
        self.channel = channel
        self.methods = methods
    }

    /// Opens the keys in the row of a device.
    ///
    /// - Parameter owner: The owner that the row names.
    /// - Returns: `nil` for a revoked device, whose keys are erased.
    /// - Throws: ``PlatformError`` with `wrongMasterKey`.
    init?(of device: DeviceRecord, owner: RowOwner, sealer: RowSealer) throws {
        guard let sealed = device.secrets else { return nil }
        try self.init(
            decoding: sealer.open(
                sealed, .deviceSecrets, row: device.id, owner: owner,
                revision: Int64(clamping: device.generation)),
            enrolled: device.enrolledMethods.map(\.method))
    }

    /// - Parameter enrolled: The enrolled methods that the row names, by ascending number. Their secrets come last.
    init(decoding bytes: borrowing SecretBytes, enrolled: [AuthenticationMethod] = []) throws {
        let keys = try SymmetricKey.parts(of: bytes, count: 3 + enrolled.count)
        self.init(
            password: keys[0], possession: keys[1], channel: keys[2],
            methods: Dictionary(zip(enrolled, keys[3...])) { first, _ in first })
    }

    func encoded() -> SecretBytes {
        let enrolled = methods.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
        return SymmetricKey.joined([password, possession, channel] + enrolled)
    }
}

extension SymmetricKey {
    /// Returns keys of 32 bytes, one after the other.
    static func joined(_ keys: [SymmetricKey]) -> SecretBytes {
        SecretBytes(count: keys.count * 32) { span in
            for (position, key) in keys.enumerated() {
                key.withSpan { bytes in
                    for index in bytes.indices { span[position * 32 + index] = bytes[index] }
                }
            }
        }
    }

    static func parts(of bytes: borrowing SecretBytes, count: Int) throws -> [SymmetricKey] {
        guard bytes.count == count * 32 else { throw PlatformError(.wrongMasterKey) }
        return bytes.withBytes { span in
            (0..<count).map { SymmetricKey(copying: span.extracting($0 * 32..<($0 + 1) * 32)) }
        }
    }
}
