internal import Crypto
internal import Primitives
internal import SecureChannel

/// An account as a login reads it: its devices whose codes count, and where their counters stand.
struct LoginSubject: Sendable {
    /// A device whose codes count.
    struct Device: Sendable {
        let record: DeviceRecord
        let counters: [CodeCounterRecord]
    }

    let account: AccountRecord?
    let devices: [Device]

    /// Reads as much for an account that does not exist as for one that has all the devices it can have.
    init(_ name: String, store: any StoreReader) throws {
        account = try store.account(name)
        let records = try store.devices(of: name).filter(\.isLoginDevice).prefix(DeviceLimits.maximumDevices)
        let counters = try store.codeCounters(ofAccount: name)
        let devices = records.map { record in
            Device(record: record, counters: counters.filter { $0.device == record.id })
        }
        self.devices = account == nil ? [] : devices
    }

    /// Whether the account has devices and none of them has synchronized since a restore.
    var isEveryDeviceRestored: Bool { !devices.isEmpty && devices.allSatisfy(\.record.isRestored) }

    /// Every key that may have made a code for an application.
    ///
    /// There are always as many, for as many devices as an account can have, two instances each and three ratchet
    /// indexes each: what does not exist is filled with decoys, so that the time does not tell what exists.
    func candidates(
        application: UInt8, of account: AccountName, tenant: String, sealer: RowSealer, decoys: Decoys, now: Timestamp
    ) throws -> [CodeCandidate] {
        var candidates: [CodeCandidate] = []
        for slot in 0..<DeviceLimits.maximumDevices {
            let device = slot < devices.count ? devices[slot] : nil
            let id = device?.record.id ?? Decoys.row
            let secrets = try DeviceSecrets(
                decoding: sealer.open(device?.record.secrets ?? decoys.secrets, .deviceSecrets, row: id))
            let ratchet = try DeviceRatchet(
                decoding: sealer.open(
                    device?.record.ratchet ?? decoys.ratchet, .deviceRatchet, row: id,
                    revision: device.map { Int64(clamping: $0.record.ratchetIndex) } ?? 0))
            let state = device.map { RatchetState($0.record) }
            let indexes = state?.candidates(now: now) ?? []
            for instance in Instance.allCases {
                let stored = device?.counters.first { $0.instance == instance && $0.application == application }
                let counter = stored ?? CodeCounterRecord(device: id, instance: instance, application: application)
                for place in 0..<3 {
                    let index = place < indexes.count ? indexes[place] : nil
                    let confirmed = state?.confirmed ?? 0
                    let key = InstanceKeys.code(
                        secret: instance == .password ? secrets.password : secrets.possession,
                        ratchet: try ratchet.key(at: index ?? confirmed, confirmed: confirmed),
                        application: application,
                        instance: instance, device: DeviceAddress(tenant: tenant, account: account, id: id))
                    let origin = index.flatMap { index in
                        device.map {
                            CodeCandidate.Origin(
                                device: $0.record.id, instance: instance, index: index, isRestored: $0.record.isRestored
                            )
                        }
                    }
                    candidates.append(
                        CodeCandidate(origin: origin, key: key, counter: counter, isStored: stored != nil))
                }
            }
        }
        return candidates
    }
}
