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

    /// Opens the keys in the row of a device. They must belong to the row's account and signing key, the secrets to its
    /// generation, and the ratchet to its index.
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

    /// Returns the secret of an instance; `nil` for a method that is not registered.
    ///
    /// - Parameter named: The generation, which only the password has. For a generation that is neither confirmed nor
    ///   open, the result is `nil`.
    func secret(of instance: Instance, generation named: UInt64) -> SymmetricKey? {
        switch instance {
        case .password: password(ofGeneration: named)
        case .possession: secrets.possession
        case .biometric, .face: secrets.methods[instance.method]
        }
    }

    /// Returns K₁ of the confirmed generation, or of an open offer; `nil` for any other one.
    func password(ofGeneration named: UInt64) -> SymmetricKey? {
        if named == generation { return secrets.password }
        return secrets.offers.first { $0.generation == named }?.secret
    }

    /// Seals the secrets of a device if one of them has changed: K₁ of its generation, the secrets of its enrolled
    /// methods, and the secrets of its open offers.
    ///
    /// - Parameters:
    ///   - registered: The secret of a method that the device registers; `nil` for none.
    ///   - offered: An offer of a change or an unlock; `nil` for none. Beyond ``PasswordOffer/maximumCount``, it
    ///     replaces the oldest offer that the device has not stored.
    ///   - stored: The generation that the device has stored, if its request names it.
    func sealSecrets(
        of device: inout DeviceRecord, registered: RegisteredSecret? = nil, offered: PasswordOffer? = nil,
        stored: UInt64? = nil, sealer: RowSealer
    ) throws {
        guard let password = password(ofGeneration: device.generation) else { throw PlatformError(.internal) }
        var methods = secrets.methods
        if let registered { methods[registered.method] = registered.secret }
        let enrolled = Set(device.enrolledMethods.map(\.method))
        methods = methods.filter { enrolled.contains($0.key) }
        let isPromoted = device.generation != generation
        guard isPromoted || offered != nil || methods != secrets.methods else { return }
        var offers = (isPromoted ? [] : secrets.offers) + (offered.map { [$0] } ?? [])
        if offers.count > PasswordOffer.maximumCount {
            offers.remove(at: offers.firstIndex { $0.generation != stored } ?? 0)
        }
        let moved = DeviceSecrets(
            password: password, possession: secrets.possession, channel: secrets.channel, methods: methods,
            offers: offers)
        device.secrets = try sealer.seal(
            moved.encoded(), .deviceSecrets, row: device.id, owner: RowOwner(device),
            revision: Int64(clamping: device.generation))
    }

    /// Seals the ratchet keys of a device if its confirmed or its offered index has changed.
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
    var methods: [AuthenticationMethod: SymmetricKey] = [:]
    /// The open offers of a password change, the oldest first.
    var offers: [PasswordOffer] = []
}

extension DeviceSecrets {
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

    /// - Parameter enrolled: The enrolled methods that the row names, by ascending number. Their secrets come after the
    ///   first three, and the offers come last: for each, its generation in 32 bytes and its secret. The first byte of
    ///   the generation specifies whether an unlock has made the offer.
    init(decoding bytes: borrowing SecretBytes, enrolled: [AuthenticationMethod] = []) throws {
        let first = 3 + enrolled.count
        let count = bytes.count / 32
        guard count >= first, (count - first) % 2 == 0, count - first <= 2 * PasswordOffer.maximumCount else {
            throw PlatformError(.wrongMasterKey)
        }
        let keys = try SymmetricKey.parts(of: bytes, count: count)
        self.init(
            password: keys[0], possession: keys[1], channel: keys[2],
            methods: Dictionary(zip(enrolled, keys[3..<first])) { first, _ in first },
            offers: stride(from: first, to: count, by: 2).map {
                PasswordOffer(generation: keys[$0].number, secret: keys[$0 + 1], isUnlock: keys[$0].mark == 1)
            })
    }

    func encoded() -> SecretBytes {
        let enrolled = methods.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
        let offers = offers.flatMap { [SymmetricKey(number: $0.generation, mark: $0.isUnlock ? 1 : 0), $0.secret] }
        return SymmetricKey.joined([password, possession, channel] + enrolled + offers)
    }
}

/// K₁ of a generation that was offered to the device and not used yet.
struct PasswordOffer: Sendable {
    /// The number of offers that may be open.
    static let maximumCount = 3

    let generation: UInt64
    let secret: SymmetricKey
    /// Whether an unlock has made the offer. Its proof ends the lock of the device.
    var isUnlock = false
}

extension SymmetricKey {
    /// Creates 32 bytes that begin with a mark and end with a number, the most significant byte first.
    fileprivate init(number: UInt64, mark: UInt8) {
        self.init(
            data: [mark] + [UInt8](repeating: 0, count: 23)
                + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
    }

    /// The first byte.
    fileprivate var mark: UInt8 { withSpan { $0[0] } }

    /// The number in the last eight bytes.
    fileprivate var number: UInt64 {
        withSpan { bytes in (24..<32).reduce(0) { $0 << 8 | UInt64(bytes[$1]) } }
    }

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
