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

    /// The platform's key that requests are sealed to: the latest of the suite of this activation, never of a lower
    /// one.
    ///
    /// - Parameter time: The time by the platform's clock.
    func sealingKey(at time: Timestamp) throws(OrchestrationError) -> PlatformPublicKey {
        guard let suite = Suite(rawValue: suite), let key = try? platformKeys.sealingKey(of: suite, at: time) else {
            throw OrchestrationError(.storeCorrupt)
        }
        return key
    }

    /// Whether a capability was agreed on last.
    func has(_ capability: Capability) -> Bool { capabilities.contains(capability.rawValue) }

    /// Replaces the platform's keys by those of a later statement, which was verified from the keys of this record or
    /// of an earlier state of it.
    mutating func take(_ statement: KeyStatement) {
        if statement.sequence > platformKeys.sequence { platformKeys = statement }
    }

    /// Moves the key ratchet, if the index is higher than the stored one. It never moves back.
    ///
    /// - Throws: `invalidAnswer` for a distance that no honest platform asks for.
    mutating func moveRatchet(to index: UInt64) throws(OrchestrationError) {
        guard index > ratchetIndex else { return }
        do throws(SecureChannelError) {
            ratchet = try KeyRatchet.advance(ratchet, from: ratchetIndex, to: index)
            ratchetIndex = index
        } catch {
            throw OrchestrationError(.invalidAnswer, underlying: error)
        }
    }
}
