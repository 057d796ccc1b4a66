internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

// Step 2 of an activation: the key exchange ends, and a pending device gets its keys.
extension Platform {
    /// Answers request 2.
    func answer(_ request: ActivationKeyRequest) async throws -> OrchestrationCommand {
        try await retryingConflicts(preparing: { try await endExchange(request) }) { second in
            switch second {
            case .answered(let answer):
                return answer
            case .ended(let exchange):
                // The device has proven that it knows the activation password.
                let store = store.acting(as: .device(exchange.device.id))
                let refusal = try await store.write { try exchange.commit(in: $0) }
                return refusal.map { ActivationRefusal(sessionID: request.sessionID, reason: $0).command }
                    ?? exchange.answer
            }
        }
    }

    /// Reads the rows, opens the request and seals the answer.
    ///
    /// It is done again only when the row of the exchange or its activation password has changed. The exchange is then
    /// closed, or request 2 has its answer. Each sealed answer has a separate key.
    private func endExchange(_ request: ActivationKeyRequest) async throws -> SecondAnswer {
        let now = time.now()
        let requestHash = Array(SHA256.hash(data: request.bytes))
        let session = try await store.read { try $0.activationSession(request.sessionID) }
        let refused = SecondAnswer.answered(ActivationRefusal(sessionID: request.sessionID, reason: .refused).command)
        switch ActivationExchange.secondStep(session, requestHash: requestHash, now: now) {
        case .repeated(let answer):
            return .answered(try OrchestrationCommand(bytes: answer))
        case .reused:
            return .answered(ActivationRefusal(sessionID: request.sessionID, reason: .sessionReused).command)
        case .closed:
            return refused
        case .open:
            break
        }
        guard let session, let sealed = session.keys else { throw PlatformError(.internal) }
        let state = try ActivationResponderState(
            decoding: sealer.open(
                sealed, .activationSession, row: session.id,
                owner: RowOwner(exchangeOf: session.account, registrationID: session.registrationID), revision: 0))
        let registration: DeviceRegistration
        do {
            registration = try state.open(request)
        } catch {
            // A wrong activation password, a damaged request and a decoy get the same refusal. The try stays spent.
            return refused
        }
        let password = try await store.read { try $0.activationPassword(of: session.account) }
        guard let password, password.registrationID == session.registrationID, password.spentAt == nil else {
            return refused
        }
        let deviceID = random.bytes(16)
        let keys = keys
        guard let statement = keys.statements.last else { throw PlatformError(.internal) }
        let agreed = try ActivationAnswer(decoding: session.firstAnswer).choice.capabilities
        let provisioning = provisioning(
            deviceID: deviceID, serialNumber: password.serialNumber, statement: statement, capabilities: agreed,
            now: now)
        let answer = try state.seal(provisioning, random: random)
        var device = try pendingDevice(
            session, deviceID: deviceID, registration: registration, serialNumber: password.serialNumber,
            suite: state.suite,
            secrets: state.secrets(registration: registration, provisioning: provisioning), now: now)
        device.keyStatement = keys.latest.sequence
        device.capabilities = agreed
        var ended = session
        // The keys of the exchange end with answer 2.
        ended.keys = nil
        ended.secondRequestHash = requestHash
        ended.secondAnswer = answer.bytes
        ended.keptUntil = now.advanced(milliseconds: ActivationExchange.answerLifetime)
        return .ended(EndedExchange(session: ended, device: device, answer: answer, sealer: sealer, now: now))
    }

    private func provisioning(
        deviceID: [UInt8], serialNumber: String, statement: SignatureList, capabilities: [UInt64], now: Timestamp
    ) -> Provisioning {
        Provisioning(
            deviceID: deviceID, passwordSerialNumber: "\(serialNumber)-1", otherSerialNumber: "\(serialNumber)-2",
            statement: statement, pinPolicy: PINPolicyForm(configuration.pinPolicy),
            applications: CryptoApplications.issued(for: Set(capabilities.compactMap(Capability.init(rawValue:)))),
            platformRandom: random.bytes(32), platformTime: now,
            pendingSeconds: UInt64(DeviceLimits.pendingLifetime / 1_000))
    }

    private func pendingDevice(
        _ session: ActivationSessionRecord, deviceID: [UInt8], registration: DeviceRegistration, serialNumber: String,
        suite: Suite, secrets: ActivationSecrets, now: Timestamp
    ) throws -> DeviceRecord {
        let keys = DeviceSecrets(
            password: secrets.passwordInstance, possession: secrets.possessionInstance, channel: secrets.channel)
        let ratchet = DeviceRatchet(start: secrets.ratchet)
        let owner = RowOwner(account: session.account, deviceKey: registration.deviceKey)
        let createdAt = session.expiresAt.advanced(milliseconds: -ActivationExchange.keysLifetime)
        return DeviceRecord(
            id: deviceID, account: session.account, registrationID: session.registrationID,
            serialNumber: serialNumber, createdAt: createdAt,
            pendingUntil: now.advanced(milliseconds: DeviceLimits.pendingLifetime), name: registration.deviceName,
            sdkVersion: registration.sdkVersion, methods: registration.methods, deviceKey: registration.deviceKey,
            suite: suite.rawValue,
            secrets: try sealer.seal(keys.encoded(), .deviceSecrets, row: deviceID, owner: owner, revision: 0),
            ratchet: try sealer.seal(ratchet.encoded(), .deviceRatchet, row: deviceID, owner: owner, revision: 0),
            promotedAt: createdAt)
    }
}

/// The outcome of the reads of request 2.
private enum SecondAnswer {
    /// The request is answered without a device.
    case answered(OrchestrationCommand)
    /// The exchange has ended. Its device must be stored before the answer is sent.
    case ended(EndedExchange)
}

/// An exchange after request 2, before it is stored.
private struct EndedExchange: Sendable {
    /// The exchange with its answer and without its keys.
    let session: ActivationSessionRecord
    let device: DeviceRecord
    let answer: OrchestrationCommand
    let sealer: RowSealer
    let now: Timestamp

    /// Stores the device and the answer, before the answer is sent.
    ///
    /// - Returns: The reason of a refusal, with which nothing is stored; otherwise `nil`.
    /// - Throws: ``OutdatedInput`` when the row of the exchange or its activation password has changed.
    func commit(in store: StoreTransaction) throws -> ActivationRefusal.Reason? {
        let devices = try store.devices(of: session.account)
        let password = try store.activationPassword(of: session.account)
        // Locked devices and the device that moves do not count: step 4 revokes them.
        guard
            devices.count(where: { $0.isLoginDevice && $0.id != password?.movedDevice }) < DeviceLimits.maximumDevices
        else { return .deviceLimitReached }
        // A request that took a long time belongs to a run that its device has given up. It must not replace the device
        // of a later run.
        guard devices.allSatisfy({ !$0.isUnfinished || $0.createdAt <= device.createdAt }) else { return .refused }
        // Another exchange with the same activation password may have ended since it was read.
        guard password?.registrationID == session.registrationID, password?.spentAt == nil else {
            throw OutdatedInput()
        }
        guard try store.update(session) else { throw OutdatedInput() }
        // The try is given back once: the row of the session cannot be updated twice from one version.
        try requireWritten(store.returnTry(account: session.account, registrationID: session.registrationID))
        let revocation = DeviceRevocation(sealer: sealer, now: now, reason: "startedAgain")
        for old in devices where old.isUnfinished { try revocation.revoke(old, in: store) }
        // A restore may have begun another epoch since the request was opened.
        var present = device
        present.epoch = try store.currentState().epoch
        try requireWritten(store.insert(present))
        try store.append(
            AuditEntry(time: now, event: .activationKeyed, account: session.account, device: device.id))
        return nil
    }
}
