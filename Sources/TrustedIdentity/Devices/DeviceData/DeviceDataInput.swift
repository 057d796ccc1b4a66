internal import OrchestrationProtocol
internal import Primitives

/// What the platform knows about the data of the device that sent a request.
enum KnownDeviceData: Sendable, Equatable {
    /// The request has no data, or data that are refused.
    case none
    /// The request has a hash of data that the platform does not have.
    case unknownHash
    /// The values that a policy reads, by the name of their field.
    case values([String: String])

    /// The known values.
    var values: [String: String] {
        switch self {
        case .none, .unknownHash: [:]
        case .values(let values): values
        }
    }
}

/// The device data of a request, with what the platform has stored of them.
struct DeviceDataInput: Sendable {
    /// The data of the device now.
    let known: KnownDeviceData
    /// What the answer says about the data.
    let reply: DeviceDataReply?
    /// What is stored; `nil` for nothing.
    let update: StoredDeviceData?

    /// The input of a request without data.
    static let none = DeviceDataInput()

    private init() {
        known = .none
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
            known = .none
            reply = .refused(field: nil)
            update = nil
        case .hash(let hash)?:
            let data = stored.flatMap { $0.data.hash == hash ? $0.data : nil }
            known = data.map { .values($0.policyValues) } ?? .unknownHash
            reply = data == nil ? .unknown : nil
            update = nil
        case .full(let bytes)?:
            do throws(DeviceDataError) {
                let data = try DeviceData(reading: bytes)
                known = .values(data.policyValues)
                reply = nil
                var event = stored?.event
                if case .deviceData(let reported) = message.body {
                    event = .init(name: reported.event, applicationData: reported.applicationData, time: message.time)
                }
                update = StoredDeviceData(sentAt: message.time, data: data, event: event)
            } catch {
                known = .none
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
    /// The time for which device data are kept.
    let retention: Duration

    /// Stores the data, unless later ones are stored: a delayed message brings no earlier state back.
    func commit(in store: StoreTransaction, sealer: RowSealer, now: Timestamp) throws {
        if let current = try store.deviceData(of: device.id),
            let stored = StoredDeviceData(current, of: device, sealer: sealer, keptFor: retention, now: now),
            stored.sentAt > sentAt
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
        return RefusalCode.ofServedDevices.contains(refusal.code)
    }
}
