internal import Crypto
internal import Logging
internal import Primitives
internal import Wire

/// The flow of ``Orchestrator/authenticateLocally(_:)``.
///
/// The order is: ask, reserve the counter durably, make the code, report it, move the ratchet. The code never waits for
/// the network, and the ratchet moves as soon as the code was reported.
final class OneTimePasswordFlow: Flow {
    static let kind = FlowKind("oneTimePassword")

    private enum State {
        case checking
        case making(CryptoApplication, PINPolicy, any DeviceKey)
        case synchronizing(OneTimePasswordResult)
    }

    private let parameters: OneTimePasswordParameters
    private let account: AccountName
    private let orchestrator: Orchestrator
    private var state = State.checking

    /// The reason why the input before was refused.
    private var rejection: InputRejection?
    private var refusedInputs = 0

    private var environment: FlowEnvironment { orchestrator.environment }

    init(_ parameters: OneTimePasswordParameters, account: AccountName, orchestrator: Orchestrator) {
        self.parameters = parameters
        self.account = account
        self.orchestrator = orchestrator
    }

    func step() async throws -> [FlowEvent] {
        switch state {
        case .checking: try await check()
        case .making(let application, let policy, let key): try await make(application, policy, key)
        case .synchronizing(let result): try await synchronize(result)
        }
    }

    private func check() async throws -> [FlowEvent] {
        guard let (record, key) = try await environment.vault.open(account) else {
            throw OrchestrationError(.notActivated)
        }
        try record.requireActive()
        let application = try record.application(parameters.application, challenge: parameters.challenge)
        state = .making(application, record.pinPolicy, key)
        // No key of this activation is bound to a biometric rule of the system. Such a method would be claimed and not
        // proven, so the password is asked for instead.
        return parameters.protection == method ? [] : [.warning(Warning(.fellBackToPassword))]
    }

    /// The method that makes the code.
    private var method: AuthenticationMethod {
        switch parameters.protection {
        case .possession: .possession
        case .password, .biometric, .face: .password
        }
    }

    private func make(
        _ application: CryptoApplication, _ policy: PINPolicy, _ key: any DeviceKey
    ) async throws -> [FlowEvent] {
        var password: SecretBox<Password>?
        if method == .password {
            password = try await environment.password(
                of: account, for: .authenticate, rejection: rejection, policy: policy)
            guard let password else { return [.aborted(.user)] }
            // An input of another form than the password has cannot be the password. A code from it would cost a try.
            if let fault = password.secret.formFault(under: policy) {
                // A provider without a person, such as a file descriptor, gives the same input again and again.
                refusedInputs += 1
                guard refusedInputs < policy.tries else {
                    return [.inputRejected(.unsuitable(fault)), .aborted(.user)]
                }
                let rejection = InputRejection.unsuitable(fault)
                self.rejection = rejection
                return [.inputRejected(rejection)]
            }
        }
        // One atomic step takes the counter, the ratchet and the wrapped secret together, so that the code belongs to one
        // state of the record, and the counter is durable before a code exists. Another activation may have replaced
        // the device during the prompt; then the vault fetches its key.
        let change = try await environment.vault.update(account, expecting: key) { record in
            try record.requireActive()
            return (record, try record.takeCounter(of: application))
        }
        let (record, counter) = change.result
        let secret: SymmetricKey
        if let password {
            secret = try await record.passwordInstance(password.secret, key: change.key)
        } else {
            secret = record.possessionSecret
        }
        let codes = CodeMaker(record: record, application: application, challenge: parameters.challenge)
        let now = ClockOffset(milliseconds: record.clockOffset).platformTime(at: environment.time.now())
        let result = try codes.make(secret: secret, method: method, counter: counter, now: now)
        state = .synchronizing(result)
        environment.logger.debug("one-time password made", metadata: ["application.index": "\(application.index)"])
        return [.oneTimePasswordReady(result)]
    }

    private func synchronize(_ result: OneTimePasswordResult) async throws -> [FlowEvent] {
        let success = FlowEvent.succeeded(.authenticatedLocally(result))
        guard case .atMost(let limit) = parameters.synchronization else { return [success] }
        let reply: ChannelReply?
        do {
            reply = try await exchangeCounters(within: limit)
        } catch let error as OrchestrationError where !Task.isCancelled {
            return [.warning(Warning(.notSynchronized, cause: error)), success]
        }
        guard let reply else { return [.warning(Warning(.notSynchronized)), success] }
        let warnings = reply.warnings.map(FlowEvent.warning)
        switch reply.result {
        case .accepted:
            let step = FlowStep(kind: .synchronization, number: 1, total: 1, command: reply.command)
            return [.stepCompleted(step)] + warnings + [success]
        case .refused(let refusal):
            switch refusal.cause {
            // The platform says under its seal that codes of this store are worthless.
            case .cloneSuspected, .revoked: return warnings + [.aborted(refusal.cause)]
            case let cause:
                let warning = Warning(.notSynchronized, cause: OrchestrationError(aborted: cause))
                return warnings + [.warning(warning), success]
            }
        }
    }

    /// Moves the ratchet and exchanges counters.
    ///
    /// - Returns: The reply, or `nil` when there was none in time.
    private func exchangeCounters(within limit: Duration) async throws -> ChannelReply? {
        let session = ChannelSession(account: account, orchestrator: orchestrator)
        let time = environment.time
        return try await withThrowingTaskGroup(of: ChannelReply?.self) { group in
            group.addTask { try await session.synchronize() }
            group.addTask {
                try await time.sleep(milliseconds: limit.wholeMilliseconds)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}

extension ChannelSession {
    /// Sends one `synchronize` request, and a second one when the answer has brought a clock candidate.
    fileprivate func synchronize() async throws -> ChannelReply {
        let message: @Sendable (UserRecord) -> RequestBody = { [time = environment.time] record in
            let now = ClockOffset(milliseconds: record.clockOffset).platformTime(at: time.now())
            return .synchronize(generation: record.generation, counters: record.counters(at: now))
        }
        let reply = try await exchange(message)
        guard case .accepted(let acceptance) = reply.result, acceptance.offset.candidate != nil else { return reply }
        return try await exchange(message)
    }
}

extension Duration {
    /// The milliseconds, rounded up; the nearest number for a duration beyond 64 bits.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (milliseconds, isOverflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !isOverflow else { return seconds < 0 ? .min : .max }
        let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        let (sum, isSumOverflow) = milliseconds.addingReportingOverflow(part)
        return isSumOverflow ? .max : sum
    }
}
