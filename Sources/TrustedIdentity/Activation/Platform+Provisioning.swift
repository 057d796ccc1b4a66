internal import Crypto
internal import Primitives
internal import SecureChannel
internal import Wire

// Step 2 of an activation: the key exchange ends, and a pending device gets its keys.
extension Platform {
    /// Answers request 2.
    func answer(_ request: ActivationKeyRequest) async throws -> OrchestrationCommand {
        let requestHash = Array(SHA256.hash(data: request.bytes))
        return try await retryingConflicts {
            let now = time.now()
            let session = try await store.read { try $0.activationSession(request.sessionID) }
            switch ActivationExchange.secondStep(session, requestHash: requestHash, now: now) {
            case .repeated(let answer):
                return try OrchestrationCommand(bytes: answer)
            case .reused:
                return ActivationRefusal(sessionID: request.sessionID, reason: .sessionReused).command
            case .closed:
                return ActivationRefusal(sessionID: request.sessionID, reason: .refused).command
            case .open:
                guard let session else { throw PlatformError(.internal) }
                return try await provision(request, hash: requestHash, session: session, now: now)
            }
        }
    }

    private func provision(
        _ request: ActivationKeyRequest, hash: [UInt8], session: ActivationSessionRecord, now: Timestamp
    ) async throws -> OrchestrationCommand {
        guard let sealed = session.keys else { throw PlatformError(.internal) }
        // Symmetric keys of the exchange, made in step 1: to open and seal under them is cheap enough to repeat.
        let state = try ActivationResponderState(
            decoding: sealer.open(sealed, .activationSession, row: session.id))
        let registration: DeviceRegistration
        do {
            registration = try state.open(request)
        } catch {
            // A wrong activation password, a damaged request and a decoy get the same refusal. The try stays spent.
            return ActivationRefusal(sessionID: request.sessionID, reason: .refused).command
        }
        let password = try await store.read { try $0.activationPassword(of: session.account) }
        guard let password, password.registrationID == session.registrationID, password.spentAt == nil else {
            return ActivationRefusal(sessionID: request.sessionID, reason: .refused).command
        }
        let deviceID = random.bytes(16)
        let provisioning = provisioning(deviceID: deviceID, serialNumber: password.serialNumber, now: now)
        let answer = try state.seal(provisioning)
        let device = try pendingDevice(
            session, deviceID: deviceID, registration: registration, serialNumber: password.serialNumber,
            suite: state.suite,
            secrets: state.secrets(registration: registration, provisioning: provisioning), now: now)
        var done = session
        // The keys of the exchange end with answer 2.
        done.keys = nil
        done.secondRequestHash = hash
        done.secondAnswer = answer.bytes
        done.keptUntil = now.advanced(milliseconds: ActivationExchange.answerLifetime)
        let refusal: ActivationRefusal.Reason? = try await store.write { [done] store in
            let devices = try store.devices(of: session.account)
            guard devices.count(where: \.isActivated) < DeviceLimits.maximumDevices else { return .deviceLimitReached }
            // A request that took long belongs to a run that its device has given up. It must not replace the device of
            // a later run.
            guard devices.allSatisfy({ !$0.isUnfinished || $0.createdAt <= device.createdAt }) else {
                return .refused
            }
            // Another exchange with the same activation password may have ended since it was read.
            let current = try store.activationPassword(of: session.account)
            try requireWritten(current?.registrationID == session.registrationID && current?.spentAt == nil)
            try requireWritten(store.update(done))
            // The try is given back once: the row of the session cannot be updated twice from one version.
            try requireWritten(store.returnTry(account: session.account, registrationID: session.registrationID))
            for old in devices where old.isUnfinished {
                try DeviceRevocation.revoke(old, in: store, now: now, reason: "startedAgain")
            }
            try requireWritten(store.insert(device))
            try store.append(
                AuditEntry(time: now, event: .activationKeyed, account: session.account, device: deviceID))
            return nil
        }
        if let refusal { return ActivationRefusal(sessionID: request.sessionID, reason: refusal).command }
        return answer
    }

    private func provisioning(deviceID: [UInt8], serialNumber: String, now: Timestamp) -> Provisioning {
        Provisioning(
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
            createdAt: session.expiresAt.advanced(milliseconds: -ActivationExchange.keysLifetime),
            pendingUntil: now.advanced(milliseconds: DeviceLimits.pendingLifetime), name: registration.deviceName,
            sdkVersion: registration.sdkVersion, methods: registration.methods, deviceKey: registration.deviceKey,
            suite: suite.rawValue,
            secrets: try sealer.seal(keys.encoded(), .deviceSecrets, row: deviceID, revision: 0),
            ratchet: try sealer.seal(ratchet.encoded(), .deviceRatchet, row: deviceID, revision: 0))
    }
}
