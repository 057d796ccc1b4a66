internal import Primitives

// A restore from a backup increments the platform's epoch, which changes one row. Each device, API key and static
// password stores the epoch in which it was made or last confirmed. The comparison of both epochs decides the effect of
// a restore on a row. No restore therefore writes a row for each device.

/// The fields of the row about the platform that suspend devices, API keys and static passwords. A decision is made
/// again if they changed after it read them.
struct Suspension: Sendable, Hashable {
    let epoch: Int64
    let below: Int64
}

extension PlatformStateRecord {
    var suspension: Suspension { Suspension(epoch: epoch, below: suspendedBelow) }

    /// Whether rows of an epoch are suspended, because the platform was restored since then without its audit log.
    func suspends(epoch: Int64) -> Bool { epoch < suspendedBelow }

    /// Returns a device's row as the latest restore left it: a device of an earlier epoch has to synchronize.
    ///
    /// The row moves to the current epoch, unless it is suspended.
    func current(_ device: DeviceRecord) -> DeviceRecord {
        guard device.epoch < epoch, device.state != .revoked else { return device }
        var device = device
        device.isRestored = true
        if !suspends(epoch: device.epoch) { device.epoch = epoch }
        return device
    }
}

extension DeviceRecord {
    /// Whether the device is suspended since a restore.
    func isSuspended(by platform: PlatformStateRecord) -> Bool {
        state != .revoked && platform.suspends(epoch: epoch)
    }
}

extension StoreReader {
    /// Returns the row about the platform, which the first start created.
    ///
    /// - Throws: ``PlatformError`` with `alteredRow` when it was changed or removed by another program.
    func currentState() throws -> PlatformStateRecord {
        guard let state = try platformState() else { throw PlatformError(.alteredRow) }
        return state
    }

    /// Throws ``WriteConflict`` when the suspension changed since a decision read it: the platform was restored, or a
    /// suspension was lifted in bulk.
    func require(_ suspension: Suspension) throws {
        try requireWritten(currentState().suspension == suspension)
    }
}
