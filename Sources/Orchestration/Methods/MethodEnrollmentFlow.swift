internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// The flow of ``Orchestrator/enroll(_:for:domain:)``.
///
/// The order is: make the key, ask for the password, register, store the secret, write the record. The write of the
/// record is the last step: without it the method is not enrolled, and its keys are deleted.
///
/// Another process may enroll the method at the same time. So this flow deletes no key but its own and the one that it
/// has replaced. The removal of the method deletes those of enrollments that were interrupted.
final class MethodEnrollmentFlow: Flow, StepFlow {
    static let kind = FlowKind("methodEnrollment")

    private enum State {
        case starting
        case enrolling(any MethodKeyProvider, MethodEnrollment, deviceID: [UInt8])
        case proving(NewMethodKey)
        case done
    }

    private let method: AuthenticationMethod
    private let account: AccountName
    private let orchestrator: Orchestrator
    private var state = State.starting
    /// The reason why the input before was refused.
    private var rejection: InputRejection?
    private var refusedInputs = 0
    /// The number of steps that the provider has reported.
    private var steps = 0

    /// The most steps of an enrollment.
    private static let maximumSteps = 64

    private var environment: FlowEnvironment { orchestrator.environment }

    init(
        _ parameters: MethodFlowParameters, account: AccountName, orchestrator: Orchestrator
    ) throws(OrchestrationError) {
        guard parameters.method.isEnrollable else { throw OrchestrationError(.invalidConfiguration) }
        method = parameters.method
        self.account = account
        self.orchestrator = orchestrator
    }

    func step() async throws -> [FlowEvent] {
        switch state {
        case .starting: try await start()
        case .enrolling(let provider, let enrollment, let deviceID): try await enroll(provider, enrollment, deviceID)
        case .proving(let key): try await prove(key)
        case .done: throw OrchestrationError(.internal)
        }
    }

    /// Deletes the key that was made and that no record names. It does not wait: a provider may not return.
    func cleanUp() async {
        guard case .proving(let new) = state else { return }
        Task { [vault = environment.vault, account, method] in
            // A store that has reported a failure may have written the record all the same.
            let record = try await vault.record(account)
            guard record?.enrolledKey(of: method) != new.enrolled else { return }
            try await new.provider.deleteKey(handle: new.enrolled.handle)
        }
    }
}

/// A signing key that no record names yet.
private struct NewMethodKey: Sendable {
    let provider: any MethodKeyProvider
    let key: MethodKey
    /// What the record will name.
    let enrolled: EnrolledMethodKey
    let deviceID: [UInt8]

    /// - Throws: `deviceKeyUnavailable` for a handle or a public key of a wrong length.
    init(
        _ key: MethodKey, of provider: any MethodKeyProvider, deviceID: [UInt8]
    ) throws(OrchestrationError) {
        guard (1...EnrolledMethodKey.maximumHandleBytes).contains(key.handle.count),
            key.publicKey.count == FieldSize.p256Key
        else { throw OrchestrationError(.deviceKeyUnavailable) }
        self.provider = provider
        self.key = key
        enrolled = EnrolledMethodKey(method: provider.method, handle: key.handle, publicKey: key.publicKey)
        self.deviceID = deviceID
    }
}

// The keys.
extension MethodEnrollmentFlow {
    private func start() async throws -> [FlowEvent] {
        guard let record = try await environment.vault.record(account) else {
            throw OrchestrationError(.notActivated)
        }
        try record.requireActive()
        guard let provider = environment.methods.first(where: { $0.method == method }),
            try await provider.boundedAvailability() == .available
        else { throw OrchestrationError(.providerUnavailable) }
        let prompt = Prompt(
            purpose: .enroll, method: method, account: account.text, texts: environment.configuration.texts)
        let name = environment.vault.name(for: account)
        do {
            let enrollment = try await ProviderCall.run { try await provider.beginEnrollment(for: name, prompt) }
            state = .enrolling(provider, enrollment, deviceID: record.deviceID)
            return []
        } catch let error as UserAuthenticationError {
            return error.end
        }
    }

    private func enroll(
        _ provider: any MethodKeyProvider, _ enrollment: MethodEnrollment, _ deviceID: [UInt8]
    ) async throws -> [FlowEvent] {
        do {
            switch try await ProviderCall.run({ try await enrollment.next() }) {
            case .step(let step):
                steps += 1
                guard step.number == steps, steps <= min(step.total, Self.maximumSteps) else {
                    throw OrchestrationError(.deviceKeyUnavailable)
                }
                return [.enrollmentProgressed(step)]
            case .finished(let key):
                state = .proving(try NewMethodKey(key, of: provider, deviceID: deviceID))
                return []
            }
        } catch let error as UserAuthenticationError {
            return error.end
        }
    }
}

// The registration.
extension MethodEnrollmentFlow {
    private func prove(_ new: NewMethodKey) async throws -> [FlowEvent] {
        guard let (record, key) = try await environment.vault.open(account), record.deviceID == new.deviceID else {
            throw OrchestrationError(.notActivated)
        }
        try record.requireActive()
        let policy = record.pinPolicy
        guard
            let password = try await environment.password(
                of: account, for: .authenticate, rejection: rejection, remainingTries: rejection?.remainingTries,
                policy: policy, text: .methodEnrollment)
        else { return [.aborted(.canceled)] }
        // An input of another form cannot be the password. It is refused without a try.
        if let fault = password.secret.formFault(under: policy) {
            refusedInputs += 1
            rejection = .unsuitable(fault)
            let event = FlowEvent.inputRejected(.unsuitable(fault))
            return refusedInputs < policy.tries ? [event] : [event, .aborted(.inputRejectedTooOften)]
        }
        refusedInputs = 0
        let secret = try await record.passwordInstance(password.secret, key: key)
        let content = MethodRegistrationContent(
            deviceID: new.deviceID, method: method, protection: new.provider.protection,
            key: new.enrolled.publicKey)
        let registration: Sign1
        do {
            registration = try await content.signed { bytes in
                try await ProviderCall.run { try await new.key.sign(bytes) }
            }
        } catch let error as UserAuthenticationError {
            return error.end
        }
        let proof = ChannelProof(password: secret, generation: record.generation)
        var reply = try await exchange(.methodRegister(registration), proof, of: new.deviceID)
        if case .refused(let refusal) = reply.result, refusal.code == .notPermitted {
            // The platform was restored from a backup. It registers nothing before the device has synchronized.
            _ = try await ChannelSession(account: account, orchestrator: orchestrator).synchronize()
            reply = try await exchange(.methodRegister(registration), proof, of: new.deviceID)
        }
        return try await conclude(reply, new)
    }

    private func exchange(
        _ body: RequestBody, _ proof: ChannelProof, of deviceID: [UInt8]
    ) async throws -> ChannelReply {
        try await ChannelSession(account: account, orchestrator: orchestrator).exchange { record in
            guard record.deviceID == deviceID else { throw OrchestrationError(.notActivated) }
            try record.requireActive()
            return body
        } proof: { _ in
            proof
        }
    }

    private func conclude(_ reply: ChannelReply, _ new: NewMethodKey) async throws -> [FlowEvent] {
        let warnings = reply.warnings.map(FlowEvent.warning)
        switch reply.result {
        case .accepted(let acceptance):
            guard let secret = acceptance.body.answer(to: MethodRegisterMessage.self)?.secret else {
                throw OrchestrationError(.invalidAnswer)
            }
            let step = FlowEvent.stepCompleted(
                FlowStep(kind: .methodRegistration, number: 1, total: 1, command: reply.command))
            let record = try await store(secret.key, new)
            environment.logger.debug("method enrolled", metadata: ["method": "\(method)"])
            return [step] + warnings + [.succeeded(.methodEnrolled(UserInformation(record)))]
        case .refused(let refusal) where refusal.code == .wrongPassword && refusal.remainingTries == 0:
            // With the last try the platform has locked the device.
            return warnings + [.aborted(OrchestrationError(.userLocked, refusal))]
        case .refused(let refusal) where refusal.code == .wrongPassword:
            rejection = .wrongPassword(remainingTries: refusal.remainingTries)
            return warnings + [.inputRejected(.wrongPassword(remainingTries: refusal.remainingTries))]
        case .refused(let refusal): return warnings + refusal.end
        }
    }

    /// Stores the secret beside its key, and then the record, which makes the method an enrolled one.
    private func store(_ secret: SymmetricKey, _ new: NewMethodKey) async throws -> UserRecord {
        let (key, deviceID) = (new.enrolled, new.deviceID)
        do {
            try await ProviderCall.run { try await new.provider.store(secret, handle: key.handle) }
        } catch let error as UserAuthenticationError {
            throw OrchestrationError(.storeUnavailable, underlying: error)
        }
        let (record, earlier) = try await environment.vault.update(account) { record in
            guard record.deviceID == deviceID else { throw OrchestrationError(.notActivated) }
            let earlier = record.enrolledKey(of: key.method)
            record.enroll(key)
            return (record, earlier)
        }
        state = .done
        if let earlier, earlier.handle != key.handle { new.provider.deleteSoon(earlier.handle) }
        return record
    }
}

extension UserAuthenticationError {
    /// The events that end an enrollment.
    fileprivate var end: [FlowEvent] {
        switch self {
        case .aborted: [.aborted(.canceled)]
        case .livenessFailed: [.warning(Warning(.livenessFailed)), .aborted(.methodFailed)]
        case .failed, .unavailable, .invalidated: [.aborted(.methodFailed)]
        }
    }
}
