internal import Logging
internal import Primitives
internal import SecureChannel
internal import Wire

/// An activation that has begun: performs the actions of its machine and collects what there is to tell.
final class ActivationRun {
    let account: AccountName
    let handle: UInt16
    let environment: FlowEnvironment
    var told: [FlowEvent] = []

    var machine: ActivationMachine
    var action: ActivationMachine.Action
    /// Made in step 2; nobody's until the record that names it is stored.
    private var orphan: (any DeviceKey)?
    /// The device whose step 3 or 4 the platform has refused: what a drop is about.
    var refusedDevice: [UInt8]?
    /// The platform's clock, as steps 1 and 2 show it.
    private var clock = ClockOffset()
    private var keyExchange: (received: Timestamp, roundTrip: Int64)?

    init(
        account: AccountName, handle: UInt16, machine: consuming ActivationMachine, environment: FlowEnvironment
    ) {
        self.account = account
        self.handle = handle
        self.environment = environment
        action = machine.first
        self.machine = machine
    }

    /// Performs one action.
    func step() async throws {
        switch action {
        case .send(let command, let step): try await send(command, step)
        case .makeDeviceKey:
            let key = try await environment.deviceKeys.makeKey(for: environment.vault.name(for: account))
            orphan = key
            action = machine.register(deviceKey: key.publicKey)
        case .enroll(let policy, let rejection):
            try await ask(.enroll, rejection: rejection, policy: policy)
        case .confirm(let policy):
            try await ask(.confirm, rejection: nil, policy: policy)
        case .store(let device):
            try await store(device)
            orphan = nil
            action = machine.stored()
        case .recall(let rejection, let remainingTries):
            try await recall(rejection, remainingTries)
        case .prove(let secret): try await prove(secret)
        case .complete(let receipt): try await complete(receipt)
        case .finish(let end): try await finish(end)
        case .ignore: throw OrchestrationError(.internal)
        }
    }

    /// Lets go of what nobody needs any more: a device key that no record names.
    func abandon() async {
        guard let orphan else { return }
        // A write that failed may have happened all the same: then a record names the key, and needs it.
        do {
            guard try await environment.vault.deviceKey(account).handle != orphan.handle else { return }
        } catch let error as OrchestrationError where error.code == .userUnknown {
        } catch {
            return
        }
        try? await environment.deviceKeys.delete(handle: orphan.handle)
    }

    // MARK: Steps 1 and 2

    private func send(_ command: OrchestrationCommand, _ step: Int) async throws {
        let sent = environment.time.uptime()
        action = try await Courier(transport: environment.transport).deliver(command) { answer in
            let action = machine.receive(answer)
            if case .ignore = action { return nil }
            return action
        }
        keyExchange = (environment.time.now(), environment.time.uptime() - sent)
        guard case .finish = action else { return tell(step, command) }
    }

    // MARK: The password

    private func ask(_ purpose: Prompt.Purpose, rejection: InputRejection?, policy: PINPolicy) async throws {
        let prompting = UserPrompting(account: account, environment: environment)
        switch try await prompting.password(purpose, rejection: rejection, policy: policy) {
        case .aborted: action = .finish(.aborted(.user))
        case .entered(let password):
            action = machine.enter(password)
            if case .enroll(_, let rejection?) = action { told.append(.inputRejected(rejection)) }
        }
    }

    private func recall(_ rejection: InputRejection?, _ remainingTries: Int?) async throws {
        let prompting = UserPrompting(account: account, environment: environment)
        switch try await prompting.password(.authenticate, rejection: rejection, remainingTries: remainingTries) {
        case .aborted: action = .finish(.aborted(.user))
        case .entered(let password):
            guard let record = try await environment.vault.record(account) else {
                throw OrchestrationError(.notActivated)
            }
            let key = try await environment.vault.deviceKey(account)
            action = machine.recalled(try await record.passwordInstance(password, key: key))
        }
    }

    private func store(_ device: ActivatedDevice) async throws {
        guard let key = orphan, let password = device.password else { throw OrchestrationError(.internal) }
        if let keyExchange {
            clock.observe(
                platform: device.provisioning.platformTime, received: keyExchange.received,
                roundTrip: keyExchange.roundTrip)
            environment.doubts.keep(clock, of: account)
        }
        guard try await !isActive() else { throw OrchestrationError(.alreadyActivated) }
        let record = try await UserRecord(
            device, of: account, handle: handle, password: password, key: key,
            clockOffset: clock.milliseconds, configuration: environment.configuration, random: environment.random)
        try await environment.vault.create(record, key: key)
    }

    // MARK: The end

    private func finish(_ end: ActivationEnd) async throws {
        await abandon()
        switch end {
        case .activated:
            guard let record = try await environment.vault.record(account) else {
                throw OrchestrationError(.userUnknown)
            }
            try? await environment.attempts.forget(account)
            told.append(.warning(Warning(.notificationsPending)))
            told.append(.succeeded(.activated(UserInformation(record))))
        case .codeNotConfirmed:
            try await environment.attempts.count(handle: handle, of: account)
            told.append(.aborted(.activationPassword(.notConfirmed)))
        case .aborted(let cause): told.append(.aborted(cause))
        case .outdated(let reason): told.append(.outdated(reason))
        case .failed(let code): throw OrchestrationError(code)
        case .dropped(let drop):
            if let refusedDevice { try await environment.vault.delete(account, ofDevice: refusedDevice) }
            switch drop {
            case .expired: told.append(.outdated(.expired))
            case .locked: told.append(.aborted(.locked))
            case .revoked: told.append(.aborted(.revoked))
            }
        }
    }

    func tell(_ step: Int, _ command: OrchestrationCommand, _ warnings: [Warning] = []) {
        told.append(.stepCompleted(FlowStep(kind: .activation, number: step, total: 4, command: command)))
        told.append(contentsOf: warnings.map(FlowEvent.warning))
        environment.logger.debug("activation step completed", metadata: ["flow.step": "\(step)"])
    }
}
