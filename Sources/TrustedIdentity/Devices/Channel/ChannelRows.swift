internal import OrchestrationProtocol
internal import Primitives

/// The rows that a sealed request needs, in one consistent state of the store.
struct ChannelRows: Sendable {
    /// The answer to a previous request with the same id, or its refusal.
    let replay: ReplayRecord?
    /// The number of refused requests of the device that are remembered; 0 for a repeat, which adds none.
    let refusals: Int
    let device: DeviceRecord?
    /// The row about the platform.
    let state: PlatformStateRecord
    /// Whether the device is suspended since a restore.
    let isSuspended: Bool
    /// The other activated devices of the account.
    let otherDevices: [DeviceRecord]
    /// The counts of failed codes that no answer has reported to the user yet.
    let unreported: [ThrottleRecord]

    /// Reads the rows.
    ///
    /// A repeat whose answer is no longer kept gets the same result as without the row: the refusal `expired`, because
    /// an answer is kept for longer than its request is timely. Other bytes under the same request id remain refused.
    init(_ request: ChannelRequest, now: Timestamp, in store: any StoreReader) throws {
        let id = request.header.deviceID
        let known = try store.replay(device: id, request: request.header.requestID)
        replay = known.flatMap { now < $0.keptUntil || $0.requestHash != request.hash ? $0 : nil }
        refusals = replay == nil ? try store.refusalCount(of: id, after: now) : 0
        let (state, row) = (try store.currentState(), try store.device(id))
        self.state = state
        device = row.map(state.current)
        isSuspended = row?.isSuspended(by: state) ?? false
        guard let device else {
            otherDevices = []
            unreported = []
            return
        }
        otherDevices = try Self.otherDevices(of: device, in: store)
        unreported = try store.throttles(of: device.account).filter { $0.key.kind == .code && $0.unreported > 0 }
    }

    /// Returns the other activated devices of the account.
    static func otherDevices(of device: DeviceRecord, in store: any StoreReader) throws -> [DeviceRecord] {
        try store.devices(of: device.account).filter { $0.isActivated && $0.id != device.id }
    }

    /// Returns whether a request with an expiry was certainly made after the latest restore.
    ///
    /// A request from before the restore may have been answered, and the backup may lack that answer. A second answer
    /// would be a second effect. The client therefore has to make a new request. No request is valid for more than five
    /// minutes.
    func isSinceRestore(_ expiry: Timestamp) -> Bool { Self.isSince(state.restoredAt, expiry) }

    static func isSince(_ restoredAt: Timestamp?, _ expiry: Timestamp) -> Bool {
        guard let restoredAt else { return true }
        return expiry > restoredAt.advanced(milliseconds: ChannelRequest.maximumLifetime)
    }
}
