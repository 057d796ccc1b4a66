internal import OrchestrationProtocol
internal import Primitives

/// The platform's knowledge of the data of the device that sent a request.
enum KnownDeviceData: Sendable, Equatable {
    /// The request contains no data, or data that is refused.
    case none
    /// The request contains a hash of data that the platform does not have.
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

/// The device data of a request, compared with the platform's stored data.
struct DeviceDataInput: Sendable {
    /// The current data of the device.
    let known: KnownDeviceData
    /// The answer's statement about the data.
    let reply: DeviceDataReply?
    /// The data to store; `nil` for none.
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
    /// - Parameter stored: The data that the platform has stored.
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

/// The write of device data, in the transaction of the message that brought it.
struct DeviceDataWrite: Sendable {
    let record: DeviceDataRecord
    let sentAt: Timestamp
    let device: DeviceRecord
    /// The time for which device data is kept.
    let retention: Duration

    /// Stores the data, unless later data is stored: a delayed message must not bring back an earlier state.
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
    /// Whether the device is served at its ratchet index. Only then does the data of its request count.
    var usesDeviceData: Bool {
        guard fate == .stays else { return false }
        guard case .refused(let refusal) = result else { return true }
        return RefusalCode.ofServedDevices.contains(refusal.code)
    }
}
