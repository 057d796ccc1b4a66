internal import Crypto
internal import OrchestrationProtocol
package import Primitives

extension UserRecord {
    /// The tenant, account and device id of this activation.
    package var address: DeviceAddress { DeviceAddress(tenant: tenant, account: account, id: deviceID) }

    /// The keys and names of this device on the channel.
    ///
    /// - Throws: `storeCorrupt` when the record names a suite that this version cannot have written.
    func channelIdentity() throws(OrchestrationError) -> ChannelIdentity {
        guard let suite = Suite(rawValue: suite) else { throw OrchestrationError(.storeCorrupt) }
        return ChannelIdentity(device: address, suite: suite, presharedKey: presharedKey)
    }

    /// The platform's key that requests are sealed to: the latest key of this activation's suite, never of a lower
    /// suite.
    ///
    /// - Parameter time: The time by the platform's clock.
    func sealingKey(at time: Timestamp) throws(OrchestrationError) -> PlatformPublicKey {
        guard let suite = Suite(rawValue: suite), let key = try? platformKeys.sealingKey(of: suite, at: time) else {
            throw OrchestrationError(.storeCorrupt)
        }
        return key
    }

    /// Whether the latest agreement includes a capability.
    func has(_ capability: Capability) -> Bool { capabilities.contains(capability.rawValue) }

    /// Replaces the platform's keys with the keys of a later statement, which was verified with the keys of this record
    /// or of an earlier state of it.
    mutating func take(_ statement: KeyStatement) {
        if statement.sequence > platformKeys.sequence { platformKeys = statement }
    }

    /// Whether the device may ask for the next state of the key ratchet: five minutes after the last move, and after a
    /// clock that was set back by as much.
    ///
    /// - Parameter now: The time by this device's clock.
    func mayMoveRatchet(at now: Timestamp) -> Bool { now.milliseconds(since: ratchetMovedAt).magnitude >= 300_000 }

    /// Moves the key ratchet by one index, unless another answer has moved it.
    ///
    /// - Parameters:
    ///   - asked: The record that the request was made from.
    ///   - input: b; `nil` when the device stays at its index.
    ///   - now: The time by this device's clock.
    mutating func moveRatchet(of asked: UserRecord, by input: MessageSecret?, at now: Timestamp) {
        guard let input, let own = asked.ratchetInput, ratchetIndex == asked.ratchetIndex, ratchetInput == own else {
            return
        }
        ratchetIndex += 1
        ratchet = KeyRatchet.next(ratchet, to: ratchetIndex, deviceInput: own, platformInput: input.key)
        ratchetInput = nil
        ratchetMovedAt = now
    }
}
