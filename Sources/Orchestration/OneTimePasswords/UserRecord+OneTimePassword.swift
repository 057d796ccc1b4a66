internal import Primitives
internal import Wire

extension UserRecord {
    /// Checks that the user can be used on this device.
    ///
    /// - Throws: `notActivated` while the activation is incomplete, `userLocked`.
    func requireActive() throws(OrchestrationError) {
        switch state {
        case .active: break
        case .pending, .passwordProven: throw OrchestrationError(.notActivated)
        case .locked: throw OrchestrationError(.userLocked)
        }
    }

    /// Returns the application with an index, which makes one-time passwords and fits the challenge.
    ///
    /// - Throws: `applicationUnknown`, `applicationUnsuitable`, `challengeRequired`, `invalidChallenge`.
    func application(
        _ index: CryptoApplicationIndex, challenge: String?
    ) throws(OrchestrationError) -> CryptoApplication {
        guard let application = applications.first(where: { $0.index == index }) else {
            throw OrchestrationError(.applicationUnknown)
        }
        switch application.kind {
        case .timeBased, .counterBased:
            guard challenge == nil else { throw OrchestrationError(.invalidChallenge) }
        case .challenge:
            guard let challenge else { throw OrchestrationError(.challengeRequired) }
            guard (1...128).contains(challenge.utf8.count) else { throw OrchestrationError(.invalidChallenge) }
        case .signature:
            throw OrchestrationError(.applicationUnsuitable)
        }
        return application
    }

    /// Returns the counters for a platform that was restored from a backup: for each application the lowest one whose
    /// code was not shown. For time-based codes it is the time step after the present one.
    func counters(at now: Timestamp) -> [ApplicationCounter] {
        var lowest: [ApplicationCounter] = []
        for application in applications.sorted(by: { $0.index.rawValue < $1.index.rawValue }) {
            switch application.kind {
            case .timeBased:
                let step = max(now.secondsSinceEpoch, 0) / Int64(application.timeStepSeconds) + 1
                lowest.append(ApplicationCounter(application: application.index.rawValue, counter: UInt64(step)))
            case .counterBased, .signature:
                let counter = counters[application.index.rawValue, default: 0]
                lowest.append(ApplicationCounter(application: application.index.rawValue, counter: counter))
            case .challenge: break
            }
        }
        return lowest
    }

    /// Reserves the counter for the next code of an application.
    ///
    /// - Returns: The counter, or `nil` for an application without one.
    /// - Throws: `storeCorrupt` for a counter beyond the limit of commands, which no number of codes reaches.
    mutating func takeCounter(of application: CryptoApplication) throws(OrchestrationError) -> UInt64? {
        guard application.kind == .counterBased else { return nil }
        let counter = counters[application.index.rawValue, default: 0]
        guard counter < UInt64(Int64.max) else { throw OrchestrationError(.storeCorrupt) }
        counters[application.index.rawValue] = counter + 1
        return counter
    }
}
