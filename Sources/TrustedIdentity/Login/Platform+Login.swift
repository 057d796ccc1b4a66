internal import Logging
internal import OneTimePassword
internal import OrchestrationProtocol
internal import Primitives

extension Platform {
    /// Decides whether a typed credential logs a user in.
    ///
    /// An unknown user, a blocked user and a wrong code get the same answer, except for the reason. A refusal leaves 25
    /// ms after the call, or at the next multiple of 25 ms. An accepted credential is answered at once. During a block,
    /// no key is opened and no code is compared. An accepted code is never accepted again, even if it is sent many
    /// times at once.
    ///
    /// - Parameter request: The account, the credential and its source.
    /// - Returns: The decision. Its reason is not for application servers.
    /// - Throws: ``PlatformError`` with `storeFailed`, or `busy` when too many static passwords wait to be checked.
    public func login(_ request: LoginRequest) async throws -> LoginDecision {
        let tick = answerTick()
        let decision =
            switch request.credential.kind {
            case .code(let application): try await decide(request, codeOf: application)
            case .challengeResponse(let requestID): try await decide(request, codeOf: .app3, challenge: requestID)
            case .codeOrResponse(let requestID):
                try await hasChallenge(requestID, for: request)
                    ? decide(request, codeOf: .app3, challenge: requestID) : decide(request, codeOf: .app1)
            case .staticPassword: try await decideOnStaticPassword(request)
            }
        metrics.count(decision.status == .accepted ? .acceptedLogins : .refusedLogins)
        logger.debug("login decided", metadata: ["login.status": "\(decision.status.rawValue)"])
        if decision.status == .refused { await tick.wait() }
        return decision
    }

    /// Measures how far the clock or counter of a device is off, from two successive codes. A refusal leaves at the tick
    /// of a refused login.
    ///
    /// - Parameters:
    ///   - account: The account of the device. It need not exist.
    ///   - codes: The two codes as typed, in the order in which the device made them.
    ///   - application: The crypto application that made them.
    /// - Throws: ``PlatformError`` with `codesRefused` when no device made them in succession, when the account is
    ///   blocked, and when it is unknown; it counts like a failed login. `storeFailed`, `busy`.
    public func synchronizeAuthenticator(
        _ account: AccountName, codes: (String, String), application: CryptoApplicationIndex = .app1
    ) async throws {
        let tick = answerTick()
        // Every method is allowed, because the codes measure a clock and are not a login.
        let decision = try await decide(
            CodeRequest(
                purpose: .synchronization, account: account, application: application,
                allowed: { _, _, _ in Set(AuthenticationMethod.allCases) }, source: nil),
            comparing: { try $0.match((TypedDigits.of(codes.0), TypedDigits.of(codes.1))) })
        guard decision.status == .accepted else {
            await tick.wait()
            throw PlatformError(.codesRefused)
        }
    }

    /// Returns whether a challenge was made for the caller and the account of a login, including a used challenge.
    private func hasChallenge(_ requestID: String, for request: LoginRequest) async throws -> Bool {
        guard let id = try? Hex.decode(requestID, limit: 32) else { return false }
        let record = try await store.read { try $0.challenge(id) }
        return record?.principal == request.principal && record?.account == request.account.text
    }

    private func decide(
        _ request: LoginRequest, codeOf application: CryptoApplicationIndex, challenge: String? = nil
    ) async throws -> LoginDecision {
        let code = request.credential.typed
        return try await decide(
            CodeRequest(
                purpose: .login, account: request.account, application: application, challenge: challenge,
                principal: request.principal,
                allowed: { [hashes] policy, account, now in
                    policy.acceptedMethods(
                        ofCodesOf: application, in: request.situation(.login, account, hashes: hashes, at: now))
                },
                source: request.source),
            comparing: { try $0.match(code.text) })
    }

    /// Decides on typed codes: reads the rows, opens the keys once, compares, and writes.
    func decide(
        _ request: CodeRequest, comparing compare: (CodeComparison) throws -> CodeMatch?
    ) async throws -> LoginDecision {
        try await retryingConflicts {
            let (now, policy) = (time.now(), policy)
            let (account, challenge) = try await store.read {
                [hashes, lifetime = configuration.challengeLifetime] store in
                let account = try LoginAccount(
                    request.account, kind: .code, source: request.source, hashes: hashes, now: now, in: store)
                let challenge = try request.challenge.map {
                    try NamedChallenge(
                        $0, principal: request.principal, account: account, lifetime: lifetime, now: now, in: store)
                }
                return (account, challenge)
            }
            // No key is opened if no code can be accepted.
            let isCompared = !account.isBlocked && challenge?.refusal == nil
            let keys = isCompared ? try account.keys(sealer: sealer) : []
            let comparison = try CodeComparison(
                request.application, over: request.data(with: challenge), of: account, keys: keys,
                tenant: configuration.tenant, codes: policy.codes,
                acceptsSoftware: policy.softwareProviders, now: now)
            let verdict = CodeVerdict(
                try compare(comparison), use: comparison.use, challenge: challenge?.refusal,
                allowed: request.allowed(policy, account, now),
                isEveryDeviceRestored: account.isEveryDeviceRestored)
            let use = try verdict.usedMatch.map { match in
                try self.use(
                    of: match, account: account, keys: keys, over: comparison.use, challenge,
                    hostCodes: policy.codes.hostCodes, now: now)
            }
            let settlement = LoginSettlement(account, now: now)
            return try await store.write { try settlement.settle(verdict, use, as: request.purpose, in: $0) }
        }
    }

    /// Decides on a static password. The password is hashed again only when its verifier was replaced meanwhile.
    private func decideOnStaticPassword(_ request: LoginRequest) async throws -> LoginDecision {
        try await retryingConflicts(preparing: { try await compareStaticPassword(request) }) { compared in
            let (account, isRight) = compared
            let now = time.now()
            let decision = policy.decide(
                request.situation(.staticPassword, account, hashes: hashes, at: now))
            let settlement = LoginSettlement(account, now: now)
            return try await store.write {
                try settlement.settle(isPasswordRight: isRight, isAllowed: decision.outcome == .accept, in: $0)
            }
        }
    }

    private func compareStaticPassword(_ request: LoginRequest) async throws -> (LoginAccount, isRight: Bool) {
        let (name, source, now) = (request.account, request.source, time.now())
        let account = try await store.read { [hashes] in
            try LoginAccount(name, kind: .staticPassword, source: source, hashes: hashes, now: now, in: $0)
        }
        let verifier: SecretBox<SecretBytes>
        if let sealed = account.record?.staticPassword {
            verifier = SecretBox(try sealer.open(sealed, .staticPassword, row: Array(name.text.utf8)))
        } else {
            verifier = hasher.decoyVerifier(random: random)
        }
        let isRight = try await hasher.verify(request.credential.typed, against: verifier, account: name.text)
        return (account, isRight)
    }

    /// Prepares the rows and the host code of a right code, outside of the transaction.
    private func use(
        of match: CodeMatch, account: LoginAccount, keys: [DeviceKeys], over use: CryptoApplications.Use,
        _ named: NamedChallenge?, hostCodes: Bool, now: Timestamp
    ) throws -> CodeUse {
        guard let place = account.devices.firstIndex(where: { $0.id == match.after.device }) else {
            throw PlatformError(.internal)
        }
        let (device, keys) = (account.devices[place], keys[place])
        let used = RatchetState(device).used(at: match.index, now: now)
        // The first valid use promotes a ratchet index, or the generation of an open change.
        let generation = max(device.generation, match.generation ?? 0)
        var promoted: DeviceRecord?
        if used.confirmed != device.ratchetIndex || generation != device.generation {
            var moved = device
            moved.move(to: used)
            moved.promote(toGeneration: generation)
            let ratchet =
                used.confirmed == device.ratchetIndex
                ? keys.ratchet : try keys.ratchet.promoted(from: device.ratchetIndex)
            try keys.sealRatchet(of: &moved, as: ratchet, sealer: sealer)
            try keys.sealSecrets(of: &moved, sealer: sealer)
            promoted = moved
        }
        // If a device cannot show the expected code, its user cannot compare it.
        let hasHostCode = hostCodes && device.can(.hostCodes)
        let hostCode = hasHostCode ? try hostCode(for: match, account: account, keys: keys, over: use) : nil
        var challenge: ChallengeRecord?
        if case .open(let record) = named { challenge = record }
        return CodeUse(match: match, device: device, promoted: promoted, challenge: challenge, hostCode: hostCode)
    }

    private func hostCode(
        for match: CodeMatch, account: LoginAccount, keys: DeviceKeys, over use: CryptoApplications.Use
    ) throws -> String {
        let counter = match.after
        let key = InstanceKeys.hostCodeKey(
            secret: keys.secrets.possession, ratchet: try keys.ratchetKey(at: match.index),
            application: counter.application, instance: counter.instance,
            device: DeviceAddress(tenant: configuration.tenant, account: account.name, id: counter.device))
        let question = SignedQuestion.hash(
            purpose: .host, tenant: configuration.tenant, instance: counter.instance,
            application: counter.application, challenge: use.challenge,
            counter: use.challenge == nil ? match.value : nil, fields: use.fields)
        return try OCRA(suite: .hashedChallenge, key: OneTimePasswordKey(key))
            .code(for: .init(.hash(question))).digits
    }
}

extension LoginRequest {
    /// Returns the policy's input.
    fileprivate func situation(
        _ request: Situation.Request, _ account: LoginAccount, hashes: KeyedHashes, at now: Timestamp
    ) -> Situation {
        account.situation(
            request, address: address, fingerprint: fingerprint, showsNumbers: showsNumbers, hashes: hashes, at: now)
    }
}

/// A request to decide on typed codes.
struct CodeRequest: Sendable {
    let purpose: LoginSettlement.Purpose
    let account: AccountName
    let application: CryptoApplicationIndex
    /// The request id of the challenge that the code is made over; `nil` if there is none.
    var challenge: String?
    /// The caller, for which the challenge was made.
    var principal = ""
    /// The data that the code is made over, when it is not a challenge.
    var data = CodeData.nothing
    /// Returns the methods whose codes a policy accepts. It is the policy of the whole decision, because the platform's
    /// policy may be replaced meanwhile.
    let allowed: @Sendable (Policy, LoginAccount, Timestamp) -> Set<AuthenticationMethod>
    let source: String?

    /// Returns the data that the code is compared over: an empty challenge if the challenge takes no code. Then no code
    /// is compared.
    func data(with challenge: NamedChallenge?) -> CodeData {
        switch challenge {
        case nil: data
        case .open(let record): .challenge(record.challenge)
        case .used, .unknown: .challenge("")
        }
    }
}

extension CryptoApplications.Use {
    /// The challenge that a host code repeats.
    fileprivate var challenge: String? {
        if case .challenge(let text) = self { text } else { nil }
    }

    /// The fields that a host code repeats.
    fileprivate var fields: [DataField] {
        switch self {
        case .signature(let fields): fields
        case .seal(let content): content.signedFields
        case .time, .counter, .challenge, .unsuitable: []
        }
    }
}
