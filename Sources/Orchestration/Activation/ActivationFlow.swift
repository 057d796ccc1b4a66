internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// The flow of an activation: starts or resumes an ``ActivationMachine`` and performs its actions.
final class ActivationFlow: Flow {
    struct Parameters: FlowParameters {
        let user: UserName
        /// The activation password as it was typed; `nil` to resume an activation.
        let activationPassword: SecretBox<SecretBytes>?
        /// Whether the last step registers the pull channel.
        let registersNotifications: Bool
    }

    static let kind = FlowKind("activation")

    private let account: AccountName
    private let orchestrator: Orchestrator
    private let registersNotifications: Bool

    /// The activation password as it was typed, until the machine has started.
    private var typed: SecretBox<SecretBytes>?
    private var machine: ActivationMachine?
    private var action: ActivationMachine.Action?
    private var handle: UInt16 = 0
    /// The number of inputs of another form since the last one of the right form.
    private var refusedInputs = 0
    /// The number of wrong passwords that the platform still accepts, as it said last.
    private var remainingTries: Int?

    /// The device key of step 2, until a record names it.
    private var newKey: (any DeviceKey)?
    /// The record and its key as the step before has left them, for a step that follows at once.
    private var opened: (record: UserRecord, key: any DeviceKey)?
    /// The record as this flow knows it.
    private var record: UserRecord?
    /// When the latest answer of step 1 or 2 came, and how long it took.
    private var keyExchange: (received: Timestamp, roundTrip: Int64)?

    private var environment: FlowEnvironment { orchestrator.environment }
    private var attempts: FailedAttempts { FailedAttempts(environment: environment) }

    init(_ parameters: Parameters, account: AccountName, orchestrator: Orchestrator) {
        typed = parameters.activationPassword
        registersNotifications = parameters.registersNotifications
        self.account = account
        self.orchestrator = orchestrator
    }

    func step() async throws -> [FlowEvent] {
        let events = try await perform()
        // An effect and the end that it leads to are one step: a newer flow must not come in between.
        guard case .finish(let end) = action else { return events }
        return events + (try await finish(end))
    }

    private func perform() async throws -> [FlowEvent] {
        switch action {
        case nil: return try await begin()
        case .send(let command, let step): return try await send(command, step)
        case .makeDeviceKey: return try await makeDeviceKey()
        case .enroll(let policy, let rejection): return try await ask(.enroll, rejection, policy)
        case .confirm(let policy): return try await ask(.confirm, nil, policy)
        case .store: return try await store()
        case .recall(let rejection): return try await recall(rejection)
        case .prove: return try await prove()
        case .complete(let receipt): return try await complete(receipt)
        case .finish: return []
        }
    }

    /// Removes the device key if no record names it.
    func cleanUp() async {
        guard let newKey else { return }
        // A write that failed may have happened all the same. Then a record names the key and needs it.
        do {
            guard try await environment.vault.deviceKey(account).handle != newKey.handle else { return }
        } catch let error as OrchestrationError where error.code == .userUnknown {
        } catch {
            return
        }
        // The flow has its end already. The key provider deletes a key that no record names at its next start.
        try? await environment.deviceKeys.delete(handle: newKey.handle)
    }

    /// Takes the machine's next action.
    ///
    /// - Throws: `internal` for `nil`: the flow has passed an input that does not belong to the state.
    private func take(_ next: ActivationMachine.Action?) throws(OrchestrationError) {
        guard let next else { throw OrchestrationError(.internal) }
        action = next
    }

    private func completed(
        _ step: Int, _ command: OrchestrationCommand, _ warnings: [Warning] = []
    ) -> [FlowEvent] {
        environment.logger.debug("activation step completed", metadata: ["flow.step": "\(step)"])
        let event = FlowEvent.stepCompleted(FlowStep(kind: .activation, number: step, total: 4, command: command))
        return [event] + warnings.map(FlowEvent.warning)
    }
}

// The start.
extension ActivationFlow {
    /// Starts or resumes. Nothing leaves the device before the activation password has passed its check.
    ///
    /// - Returns: The terminal event when the activation cannot go on.
    private func begin() async throws -> [FlowEvent] {
        guard let typed = typed.take() else { return try await resume() }
        let activationPassword: ActivationPassword
        do throws(ActivationPasswordError) {
            activationPassword = try ActivationPassword(parsing: typed.secret)
        } catch {
            return [.aborted(OrchestrationError(.activationPasswordMistyped, underlying: error))]
        }
        handle = activationPassword.handle
        guard try await attempts.permit(handle: handle, of: account) else {
            return [.aborted(.activationPasswordTriedTooOften)]
        }
        // With another activation password a new activation begins: the platform may have dropped the pending device,
        // and no authenticated answer would say so.
        if let opened = try await openUnlessActive(), opened.record.activationHandle == handle,
            let machine = await interrupted(opened.record)
        {
            start(machine, opened)
            return []
        }
        let configuration = environment.configuration
        let machine = try ActivationMachine(
            activationPassword: activationPassword, account: account, tenant: configuration.tenant,
            suites: configuration.suites(), deviceName: configuration.deviceName, random: environment.random)
        start(machine, nil)
        return []
    }

    /// Resumes without an activation password.
    private func resume() async throws -> [FlowEvent] {
        guard let opened = try await openUnlessActive() else { throw OrchestrationError(.userUnknown) }
        if case .locked = opened.record.state { throw OrchestrationError(.userLocked) }
        guard let machine = await interrupted(opened.record) else {
            if opened.record.replacedDevice != nil {
                try await environment.vault.delete(
                    account, ofDevice: opened.record.deviceID, restoringReplaced: true)
            }
            return [.outdated(.activationExpired)]
        }
        handle = opened.record.activationHandle
        start(machine, opened)
        return []
    }

    private func start(_ machine: consuming ActivationMachine, _ opened: (record: UserRecord, key: any DeviceKey)?) {
        self.opened = opened
        action = machine.first
        self.machine = consume machine
    }

    private func openUnlessActive() async throws -> (record: UserRecord, key: any DeviceKey)? {
        guard let opened = try await environment.vault.open(account) else { return nil }
        guard opened.record.state != .active else { throw OrchestrationError(.alreadyActivated) }
        return opened
    }

    /// Returns the machine of an activation that was interrupted at step 3 or 4 and can still be completed.
    private func interrupted(_ record: UserRecord) async -> ActivationMachine? {
        switch record.state {
        case .pending:
            let now = await orchestrator.clockOffset(of: account, stored: record.clockOffset)
                .requestTime(at: environment.time.now())
            return now < record.pendingUntil ? ActivationMachine(resumingWith: nil) : nil
        // Whatever the time: the platform may have accepted step 4, and its answer may be lost. Then the device is
        // active there, and becomes active here.
        case .passwordProven(let receipt): return ActivationMachine(resumingWith: receipt)
        case .active, .locked: return nil
        }
    }
}

// Steps 1 and 2, and the password.
extension ActivationFlow {
    private func send(_ command: OrchestrationCommand, _ step: Int) async throws -> [FlowEvent] {
        let sent = environment.time.uptime()
        action = try await Courier(transport: environment.transport).deliver(command) { machine?.receive($0) }
        keyExchange = (environment.time.now(), (environment.time.uptime() - sent).wholeMilliseconds)
        if case .finish = action { return [] }
        return completed(step, command)
    }

    private func makeDeviceKey() async throws -> [FlowEvent] {
        let key = try await environment.deviceKeys.makeKey(for: environment.vault.name(for: account))
        newKey = key
        try take(machine?.register(deviceKey: key.publicKey))
        return key.warnings.map(FlowEvent.warning)
    }

    private func ask(
        _ purpose: Prompt.Purpose, _ rejection: InputRejection?, _ policy: PINPolicy
    ) async throws -> [FlowEvent] {
        guard
            let password = try await environment.password(
                of: account, for: purpose, rejection: rejection, policy: policy)
        else { return [.aborted(.canceled)] }
        try take(machine?.enter(password))
        guard case .enroll(_, let rejection?) = action else { return [] }
        return [.inputRejected(rejection)]
    }

    private func store() async throws -> [FlowEvent] {
        guard let key = newKey, let (device, password) = machine?.chosen else { throw OrchestrationError(.internal) }
        var clock = ClockOffset()
        if let keyExchange {
            let sample = ClockSample(
                platform: device.provisioning.platformTime, received: keyExchange.received,
                roundTrip: keyExchange.roundTrip)
            clock = await orchestrator.clockOffset(of: account, stored: 0, observing: sample)
        }
        let record = try await UserRecord(
            device, of: account, handle: handle, password: password.secret, key: key,
            clockOffset: clock.milliseconds, environment: environment)
        try await environment.vault.create(record, key: key)
        newKey = nil
        opened = (record, key)
        try take(machine?.stored())
        return []
    }
}

// Steps 3 and 4, on the channel.
extension ActivationFlow {
    private func recall(_ rejection: InputRejection?) async throws -> [FlowEvent] {
        let policy = record?.pinPolicy ?? opened?.record.pinPolicy
        guard
            let password = try await environment.password(
                of: account, for: .authenticate, rejection: rejection, remainingTries: remainingTries, policy: policy)
        else { return [.aborted(.canceled)] }
        // An input of another form than the password has cannot be the password. It is refused without a try, at most
        // as often in a row as the policy allows tries: a provider without a person may return the same input each
        // time.
        if let policy, let fault = password.secret.formFault(under: policy) {
            refusedInputs += 1
            let event = FlowEvent.inputRejected(.unsuitable(fault))
            guard refusedInputs < policy.tries else { return [event, .aborted(.inputRejectedTooOften)] }
            action = .recall(rejection: .unsuitable(fault))
            return [event]
        }
        refusedInputs = 0
        guard let opened = try await environment.vault.open(account) else { throw OrchestrationError(.notActivated) }
        self.opened = opened
        try take(machine?.recalled(try await opened.record.passwordInstance(password.secret, key: opened.key)))
        return []
    }

    private func prove() async throws -> [FlowEvent] {
        guard let secret = machine?.passwordSecret else { throw OrchestrationError(.internal) }
        return try await exchange(3, { _ in .activationPassword }) { record in
            ChannelProof(password: secret, generation: record.generation)
        } effect: { record, acceptance in
            // Another process may have gone further meanwhile; the state never goes back.
            if record.state == .pending { record.state = .passwordProven(receiptHash: acceptance.receipt) }
        }
    }

    private func complete(_ receipt: [UInt8]) async throws -> [FlowEvent] {
        let (now, registers) = (environment.time.now(), registersNotifications)
        return try await exchange(
            4,
            {
                .activationComplete(
                    receiptHash: receipt, registersPullChannel: registers, replacing: $0.replacedDevice)
            }
        ) { record in
            ChannelProof(possessionOf: record)
        } effect: { record, acceptance in
            guard case .passwordProven = record.state else { return }
            record.state = .active
            record.activatedAt = acceptance.offset.platformTime(at: now)
            guard registers else { return }
            record.notificationIdentifier = NotificationIdentifier.pullChannel.text(deviceID: record.deviceID)
        }
    }

    private func exchange(
        _ step: Int, _ message: @Sendable (UserRecord) -> RequestBody, proof: @Sendable (UserRecord) -> ChannelProof?,
        effect: @escaping @Sendable (inout UserRecord, ChannelReply.Acceptance) -> Void
    ) async throws -> [FlowEvent] {
        var opened = opened.take()
        if opened == nil { opened = try await environment.vault.open(account) }
        if let record = opened?.record, record.state == .active {
            // Another process has completed the activation.
            self.record = record
            action = .finish(.activated)
            return []
        }
        let session = ChannelSession(account: account, orchestrator: orchestrator)
        let reply = try await session.exchange(with: opened, message, proof: proof, effect: effect)
        record = reply.record
        switch reply.result {
        case .accepted(let acceptance):
            try take(machine?.accepted(receipt: acceptance.receipt))
            return completed(step, reply.command, reply.warnings)
        case .refused(let refusal):
            try take(machine?.refused(refusal))
            guard case .recall(let rejection?) = action else { return reply.warnings.map(FlowEvent.warning) }
            remainingTries = rejection.remainingTries
            return reply.warnings.map(FlowEvent.warning) + [.inputRejected(rejection)]
        }
    }
}

// The end.
extension ActivationFlow {
    private func finish(_ end: ActivationMachine.End) async throws -> [FlowEvent] {
        switch end {
        case .activated:
            guard let record else { throw OrchestrationError(.internal) }
            // The activation is complete. A count that stays is outdated after an hour.
            try? await attempts.remove(of: account)
            let success = FlowEvent.succeeded(.activated(UserInformation(record)))
            guard record.notificationIdentifier == nil else { return [success] }
            return [.warning(Warning(.notificationsPending)), success]
        case .notConfirmed:
            try await attempts.count(handle: handle, of: account)
            return [.aborted(.activationPasswordNotConfirmed)]
        case .ended(let error): return [.ended(error)]
        case .failed(let code): throw OrchestrationError(code)
        case .dropped(let error):
            if let record {
                try await environment.vault.delete(account, ofDevice: record.deviceID, restoringReplaced: true)
            }
            return [.ended(error)]
        }
    }
}
