internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// The flow of an activation.
///
/// The order is: agree on keys from the activation password (step 1), register a device key (step 2), ask for a
/// password, store the device as pending, prove the password (step 3), prove the other instance (step 4). An activation
/// that was interrupted after the device was stored continues at step 3 or 4.
struct ActivationFlow: Flow {
    struct Parameters: FlowParameters {
        let user: UserName
        /// The activation password as it was typed; `nil` to resume an activation.
        let activationPassword: OneShotSecret?
        /// Whether the last step registers the pull channel.
        let registersNotifications: Bool
        /// The link that the app has opened; `nil` for a user who typed all of it.
        var link: ActivationLink?
    }

    static let kind = FlowKind("activation")

    private let parameters: Parameters
    private let account: AccountName
    private let orchestrator: Orchestrator

    private var environment: FlowEnvironment { orchestrator.environment }
    private var attempts: FailedAttempts { FailedAttempts(environment: environment) }

    init(_ parameters: Parameters, account: AccountName, orchestrator: Orchestrator) throws(OrchestrationError) {
        let tenant = orchestrator.environment.configuration.tenant
        guard parameters.link?.names(tenant: tenant) ?? true else { throw OrchestrationError(.linkOfOtherPlatform) }
        self.parameters = parameters
        self.account = account
        self.orchestrator = orchestrator
    }

    func run(_ events: FlowEvents) async throws -> [FlowEvent] {
        var pending = try await pending(events)
        if pending.receipt == nil { try await provePassword(of: &pending, events) }
        return try await complete(&pending)
    }

    /// Performs steps 1 and 2, up to the stored device, or returns the stored device of an interrupted activation. The
    /// secrets of these steps are released when the steps end.
    private func pending(_ events: FlowEvents) async throws -> PendingActivation {
        guard let typed = parameters.activationPassword else { return try await resumed() }
        // Nothing leaves the device before the activation password has passed its check.
        let activationPassword = try typed.activationPassword(orEndingWith: .activationPasswordMistyped)
        let handle = activationPassword.handle
        guard try await attempts.permit(handle: handle, of: account) else {
            throw FlowEnd(.activationPasswordTriedTooOften)
        }
        if let pending = try await pending(of: handle) { return pending }
        let exchange = try await agreeOnKeys(activationPassword, events)
        let key = try await environment.deviceKeys.makeKey(for: environment.vault.name(for: account))
        do {
            try await events.send(key.warnings.map(FlowEvent.warning))
            let (device, clock) = try await register(key, exchange, events)
            let password = try await environment.newPassword(
                of: account, for: (.enroll, .confirm), policy: device.policy, events)
            // A newer flow may have stored a device meanwhile.
            try await events.send([])
            return try await store(device, password, key, clock: clock, handle: handle)
        } catch {
            await delete(key)
            throw error
        }
    }

    private func completed(_ step: Int, _ command: OrchestrationCommand, _ warnings: [Warning] = []) -> [FlowEvent] {
        environment.logger.debug("activation step completed", metadata: ["flow.step": "\(step)"])
        let event = FlowEvent.stepCompleted(FlowStep(kind: Self.kind, number: step, total: 4, command: command))
        return [event] + warnings.map(FlowEvent.warning)
    }
}

/// A device that is stored and not activated yet.
private struct PendingActivation: Sendable {
    /// The public part of the activation password.
    let handle: UInt16
    /// The record and its key, for a step that follows at once.
    var opened: (record: UserRecord, key: any DeviceKey)?
    /// The rules of the stored password.
    let policy: PINPolicy
    /// The secret of the password's instance; `nil` before the user has typed the password again.
    var secret: SymmetricKey?
    /// The hash of the receipt of step 3; `nil` before the platform has accepted the password.
    var receipt: [UInt8]?

    init(_ opened: (record: UserRecord, key: any DeviceKey), secret: SymmetricKey? = nil, receipt: [UInt8]? = nil) {
        self.opened = opened
        self.secret = secret
        self.receipt = receipt
        handle = opened.record.activationHandle
        policy = opened.record.pinPolicy
    }
}

// The start.
extension ActivationFlow {
    /// Returns the device that the same activation password has created, if its activation can continue. With another
    /// activation password, a new activation begins, because the platform may have dropped the pending device, and no
    /// authenticated answer would report this.
    private func pending(of handle: UInt16) async throws -> PendingActivation? {
        guard let opened = try await openUnlessActive(), opened.record.activationHandle == handle else { return nil }
        return await interrupted(opened)
    }

    /// Returns the device of an activation that is resumed without its activation password.
    private func resumed() async throws -> PendingActivation {
        guard let opened = try await openUnlessActive() else { throw OrchestrationError(.userUnknown) }
        if case .locked(let reason) = opened.record.state { throw OrchestrationError(.init(reason)) }
        if let pending = await interrupted(opened) { return pending }
        if opened.record.replacedDevice != nil { try await drop(opened.record) }
        throw FlowEnd(.activationExpired)
    }

    private func openUnlessActive() async throws -> (record: UserRecord, key: any DeviceKey)? {
        guard let opened = try await environment.vault.open(account) else { return nil }
        guard opened.record.state != .active else { throw OrchestrationError(.alreadyActivated) }
        return opened
    }

    /// Returns the activation that was interrupted at step 3 or 4, if it can still be completed.
    private func interrupted(_ opened: (record: UserRecord, key: any DeviceKey)) async -> PendingActivation? {
        switch opened.record.state {
        case .pending:
            let now = await orchestrator.clockOffset(of: account, stored: opened.record.clockOffset)
                .requestTime(at: environment.time.now())
            return now < opened.record.pendingUntil ? PendingActivation(opened) : nil
        // The time has no effect here: the platform may have accepted step 4, and its answer may be lost. The device is
        // then active at the platform, and becomes active here.
        case .passwordProven(let receipt): return PendingActivation(opened, receipt: receipt)
        case .active, .locked: return nil
        }
    }
}

// Steps 1 and 2, and the password.
extension ActivationFlow {
    /// Step 1: both sides prove that they know the activation password, and agree on keys.
    private func agreeOnKeys(
        _ activationPassword: borrowing ActivationPassword, _ events: FlowEvents
    ) async throws -> KeyExchange {
        let configuration = environment.configuration
        let handle = activationPassword.handle
        let offer = try KeyOffer(
            activationPassword, of: account, tenant: configuration.tenant, suites: configuration.suites(),
            random: environment.random)
        let exchange: KeyExchange
        do {
            exchange = try await Courier(transport: environment.transport).deliver(offer.command) {
                try offer.exchange(in: $0)
            }
        } catch let error as SecureChannelError where error.code == .wrongActivationPassword {
            try await attempts.count(handle: handle, of: account)
            throw FlowEnd(.activationPasswordNotConfirmed)
        }
        try await events.send(completed(1, offer.command))
        return exchange
    }

    /// Step 2: the device registers its key, and gets the provisioning of the platform.
    private func register(
        _ key: any DeviceKey, _ exchange: KeyExchange, _ events: FlowEvents
    ) async throws -> (device: ActivatedDevice, clock: ClockSample) {
        let command = try exchange.registration(
            of: key.publicKey, deviceName: environment.configuration.deviceName, random: environment.random)
        let sent = environment.time.uptime()
        let device = try await Courier(transport: environment.transport).deliver(command) {
            try exchange.device(in: $0)
        }
        let clock = ClockSample(
            platform: device.provisioning.platformTime, received: environment.time.now(),
            roundTrip: (environment.time.uptime() - sent).wholeMilliseconds)
        try await events.send(completed(2, command))
        return (device, clock)
    }

    /// Stores the device as pending, durably.
    private func store(
        _ device: ActivatedDevice, _ password: SecretBox<Password>, _ key: any DeviceKey, clock: ClockSample,
        handle: UInt16
    ) async throws -> PendingActivation {
        let offset = await orchestrator.clockOffset(of: account, stored: 0, observing: clock)
        let record = try await UserRecord(
            device, of: account, handle: handle, password: password.secret, key: key,
            clockOffset: offset.milliseconds, environment: environment)
        try await environment.vault.create(record, key: key)
        return PendingActivation((record, key), secret: device.secrets.passwordInstance)
    }

    /// Deletes a device key if no record names it.
    private func delete(_ key: any DeviceKey) async {
        // A write that failed may have happened anyway. A record then names the key and needs it.
        do {
            guard try await environment.vault.deviceKey(account).handle != key.handle else { return }
        } catch let error as OrchestrationError where error.code == .userUnknown {
        } catch {
            return
        }
        // The flow ends in any case. A key that stays cannot be used, because no record names it.
        try? await environment.deviceKeys.delete(handle: key.handle)
    }
}

// Steps 3 and 4, on the channel.
extension ActivationFlow {
    /// Step 3: proves the password, and asks for it until the platform accepts it.
    private func provePassword(of pending: inout PendingActivation, _ events: FlowEvents) async throws {
        var inputs = RefusedInputs()
        while true {
            if pending.secret == nil { pending.secret = try await recall(&pending, &inputs, events) }
            guard let secret = pending.secret.take() else { throw OrchestrationError(.internal) }
            let reply = try await exchange(&pending, { _ in .activationPassword }) { record in
                ChannelProof(password: secret, generation: record.generation)
            } effect: { record, acceptance in
                // Another process may have progressed further meanwhile. The state never moves back.
                if record.state == .pending { record.state = .passwordProven(receiptHash: acceptance.receipt) }
            }
            switch reply.result {
            case .accepted(let acceptance):
                pending.receipt = acceptance.receipt
                return try await events.send(completed(3, reply.command, reply.warnings))
            case .refused(let refusal):
                try await dropIfDropped(reply)
                try await events.send(try inputs.refuse(refusal, after: reply.warnings))
            }
        }
    }

    /// Asks for the password of an interrupted activation.
    ///
    /// - Returns: The secret that the password unwraps. Only the platform knows whether it is right.
    private func recall(
        _ pending: inout PendingActivation, _ inputs: inout RefusedInputs, _ events: FlowEvents
    ) async throws -> SymmetricKey {
        while true {
            let password = try await environment.currentPassword(of: account, inputs, policy: pending.policy)
            guard try await inputs.accepts(password, under: pending.policy, events) else { continue }
            // A newer flow may have begun during the prompt, and the proof may cost a try.
            try await events.send([])
            guard let opened = try await environment.vault.open(account) else {
                throw OrchestrationError(.notActivated)
            }
            pending.opened = opened
            return try await opened.record.passwordInstance(password.secret, key: opened.key)
        }
    }

    /// Step 4: proves the other instance. The platform activates the device.
    private func complete(_ pending: inout PendingActivation) async throws -> [FlowEvent] {
        guard let receipt = pending.receipt else { throw OrchestrationError(.internal) }
        let (now, registers) = (environment.time.now(), parameters.registersNotifications)
        let reply = try await exchange(
            &pending,
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
        switch reply.result {
        case .accepted: return try await activated(reply.record, completed(4, reply.command, reply.warnings))
        // In step 4 the platform refuses permission only for one device too many.
        case .refused(let refusal) where refusal.code == .notPermitted:
            throw FlowEnd(OrchestrationError(.deviceLimitReached, refusal), after: reply.warnings)
        case .refused(let refusal):
            try await dropIfDropped(reply)
            throw FlowEnd(refusal.error, after: reply.warnings)
        }
    }

    private func exchange(
        _ pending: inout PendingActivation, _ message: @Sendable (UserRecord) -> RequestBody,
        proof: @Sendable (UserRecord) -> ChannelProof?,
        effect: @escaping @Sendable (inout UserRecord, ChannelReply.Acceptance) -> Void
    ) async throws -> ChannelReply {
        var opened = pending.opened.take()
        if opened == nil { opened = try await environment.vault.open(account) }
        if let record = opened?.record, record.state == .active {
            // Another process has completed the activation.
            throw FlowEnd(try await activated(record, []))
        }
        let session = ChannelSession(account: account, orchestrator: orchestrator)
        return try await session.exchange(with: opened, message, proof: proof, effect: effect)
    }
}

// The end.
extension ActivationFlow {
    private func activated(_ record: UserRecord, _ events: [FlowEvent]) async throws -> [FlowEvent] {
        // The activation is complete. A count that remains is outdated after an hour.
        try? await attempts.remove(of: account)
        let warnings: [FlowEvent] =
            record.notificationIdentifier == nil ? [.warning(Warning(.notificationsPending))] : []
        return events + warnings + [.succeeded(.activated(UserInformation(record)))]
    }

    /// Drops a pending device that the platform has dropped, as its sealed answer states. The last wrong password also
    /// drops it. The platform would not recognize the next request.
    private func dropIfDropped(_ reply: ChannelReply) async throws {
        guard case .refused(let refusal) = reply.result else { return }
        let isDropped = [.pendingExpired, .locked, .revoked].contains(refusal.code)
        guard isDropped || refusal.code == .wrongPassword && refusal.remainingTries == 0 else { return }
        try await drop(reply.record)
    }

    private func drop(_ record: UserRecord) async throws {
        try await environment.vault.delete(account, ofDevice: record.deviceID, restoringReplaced: true)
    }
}

/// Step 1 on the device: the offer of keys, which proves the activation password, and its answer.
final class KeyOffer {
    private let initiator: ActivationInitiator

    /// - Throws: The errors of the key exchange for arguments of this device that are out of range. A peer cannot cause
    ///   them.
    init(
        _ activationPassword: borrowing ActivationPassword, of account: AccountName, tenant: String, suites: [Suite],
        random: any RandomSource
    ) throws {
        initiator = try ActivationInitiator(
            secret: activationPassword.secret, handle: activationPassword.handle, account: account, tenant: tenant,
            suites: suites, capabilities: Capability.device, random: random)
    }

    /// The command of step 1. After a lost answer, send it again.
    var command: OrchestrationCommand { initiator.command }

    /// Reads a reply to step 1.
    ///
    /// - Returns: The exchange; `nil` for a reply that is not the answer. Replies may be late, duplicated or forged.
    /// - Throws: `SecureChannelError` for an answer that ends the exchange, with `wrongActivationPassword` for a
    ///   platform that does not know the activation password; the end of the flow by a refusal.
    func exchange(in reply: OrchestrationCommand) throws -> KeyExchange? {
        guard let reply = try? Envelope(decoding: reply) else { return nil }
        switch try? initiator.reply(in: reply) {
        case nil: return nil
        case .refusal(let reason): throw Self.end(reason)
        case .answer(let answer): return KeyExchange(try initiator.receive(answer))
        }
    }

    /// The end of the flow by a refusal. The refusal is not authenticated and therefore changes nothing that is stored.
    fileprivate static func end(_ reason: ActivationRefusal.Reason) -> any Error {
        switch reason {
        case .refused: FlowEnd(.activationPasswordNotConfirmed)
        case .deviceLimitReached: FlowEnd(.deviceLimitReached)
        default: OrchestrationError(.invalidAnswer)
        }
    }
}

/// Step 2 on the device. The platform has proven that it knows the activation password.
final class KeyExchange {
    private var session: ActivationSession
    private var registered: DeviceRegistration?

    init(_ session: consuming ActivationSession) { self.session = session }

    /// Returns the command of step 2.
    ///
    /// - Parameters:
    ///   - deviceKey: The public half of the device key, 33 bytes.
    ///   - deviceName: At most 64 bytes of UTF-8.
    func registration(
        of deviceKey: [UInt8], deviceName: String, random: any RandomSource
    ) throws -> OrchestrationCommand {
        // The methods that every device can prove: possession and the password.
        let methods: [AuthenticationMethod] = [.possession, .password]
        let registration = DeviceRegistration(
            deviceKey: deviceKey, clientRandom: random.bytes(32), deviceName: deviceName,
            sdkVersion: PackageVersion.text, methods: methods.map { UInt64($0.rawValue) })
        registered = registration
        return try session.seal(registration, random: random)
    }

    /// Reads a reply to step 2.
    ///
    /// - Returns: The provisioning of the platform, with the secrets of both sides; `nil` for a reply that is not the
    ///   answer.
    /// - Throws: `invalidAnswer` for values outside the limits of the protocol; the end of the flow by a refusal.
    func device(in reply: OrchestrationCommand) throws -> ActivatedDevice? {
        guard let reply = try? Envelope(decoding: reply), let registered else { return nil }
        switch try? session.reply(in: reply) {
        case nil: return nil
        // Both sides have proven the activation password, so the platform refuses a session that it has dropped.
        case .refusal(.refused): throw FlowEnd(.exchangeExpired)
        case .refusal(let reason): throw KeyOffer.end(reason)
        case .answer(let answer):
            guard let provisioning = try? session.open(answer) else { return nil }
            let secrets = session.secrets(registration: registered, provisioning: provisioning)
            guard
                let device = ActivatedDevice(
                    suite: session.suite, capabilities: session.capabilities, provisioning: provisioning,
                    secrets: secrets)
            else { throw OrchestrationError(.invalidAnswer) }
            return device
        }
    }
}
