internal import Crypto
internal import Primitives

/// The right to open one stream of notifications.
///
/// A token grants nothing else: the stream carries pointers, and a device fetches the approval requests through the
/// channel.
struct StreamToken: Sendable {
    /// The number of random bytes.
    static let count = 16
    /// The time in which a token opens a stream, in seconds.
    static let lifetimeSeconds = 60

    let bytes: [UInt8]

    /// The record of a token in the store. A token contains 128 random bits, so no slow hash is needed.
    var hash: [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// Returns the row of the token.
    func record(of device: [UInt8], now: Timestamp) -> StreamTokenRecord {
        StreamTokenRecord(
            tokenHash: hash, device: device,
            expiresAt: now.advanced(milliseconds: Int64(Self.lifetimeSeconds) * 1_000))
    }
}
