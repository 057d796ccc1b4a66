internal import Crypto
internal import Primitives
internal import SecureChannel
internal import Wire

// Steps 1 and 2 of an activation: the key exchange. Whether user, handle and code exist decides which secret enters it,
// and hardly anything else: both ways read, compute, seal and answer the same, in one durable write each, whose last row
// is a new one for a code and a number that grows for none.
extension Platform {
    /// Step 1.
    func answer(_ request: ActivationRequest, from address: String?) async throws -> OrchestrationCommand {
        guard let account = try? AccountName(text: request.offer.account, defaultDomain: ""),
            account.text == request.offer.account
        else { throw PlatformError(.undecodableCommand) }
        let requestHash = Array(SHA256.hash(data: request.bytes))
        return try await deciding {
            let now = time.now()
            let (session, code) = try await store.read { store in
                try (store.activationSession(request.sessionID), store.activationPassword(of: account.text))
            }
            if let session, now < session.keptUntil {
                guard session.firstRequestHash == requestHash else {
                    return ActivationRefusal(sessionID: request.sessionID, reason: .sessionReused).command
                }
                return try OrchestrationCommand(bytes: session.firstAnswer)
            }
            let attempt = ActivationAttempt(code, handle: request.offer.handle, now: now)
            let room = ActivationRoom(
                source: sealer.source(of: address), requestsPerAddress: configuration.requestsPerAddress)
            return try await exchange(
                request, hash: requestHash, account: account, attempt: attempt, room: room, now: now)
        }
    }

    private func exchange(
        _ request: ActivationRequest, hash: [UInt8], account: AccountName, attempt: ActivationAttempt,
        room: ActivationRoom, now: Timestamp
    ) async throws -> OrchestrationCommand {
        let real = attempt.code
        let registrationID = real?.registrationID ?? Hex.encode(random.bytes(16))
        let secret = try sealer.open(
            real?.secret ?? decoys.activationPassword, .activationPassword,
            row: real.map { Array($0.registrationID.utf8) } ?? Decoys.row)
        let (answer, state): (OrchestrationCommand, ActivationResponderState)
        do {
            (answer, state) = try ActivationResponder.answer(
                request, secret: secret, account: account, tenant: configuration.tenant, suites: suites,
                minimum: suites.first ?? .classic, capabilities: [], random: random)
        } catch {
            throw PlatformError(.undecodableCommand, underlying: error)
        }
        let record = ActivationSessionRecord(
            id: request.sessionID, account: account.text, registrationID: registrationID, firstRequestHash: hash,
            firstAnswer: answer.bytes,
            keys: try sealer.seal(state.encoded(), .activationSession, row: request.sessionID, revision: 0),
            expiresAt: now.advanced(milliseconds: ActivationAttempt.keysLifetime),
            keptUntil: now.advanced(milliseconds: ActivationAttempt.answerLifetime), source: room.source)
        let isReal = real != nil
        try await store.write { store in
            try room.make(in: store)
            if try !store.insert(record) {
                // Kept longer than it counts, and not swept yet.
                guard let old = try store.activationSession(record.id), old.keptUntil <= now else {
                    throw WriteConflict()
                }
                var renewed = record
                renewed.version = old.version
                try must(store.update(renewed))
            }
            // The try is spent before the answer leaves. For a decoy it finds nothing to spend.
            let isSpent = try store.spendTry(
                account: account.text, registrationID: registrationID, limit: ActivationAttempt.tries, now: now)
            guard isSpent == isReal else { throw WriteConflict() }
            // Tries of a code are few. What finds none is counted: anybody can cause it, as often as they like.
            if isReal {
                try store.append(
                    AuditEntry(time: now, event: .activationTried, account: account.text, reason: "code"))
            } else {
                try store.tally(.activationTried, reason: "unknownCode", hour: AuditTally.hour(of: now))
            }
        }
        return answer
    }

    /// Step 2.
    func answer(_ request: ActivationKeyRequest) async throws -> OrchestrationCommand {
        let requestHash = Array(SHA256.hash(data: request.bytes))
        return try await deciding {
            let now = time.now()
            let session = try await store.read { try $0.activationSession(request.sessionID) }
            switch KeyExchangeStep(session, requestHash: requestHash, now: now) {
            case .repeated(let answer):
                return try OrchestrationCommand(bytes: answer)
            case .reused:
                return ActivationRefusal(sessionID: request.sessionID, reason: .sessionReused).command
            case .refused:
                return ActivationRefusal(sessionID: request.sessionID, reason: .refused).command
            case .open(let session):
                return try await provision(request, hash: requestHash, session: session, now: now)
            }
        }
    }

    private func provision(
        _ request: ActivationKeyRequest, hash: [UInt8], session: ActivationSessionRecord, now: Timestamp
    ) async throws -> OrchestrationCommand {
        guard let sealed = session.keys else { throw PlatformError(.internal) }
        let state = try ActivationResponderState(
            decoding: sealer.open(sealed, .activationSession, row: session.id))
        let registration: DeviceRegistration
        do {
            registration = try state.open(request)
        } catch {
            // A wrong code, a damaged request, a decoy: all the same. The try stays spent.
            return ActivationRefusal(sessionID: request.sessionID, reason: .refused).command
        }
        let code = try await store.read { try $0.activationPassword(of: session.account) }
        guard let code, code.registrationID == session.registrationID, code.spentAt == nil else {
            return ActivationRefusal(sessionID: request.sessionID, reason: .refused).command
        }
        let deviceID = random.bytes(16)
        let provisioning = provisioning(deviceID: deviceID, serialNumber: code.serialNumber, now: now)
        let answer = try state.seal(provisioning)
        let device = try pendingDevice(
            session, deviceID: deviceID, registration: registration, serialNumber: code.serialNumber,
            suite: state.suite,
            secrets: state.secrets(registration: registration, provisioning: provisioning), now: now)
        var done = session
        // The exchange's keys end with answer 2.
        done.keys = nil
        done.secondRequestHash = hash
        done.secondAnswer = answer.bytes
        done.keptUntil = now.advanced(milliseconds: ActivationAttempt.answerLifetime)
        let refusal: ActivationRefusal.Reason? = try await store.write { [done] store in
            let devices = try store.devices(of: session.account)
            guard devices.count(where: \.isActivated) < DeviceLimits.maximumDevices else { return .deviceLimitReached }
            // A request that was under way for long belongs to a run that its device has given up. It must not take the
            // place of the device of a later one.
            guard devices.allSatisfy({ !$0.isUnfinished || $0.createdAt <= device.createdAt }) else {
                return .refused
            }
            // Asked again here: another exchange with the same code may have come to its end since it was read.
            let current = try store.activationPassword(of: session.account)
            try must(current?.registrationID == session.registrationID && current?.spentAt == nil)
            try must(store.update(done))
            // Given back once: the session's row cannot be updated twice from one version.
            try must(store.returnTry(account: session.account, registrationID: session.registrationID))
            for old in devices where old.isUnfinished {
                try DeviceRevocation.revoke(old, in: store, now: now, reason: "startedAgain")
            }
            try must(store.insert(device))
            try store.append(
                AuditEntry(time: now, event: .activationKeyed, account: session.account, device: deviceID))
            return nil
        }
        if let refusal { return ActivationRefusal(sessionID: request.sessionID, reason: refusal).command }
        return answer
    }

    private func provisioning(deviceID: [UInt8], serialNumber: String, now: Timestamp) -> Provisioning {
        return Provisioning(
            deviceID: deviceID, passwordSerialNumber: "\(serialNumber)-1", otherSerialNumber: "\(serialNumber)-2",
            signingKey: .init(kid: keys.signing.kid, bytes: keys.signing.publicBytes),
            sealingKeys: keys.sealingInForce.map {
                .init(kid: $0.kid, suite: $0.suite.wire, bytes: $0.publicKey.bytes)
            },
            pinPolicy: PINPolicyForm(configuration.pinPolicy),
            applications: CryptoApplications.issued(hostCodes: configuration.hostCodes),
            platformRandom: random.bytes(32), platformTime: now,
            pendingSeconds: UInt64(DeviceLimits.pendingLifetime / 1_000))
    }

    private func pendingDevice(
        _ session: ActivationSessionRecord, deviceID: [UInt8], registration: DeviceRegistration, serialNumber: String,
        suite: Suite, secrets: ActivationSecrets, now: Timestamp
    ) throws -> DeviceRecord {
        let keys = DeviceSecrets(
            password: secrets.passwordInstance, possession: secrets.possessionInstance, channel: secrets.channel)
        let ratchet = DeviceRatchet(confirmed: secrets.ratchet, previous: secrets.ratchet)
        return DeviceRecord(
            id: deviceID, account: session.account, registrationID: session.registrationID,
            serialNumber: serialNumber,
            createdAt: session.expiresAt.advanced(milliseconds: -ActivationAttempt.keysLifetime),
            pendingUntil: now.advanced(milliseconds: DeviceLimits.pendingLifetime), name: registration.deviceName,
            sdkVersion: registration.sdkVersion, methods: registration.methods, deviceKey: registration.deviceKey,
            suite: suite.rawValue,
            secrets: try sealer.seal(keys.encoded(), .deviceSecrets, row: deviceID, revision: 0),
            ratchet: try sealer.seal(ratchet.encoded(), .deviceRatchet, row: deviceID, revision: 0))
    }

    /// The suites that are allowed, the weakest first.
    private var suites: [Suite] {
        switch configuration.postQuantum {
        case .off: [.classic]
        case .preferred: Suite.supported
        case .required: Suite.supported.filter { $0 == .hybrid }
        }
    }
}
