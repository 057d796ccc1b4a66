internal import Primitives

/// What the store says about a sealed request, in one consistent state.
struct ChannelContext: Sendable {
    let replay: ReplayRecord?
    let device: DeviceRecord?
    let restoredAt: Timestamp?
    /// Activated devices of the account besides this one.
    let otherDevices: Int
    /// Counts of typed codes that the user was not told of.
    let untold: [ThrottleRecord]

    init(device id: [UInt8], request: [UInt8], in store: any StoreReader) throws {
        replay = try store.replay(device: id, request: request)
        device = try store.device(id)
        restoredAt = try store.platformState()?.restoredAt
        guard let device else {
            otherDevices = 0
            untold = []
            return
        }
        otherDevices = try Self.otherDevices(of: device, in: store)
        untold = try store.throttles(of: device.account).filter { $0.key.kind == .code && $0.untold > 0 }
    }

    /// Activated devices of the account besides this one.
    static func otherDevices(of device: DeviceRecord, in store: any StoreReader) throws -> Int {
        try store.devices(of: device.account).count { $0.isActivated && $0.id != device.id }
    }
}
