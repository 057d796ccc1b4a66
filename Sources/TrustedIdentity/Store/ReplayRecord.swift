public import Primitives

/// What a device was answered to a request, so that a repeat gets the same bytes and has no second effect.
public struct ReplayRecord: Sendable, Hashable {
    /// The device id, 16 bytes.
    public var device: [UInt8]
    /// The request id, 16 bytes.
    public var request: [UInt8]
    /// SHA-256 of the request's bytes.
    public var requestHash: [UInt8]
    /// The sealed answer.
    public var answer: [UInt8]
    /// Until when it is kept.
    public var keptUntil: Timestamp

    /// Puts a row together.
    public init(device: [UInt8], request: [UInt8], requestHash: [UInt8], answer: [UInt8], keptUntil: Timestamp) {
        self.device = device
        self.request = request
        self.requestHash = requestHash
        self.answer = answer
        self.keptUntil = keptUntil
    }
}
