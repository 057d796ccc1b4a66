internal import Primitives
internal import Wire

/// A request of a device once its seal, its signature and its names were verified, as a decision needs it.
struct DeviceRequest: Sendable {
    let message: RequestMessage
    let proof: ProofOutcome
    let now: Timestamp
    /// Activated devices of the account besides this one.
    let otherDevices: Int
    /// Wrong passwords in a row that lock.
    let tries: Int
}
