internal import OrchestrationProtocol
internal import Primitives

extension UserRecord {
    /// Checks that the user can be used on this device.
    ///
    /// - Throws: `notActivated` while the activation is incomplete; for a locked user, the code of the reason.
    func requireActive() throws(OrchestrationError) {
        switch state {
        case .active: break
        case .pending, .passwordProven: throw OrchestrationError(.notActivated)
        case .locked(let reason): throw OrchestrationError(.init(reason))
        }
    }

    /// Checks that an unlock code can help: the user can be used, or is locked after wrong passwords.
    ///
    /// - Throws: As ``requireActive()``.
    func requireUnlockable() throws(OrchestrationError) {
        if state != .locked(.wrongPassword) { try requireActive() }
    }

    /// Returns the application with an index, and checks that it fits the data of the code.
    ///
    /// - Parameter index: The index; `nil` for the first application that signs.
    /// - Throws: `applicationUnsuitable`, `invalidChallenge`, `sealsUnavailable`.
    func application(
        _ index: CryptoApplicationIndex?, over data: LocalCode.Data
    ) throws(OrchestrationError) -> CryptoApplication {
        if case .seal = data, !has(.seals) { throw OrchestrationError(.sealsUnavailable) }
        let found = applications.first { index == nil ? $0.kind == .signature : $0.index == index }
        guard let application = found else { throw OrchestrationError(.applicationUnsuitable) }
        switch (application.kind, data) {
        case (.timeBased, .nothing), (.counterBased, .nothing), (.signature, .fields), (.signature, .seal): break
        case (.timeBased, .challenge), (.counterBased, .challenge): throw OrchestrationError(.invalidChallenge)
        case (.challenge, .challenge(let text)):
            guard (1...128).contains(text.utf8.count) else { throw OrchestrationError(.invalidChallenge) }
        case (.challenge, .nothing): throw OrchestrationError(.invalidChallenge)
        case (.timeBased, .fields), (.counterBased, .fields), (.challenge, .fields), (.timeBased, .seal),
            (.counterBased, .seal), (.challenge, .seal), (.signature, .nothing), (.signature, .challenge):
            throw OrchestrationError(.applicationUnsuitable)
        }
        return application
    }

    /// Returns the counters for a platform that was restored from a backup: for each application, the lowest counter
    /// whose code was not shown. For time-based codes it is the time step after the current one.
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
    /// - Returns: The counter, or `nil` for an application without a counter.
    /// - Throws: `storeCorrupt` for a counter beyond the limit of commands, which cannot be reached by making codes.
    mutating func takeCounter(of application: CryptoApplication) throws(OrchestrationError) -> UInt64? {
        switch application.kind {
        case .timeBased, .challenge: return nil
        case .counterBased, .signature: break
        }
        let counter = counters[application.index.rawValue, default: 0]
        guard counter < UInt64(Int64.max) else { throw OrchestrationError(.storeCorrupt) }
        counters[application.index.rawValue] = counter + 1
        return counter
    }
}

extension OrchestrationError.Code {
    /// Creates the code for a user who is locked on this device.
    init(_ reason: LockReason) {
        self =
            switch reason {
            case .wrongPassword: .userLocked
            case .cloneSuspected: .cloneSuspected
            case .revoked: .revoked
            }
    }
}
