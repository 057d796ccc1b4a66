internal import Crypto
internal import Logging
internal import Primitives
internal import SecureChannel
internal import Wire

/// The flow of ``Orchestrator/enroll(_:for:)``.
///
/// The order is: make the key, ask for the password, register, store the secret, write the record. The write of the record is the
/// last step: without it the method is not enrolled, and its keys are deleted.
final class MethodEnrollmentFlow: Flow {
    static let kind = FlowKind("methodEnrollment")

    private enum State {
        case starting
        case enrolling(any MethodKeyProvider, any MethodEnrollment, deviceID: [UInt8])
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

    /// Deletes the keys that were made and that no record names.
    func cleanUp() async {
        let provider: any MethodKeyProvider
        switch state {
        case .starting, .done: return
        case .enrolling(let used, _, _): provider = used
        case .proving(let key): provider = key.provider
        }
        try? await deleteOtherKeys(of: provider)
    }
}

/// A signing key that no record names yet.
private struct NewMethodKey: Sendable {
    let provider: any MethodKeyProvider
    let key: any MethodKey
    let deviceID: [UInt8]
}

// The keys.
extension MethodEnrollmentFlow {
    private func start() async throws -> [FlowEvent] {
        guard let record = try await environment.vault.record(account) else {
            throw OrchestrationError(.notActivated)
        }
        try record.requireActive()
        guard let provider = environment.methods.first(where: { $0.method == method }),
            await provider.availability() == .available
        else { throw OrchestrationError(.providerUnavailable) }
        // Those of an enrollment that was interrupted.
        try await deleteOtherKeys(of: provider)
        let prompt = Prompt(
            purpose: .enroll, method: method, account: account.text, texts: environment.configuration.texts)
        let name = environment.vault.name(for: account)
        do {
            let enrollment = try await ProviderCall.run { try await provider.beginEnrollment(for: name, prompt) }
            state = .enrolling(provider, enrollment, deviceID: record.deviceID)
            return []
        } catch let error as UserAuthenticationError {
            return [.aborted(error.cause)]
        }
    }

    private func enroll(
        _ provider: any MethodKeyProvider, _ enrollment: any MethodEnrollment, _ deviceID: [UInt8]
    ) async throws -> [FlowEvent] {
        do {
            switch try await ProviderCall.run({ try await enrollment.next() }) {
            case .step(let step): return [.enrollmentProgressed(step)]
            case .finished(let key):
                guard (1...EnrolledMethodKey.maximumHandleBytes).contains(key.handle.count) else {
                    throw OrchestrationError(.deviceKeyUnavailable)
                }
                state = .proving(NewMethodKey(provider: provider, key: key, deviceID: deviceID))
                return []
            }
        } catch let error as UserAuthenticationError {
            return [.aborted(error.cause)]
        }
    }

    /// Deletes the keys of this user that the record does not name.
    private func deleteOtherKeys(of provider: any MethodKeyProvider) async throws {
        let present = try await environment.vault.record(account)?.enrolledKey(of: method)?.handle
        try await provider.deleteKeys(of: environment.vault.name(for: account), except: present)
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
                policy: policy)
        else { return [.aborted(.user)] }
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
            deviceID: new.deviceID, method: method, protection: new.provider.protection, key: new.key.publicKey)
        let registration: Sign1
        do {
            registration = try await content.signed { bytes in
                try await ProviderCall.run { try await new.key.sign(bytes) }
            }
        } catch let error as UserAuthenticationError {
            return [.aborted(error.cause)]
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
            let record = try await store(SymmetricKey(data: secret), new)
            environment.logger.debug("method enrolled", metadata: ["method": "\(method)"])
            return [step] + warnings + [.succeeded(.methodEnrolled(UserInformation(record)))]
        case .refused(let refusal) where refusal.code == .wrongPassword && refusal.remainingTries == 0:
            // With the last try the platform has locked the device.
            return warnings + [.aborted(.locked)]
        case .refused(let refusal) where refusal.code == .wrongPassword:
            rejection = .wrongPassword(remainingTries: refusal.remainingTries)
            return warnings + [.inputRejected(.wrongPassword(remainingTries: refusal.remainingTries))]
        case .refused(let refusal): return warnings + refusal.end
        }
    }

    /// Stores the secret beside its key, and then the record, which makes the method an enrolled one.
    private func store(_ secret: SymmetricKey, _ new: NewMethodKey) async throws -> UserRecord {
        let key = EnrolledMethodKey(method: method, handle: new.key.handle, publicKey: new.key.publicKey)
        try await new.provider.store(secret, handle: key.handle)
        let deviceID = new.deviceID
        let record = try await environment.vault.update(account) { record in
            guard record.deviceID == deviceID else { throw OrchestrationError(.notActivated) }
            record.enroll(key)
            return record
        }
        state = .done
        // The keys of the earlier enrollment.
        try? await deleteOtherKeys(of: new.provider)
        return record
    }
}

extension UserAuthenticationError {
    /// The end of an enrollment.
    fileprivate var cause: AbortCause {
        switch self {
        case .aborted: .user
        case .failed, .invalidated: .methodFailed
        }
    }
}
