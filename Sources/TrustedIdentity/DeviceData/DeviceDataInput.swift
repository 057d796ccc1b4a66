internal import Primitives
internal import Wire

/// The device data of a request, with what the platform has stored of them.
struct DeviceDataInput: Sendable {
    /// The data of the device now; `nil` where they are not known.
    let data: DeviceData?
    /// What the answer says about the data.
    let reply: DeviceDataReply?
    /// What is stored; `nil` for nothing.
    let update: StoredDeviceData?

    /// The input of a request without data.
    static let none = DeviceDataInput()

    private init() {
        data = nil
        reply = nil
        update = nil
    }

    /// Reads the data of a request.
    ///
    /// - Parameter stored: What the platform has.
    init(_ message: RequestMessage, stored: StoredDeviceData?) {
        switch message.extensions.deviceData {
        case nil: self = .none
        case .malformed?:
            data = nil
            reply = .refused(field: nil)
            update = nil
        case .hash(let hash)?:
            let known = stored.flatMap { $0.data.hash == hash ? $0.data : nil }
            data = known
            reply = known == nil ? .unknown : nil
            update = nil
        case .full(let bytes)?:
            do throws(DeviceDataError) {
                let data = try DeviceData(reading: bytes)
                self.data = data
                reply = nil
                var event = stored?.event
                if case .deviceData(let reported) = message.body {
                    event = .init(name: reported.event, applicationData: reported.applicationData, time: message.time)
                }
                update = StoredDeviceData(sentAt: message.time, data: data, event: event)
            } catch {
                data = nil
                reply = .refused(field: error.field)
                update = nil
            }
        }
    }
}

/// The write of device data, in the transaction of the message that brought them.
struct DeviceDataWrite: Sendable {
    let record: DeviceDataRecord
    let sentAt: Timestamp
    let device: DeviceRecord

    /// Stores the data, unless later ones are stored: a delayed message brings no earlier state back.
    func commit(in store: any StoreTransaction, sealer: RowSealer, now: Timestamp) throws {
        if let current = try store.deviceData(of: device.id),
            let stored = StoredDeviceData(current, of: device, sealer: sealer, now: now), stored.sentAt > sentAt
        {
            return
        }
        try store.put(record)
    }
}

extension DeviceDecision {
    /// Whether the device is served at its ratchet index, so that the data of its request count.
    var usesDeviceData: Bool {
        guard fate == .stays else { return false }
        guard case .refused(let refusal) = result else { return true }
        return !Self.unservedRefusals.contains(refusal.code)
    }

    private static let unservedRefusals: Set<RefusalCode> = [
        .locked, .ratchetOutdated, .expired, .revoked, .pendingExpired, .cloneSuspected, .ratchetUnknown, .rateLimited,
        .suspended, .ratchetBehind, .keysOutdated,
    ]
}
