internal import OrchestrationProtocol
internal import Primitives

/// The lifetimes of a key. The article "Key statements" gives the reasons.
enum PlatformKeyLifetime {
    /// The time for which a replaced sealing key opens every message, in milliseconds: 30 days.
    static let overlap: Int64 = 30 * 86_400_000
    /// The time for which a replaced sealing key opens `synchronize` at most, in milliseconds: 400 days.
    static let recovery: Int64 = 400 * 86_400_000
    /// The time after which the private half of a replaced signing or audit key is erased, in milliseconds: 24 hours.
    static let signingRetention: Int64 = 86_400_000
    /// The time for which statements list a replaced signing key in addition to the latest two, in milliseconds: ten
    /// minutes. An approval request that it has signed can be answered for five minutes.
    static let approval: Int64 = 600_000
}

extension PlatformKeyRecord {
    /// Whether the private half of the key may still be used.
    func isKept(at time: Timestamp) -> Bool {
        guard let retiredAt else { return true }
        return time <= retiredAt.advanced(milliseconds: PlatformKeyLifetime.recovery)
    }

    /// Whether the private half of the key is no longer needed according to its times.
    func hasEnded(at time: Timestamp) -> Bool {
        guard let retiredAt, let notAfter else { return false }
        switch purpose {
        case .signing, .audit: return time > retiredAt.advanced(milliseconds: PlatformKeyLifetime.signingRetention)
        case .sealing: return time > notAfter
        }
    }

    /// Whether a request that is sealed to the key is honored.
    func isHonored(for type: MessageType, at time: Timestamp) -> Bool {
        guard let notAfter, time > notAfter else { return true }
        return type == SynchronizeMessage.type
    }

    /// Gives the key a successor.
    ///
    /// - Parameters:
    ///   - time: The time from which the successor is in use.
    ///   - sequence: The number of the statement that lists it first.
    mutating func retire(at time: Timestamp, replacedIn sequence: UInt64) {
        retiredAt = time
        switch purpose {
        case .signing, .audit: notAfter = time
        case .sealing: notAfter = time.advanced(milliseconds: PlatformKeyLifetime.overlap)
        }
        replacedIn = sequence
    }
}
