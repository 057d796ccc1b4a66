internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// The flow of a one-time password, of a signature, and of a seal.
///
/// The order is: ask, reserve the counter durably, make the code, report it, move the ratchet. The code never waits for
/// the network. The ratchet moves as soon as the code was reported.
struct LocalCodeFlow<Parameters: LocalCodeParameters>: Flow {
    static var kind: FlowKind { Parameters.flowKind }

    private let parameters: Parameters
    private let account: AccountName
    private let orchestrator: Orchestrator

    private var environment: FlowEnvironment { orchestrator.environment }

    init(_ parameters: Parameters, account: AccountName, orchestrator: Orchestrator) {
        self.parameters = parameters
        self.account = account
        self.orchestrator = orchestrator
    }

    func run(_ events: FlowEvents) async throws -> [FlowEvent] {
        var making = try await plan(over: parameters.data(), events)
        while true {
            guard let code = try await code(&making, events) else { continue }
            try await events.send(Parameters.ready(code))
            if let end = try await moveRatchet(after: code, &making, events) { return end }
        }
    }

    /// Asks the user, reserves the counter and makes the code. The input is released before the code is reported.
    ///
    /// - Returns: `nil` when the user has to be asked again.
    private func code(_ making: inout Making, _ events: FlowEvents) async throws -> Parameters.Code? {
        guard let input = try await ask(&making, events),
            let reservation = try await reserve(for: input, &making, events)
        else { return nil }
        return try await makeCode(from: reservation, input, by: making.plan.method)
    }

    /// Plans how the user authenticates. It is repeated when the enrollment has changed.
    private func plan(over data: LocalCode.Data, _ events: FlowEvents) async throws -> Making {
        guard let (record, key) = try await environment.vault.open(account) else {
            throw OrchestrationError(.notActivated)
        }
        try record.requireActive()
        _ = try record.application(parameters.applicationIndex, over: data)
        let plan = try await environment.plan(for: parameters.protection, of: record)
        try await events.send(plan.fallback == nil ? [] : [.warning(Warning(.fellBackToPassword))])
        return Making(data: data, record: record, key: key, plan: plan)
    }

    /// Asks the user as planned.
    ///
    /// - Returns: The input that the user has authenticated with; `nil` when there is another plan.
    private func ask(_ making: inout Making, _ events: FlowEvents) async throws -> Input? {
        guard let keys = making.plan.keys else {
            guard making.plan.method == .password else { return .possession }
            return .password(
                try await environment.currentPassword(
                    of: account, making.refused, dataFields: making.data.shownFields, policy: making.record.pinPolicy))
        }
        switch try await environment.check(keys, of: account, dataFields: making.data.shownFields) {
        case .opened(let opened): return .method(opened.secret)
        case .aborted: throw FlowEnd(.canceled)
        case .expired: throw OrchestrationError(.internal)
        case .fallsBack(let reason): try await events.send(making.fallBack(reason))
        case .notLiving: try await events.send([.warning(Warning(.livenessFailed))] + making.fallBack(.failed))
        case .invalidated:
            try await orchestrator.dropInvalidated(keys, of: account, deviceID: making.record.deviceID)
            making = try await plan(over: making.data, events)
        }
        return nil
    }

    /// Reserves the counter durably, before a code exists.
    ///
    /// One atomic step takes the counter, the ratchet and the wrapped secret together, because the code must belong to
    /// one state of the record. Another activation may have replaced the device during the prompt, with other
    /// applications and another policy. The vault then fetches the new device's key.
    ///
    /// - Returns: `nil` when the user has to be asked again.
    private func reserve(
        for input: Input, _ making: inout Making, _ events: FlowEvents
    ) async throws -> Reservation? {
        let (data, asked, plan) = (making.data, making.record, making.plan)
        do {
            let (reserved, key) = try await environment.vault.update(account, expecting: making.key) {
                [parameters] record in
                try record.requireActive()
                if case .password(let password) = input {
                    // After a change of the password during the prompt, the input may be the earlier one.
                    guard record.deviceID != asked.deviceID || record.generation == asked.generation else {
                        throw OrchestrationError(.passwordChanged)
                    }
                    let policy = record.pinPolicy
                    if let fault = password.secret.formFault(under: policy) { throw NoCode.otherForm(fault, policy) }
                }
                // After another enrollment during the check, the platform may no longer know the secret.
                guard plan.isPresent(in: record) else { throw NoCode.enrollmentChanged }
                let application = try record.application(parameters.applicationIndex, over: data)
                return (application: application, counter: try record.takeCounter(of: application), record: record)
            }
            return Reservation(
                data: data, record: reserved.record, key: key, application: reserved.application,
                counter: reserved.counter)
        } catch NoCode.otherForm(let fault, let policy) {
            // The input cannot be the password, and a code from it would cost a try.
            try await events.send(try making.refused.refuse(.unsuitable(fault), limit: policy.tries))
        } catch NoCode.enrollmentChanged {
            making = try await self.plan(over: making.data, events)
        }
        return nil
    }

    private func makeCode(
        from reservation: Reservation, _ input: Input, by method: AuthenticationMethod
    ) async throws -> Parameters.Code {
        let (data, record, application) = (reservation.data, reservation.record, reservation.application)
        let secret =
            switch input {
            case .possession: record.possessionSecret
            case .method(let secret): secret
            case .password(let password): try await record.passwordInstance(password.secret, key: reservation.key)
            }
        let now = ClockOffset(milliseconds: record.clockOffset).platformTime(at: environment.time.now())
        let code = try CodeMaker(record: record, application: application, data: data)
            .make(secret: secret, method: method, counter: reservation.counter, now: now)
        environment.logger.debug("code made", metadata: ["application.index": "\(application.index)"])
        return parameters.result(of: code, over: data)
    }

    /// Moves the ratchet where the app waits for it.
    ///
    /// - Returns: The last events; `nil` when the code was made from keys that the platform does not know. That code is
    ///   wrong, and another one follows.
    private func moveRatchet(
        after code: Parameters.Code, _ making: inout Making, _ events: FlowEvents
    ) async throws -> [FlowEvent]? {
        let success = FlowEvent.succeeded(Parameters.outcome(code))
        guard let limit = parameters.synchronizationLimit else { return [success] }
        let reply: ChannelReply?
        do {
            reply = try await ChannelSession(account: account, orchestrator: orchestrator)
                .synchronizeWithClock(within: limit)
        } catch {
            guard let error = OrchestrationError.leavingTheSDK(error) as? OrchestrationError else { throw error }
            return [.warning(Warning(.notSynchronized, cause: error)), success]
        }
        guard let reply else { return [.warning(Warning(.notSynchronized)), success] }
        let warnings = reply.warnings.map(FlowEvent.warning)
        switch reply.result {
        case .accepted:
            let step = FlowStep(kind: SynchronizationFlow.kind, number: 1, total: 1, command: reply.command)
            let done = [FlowEvent.stepCompleted(step)] + warnings
            guard !making.plan.isPresent(in: reply.record) else { return done + [success] }
            making.record = reply.record
            try await events.send(done + making.fallBack(.notEnrolled))
            return nil
        case .refused(let refusal) where refusal.refusesCodes: return warnings + refusal.end
        case .refused(let refusal):
            let warning = Warning(.notSynchronized, cause: refusal.error)
            return warnings + [.warning(warning), success]
        }
    }
}

/// The input of a code, and the way in which the user authenticates for it.
private struct Making: Sendable {
    let data: LocalCode.Data
    var record: UserRecord
    let key: any DeviceKey
    var plan: AuthenticationPlan
    var refused = RefusedInputs()

    /// Plans the password instead of an enrolled method.
    ///
    /// - Returns: The warning about it.
    mutating func fallBack(_ reason: FallbackReason) -> [FlowEvent] {
        plan = .password(because: reason)
        return [.warning(Warning(.fellBackToPassword))]
    }
}

/// The input that the user has authenticated with.
private enum Input: Sendable {
    case possession
    case password(SecretBox<Password>)
    /// The secret of an enrolled method.
    case method(SymmetricKey)
}

/// The reason why no code is made from an input. In this case nothing is written.
private enum NoCode: Error {
    /// The input does not have the form of the password.
    case otherForm(PasswordFault, PINPolicy)
    /// The record no longer names the keys that a check has released.
    case enrollmentChanged
}

/// The state of the record that a code is made from, with the counter that no other code gets; `nil` for a code without
/// one.
private struct Reservation: Sendable {
    let data: LocalCode.Data
    let record: UserRecord
    let key: any DeviceKey
    let application: CryptoApplication
    let counter: UInt64?
}
