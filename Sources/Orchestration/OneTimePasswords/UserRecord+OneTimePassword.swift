internal import Primitives
internal import Wire

extension UserRecord {
    /// - Throws: `notActivated` while the activation is unfinished, `userLocked`.
    func requireActive() throws(OrchestrationError) {
        switch state {
        case .active: break
        case .pending, .passwordProven: throw OrchestrationError(.notActivated)
        case .locked: throw OrchestrationError(.userLocked)
        }
    }

    /// The application behind an index, if it makes one-time passwords and fits the challenge.
    ///
    /// - Throws: `applicationUnknown`, `applicationUnsuitable`, `challengeRequired` (requirement H4),
    ///   `invalidChallenge`.
    func application(
        _ index: CryptoApplicationIndex, challenge: String?
    ) throws(OrchestrationError) -> CryptoApplication {
        guard let application = applications.first(where: { $0.index == index.rawValue }) else {
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

    /// Where the counters stand, for a platform that was restored from a backup: the lowest that was not shown yet. For
    /// codes of the time that is the step after the present one.
    func counters(at now: Timestamp) -> [ApplicationCounter] {
        var standing: [ApplicationCounter] = []
        for application in applications.sorted(by: { $0.index < $1.index }) {
            switch application.kind {
            case .timeBased:
                let step = max(now.secondsSinceEpoch, 0) / Int64(application.period) + 1
                standing.append(ApplicationCounter(application: application.index, counter: UInt64(step)))
            case .counterBased, .signature:
                let counter = counters[application.index, default: 0]
                standing.append(ApplicationCounter(application: application.index, counter: counter))
            case .challenge: break
            }
        }
        return standing
    }

    /// The counter for the next code of an application, which no other code will get; `nil` where there is none.
    ///
    /// - Throws: `storeCorrupt` for a counter beyond what the wire can carry, which nobody has counted to.
    mutating func takeCounter(of application: CryptoApplication) throws(OrchestrationError) -> UInt64? {
        guard application.kind == .counterBased else { return nil }
        let counter = counters[application.index, default: 0]
        guard counter < UInt64(Int64.max) else { throw OrchestrationError(.storeCorrupt) }
        counters[application.index] = counter + 1
        return counter
    }
}
