internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// The flow of ``Orchestrator/enroll(_:for:domain:)``.
///
/// The order is: make the key, ask for the password, register, store the secret, write the record. The write of the
/// record is the last step. Without it the method is not enrolled, and its keys are deleted.
///
/// Another process may enroll the method at the same time. Therefore this flow deletes only its own key and the key
/// that it has replaced. The removal of the method deletes the keys of interrupted enrollments.
struct MethodEnrollmentFlow: Flow {
    static let kind = FlowKind("methodEnrollment")

    /// The maximum number of steps of an enrollment.
    private static let maximumSteps = 64

    private let method: AuthenticationMethod
    private let account: AccountName
    private let orchestrator: Orchestrator

    private var environment: FlowEnvironment { orchestrator.environment }

    init(
        _ parameters: MethodFlowParameters, account: AccountName, orchestrator: Orchestrator
    ) throws(OrchestrationError) {
        guard parameters.method.isEnrollable else { throw OrchestrationError(.invalidConfiguration) }
        method = parameters.method
        self.account = account
        self.orchestrator = orchestrator
    }

    func run(_ events: FlowEvents) async throws -> [FlowEvent] {
        let new = try await makeKey(events)
        do {
            // A flow that was superseded meanwhile must not show the password prompt.
            try await events.send([])
            let (secret, reply) = try await register(new, events)
            try await store(secret, for: new)
            let record = try await enroll(new)
            environment.logger.debug("method enrolled", metadata: ["method": "\(method)"])
            let step = FlowStep(kind: FlowKind("methodRegistration"), number: 1, total: 1, command: reply.command)
            return [.stepCompleted(step)] + reply.warnings.map(FlowEvent.warning)
                + [.succeeded(.methodEnrolled(UserInformation(record)))]
        } catch {
            deleteUnlessEnrolled(new)
            throw error
        }
    }
}

/// A signing key that no record names yet.
private struct NewMethodKey: Sendable {
    let provider: any MethodKeyProvider
    let key: MethodKey
    /// The keys as the record will name them.
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
    /// Enrolls with the provider of the method, which creates a signing key.
    private func makeKey(_ events: FlowEvents) async throws -> NewMethodKey {
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
        let enrollment = try await call { try await provider.beginEnrollment(for: name, prompt) }
        // A flow that was superseded meanwhile must not perform a step of the enrollment.
        try await events.send([])
        var steps = 0
        while true {
            switch try await call({ try await enrollment.next() }) {
            case .step(let step):
                steps += 1
                guard step.number == steps, steps <= min(step.total, Self.maximumSteps) else {
                    throw OrchestrationError(.deviceKeyUnavailable)
                }
                try await events.send(.enrollmentProgressed(step))
            case .finished(let key): return try NewMethodKey(key, of: provider, deviceID: record.deviceID)
            }
        }
    }

    /// Calls the provider. Its check of the user may end the flow.
    private func call<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
        do {
            return try await ProviderCall.run(body)
        } catch let error as UserAuthenticationError {
            throw FlowEnd(error.end)
        }
    }

    /// Stores the secret of the method next to its key.
    private func store(_ secret: SymmetricKey, for new: NewMethodKey) async throws {
        do {
            try await ProviderCall.run { try await new.provider.store(secret, handle: new.enrolled.handle) }
        } catch let error as UserAuthenticationError {
            throw OrchestrationError(.storeUnavailable, underlying: error)
        }
    }

    /// Writes the record, which completes the enrollment, and deletes the replaced key.
    private func enroll(_ new: NewMethodKey) async throws -> UserRecord {
        let (key, deviceID) = (new.enrolled, new.deviceID)
        let (record, earlier) = try await environment.vault.update(account) { record in
            guard record.deviceID == deviceID else { throw OrchestrationError(.notActivated) }
            let earlier = record.enrolledKey(of: key.method)
            record.enroll(key)
            return (record, earlier)
        }
        if let earlier, earlier.handle != key.handle { new.provider.deleteSoon(earlier.handle) }
        return record
    }

    /// Deletes the new key, if no record names it. It does not wait, because a provider may not return.
    private func deleteUnlessEnrolled(_ new: NewMethodKey) {
        Task { [vault = environment.vault, account, method] in
            // A store that has reported a failure may have written the record anyway.
            let record = try await vault.record(account)
            guard record?.enrolledKey(of: method) != new.enrolled else { return }
            try await new.provider.deleteKey(handle: new.enrolled.handle)
        }
    }
}

// The registration.
extension MethodEnrollmentFlow {
    /// Asks for the password and registers the key, until the platform accepts the password.
    ///
    /// - Returns: The secret that the platform has made for the method.
    private func register(
        _ new: NewMethodKey, _ events: FlowEvents
    ) async throws -> (secret: SymmetricKey, reply: ChannelReply) {
        var inputs = RefusedInputs()
        while true {
            guard let (record, key) = try await environment.vault.open(account), record.deviceID == new.deviceID
            else { throw OrchestrationError(.notActivated) }
            try record.requireActive()
            let password = try await environment.currentPassword(
                of: account, inputs, policy: record.pinPolicy, text: .methodEnrollment)
            guard try await inputs.accepts(password, under: record.pinPolicy, events) else { continue }
            let secret = try await record.passwordInstance(password.secret, key: key)
            let reply = try await register(new, ChannelProof(password: secret, generation: record.generation))
            switch reply.result {
            case .accepted(let acceptance):
                guard let secret = acceptance.body.answer(to: MethodRegisterMessage.self)?.secret else {
                    throw OrchestrationError(.invalidAnswer)
                }
                return (secret.key, reply)
            case .refused(let refusal): try await events.send(try inputs.refuse(refusal, after: reply.warnings))
            }
        }
    }

    private func register(_ new: NewMethodKey, _ proof: ChannelProof) async throws -> ChannelReply {
        let content = MethodRegistrationContent(
            deviceID: new.deviceID, method: method, protection: new.provider.protection,
            key: new.enrolled.publicKey)
        let registration = try await content.signed { bytes in
            try await call { try await new.key.sign(bytes) }
        }
        let reply = try await exchange(.methodRegister(registration), proof, of: new.deviceID)
        guard case .refused(let refusal) = reply.result, refusal.code == .notPermitted else { return reply }
        // The platform was restored from a backup. It registers nothing before the device has synchronized.
        _ = try await ChannelSession(account: account, orchestrator: orchestrator).synchronize()
        return try await exchange(.methodRegister(registration), proof, of: new.deviceID)
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
