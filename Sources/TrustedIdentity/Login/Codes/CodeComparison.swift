internal import Crypto
internal import OneTimePassword
internal import OrchestrationProtocol
internal import Primitives

/// The comparison of a typed code with the codes of all keys that may have made it.
///
/// Each comparison of two codes takes constant time (``HOTP``, ``TOTP``).
struct CodeComparison: Sendable {
    /// A key that may have made the code: of one device, instance, generation of the password and ratchet index.
    struct CandidateKey: Sendable {
        let key: CodeKey
        /// The ratchet index of the key.
        let index: UInt64
        /// The generation of the password whose secret made the key; `nil` for a key of the possession instance.
        var generation: UInt64?
        /// Whether the device has to synchronize before a code of this index is accepted.
        let mustSynchronize: Bool
        /// The method that a code of the key verifies.
        var method: AuthenticationMethod
        /// The counter of the device and instance.
        let counter: CodeCounterRecord
        /// Whether the counter has a row. The first accepted code stores it.
        let isStored: Bool
        /// The highest next counter of the instances of the device that may log in.
        var highest: UInt64 = 0

        /// The counters from which codes are searched. A device has one counter for all instances, so the codes of one
        /// instance may follow the latest code of another. The codes after the latest one of the same instance are also
        /// searched: a copied store without the password makes only codes of the possession instance, which must not
        /// exclude the codes of the password. Only ``counter`` decides whether a code is used.
        var starts: [UInt64] { highest > counter.next ? [counter.next, highest] : [counter.next] }
    }

    /// A key in the memory of all keys of its device.
    struct CodeKey: Sendable {
        let keys: SecretBox<SecretBytes>
        let place: Int

        /// Returns the key, prepared for the codes of a window.
        func prepared() throws -> OneTimePasswordKey {
            try keys.withBytes { try OneTimePasswordKey($0.extracting(32 * place..<32 * (place + 1))) }
        }
    }

    let candidates: [CandidateKey]
    let use: CryptoApplications.Use
    let tenant: String
    let now: Timestamp
}

extension CodeComparison {
    /// Derives the keys of an application: for each device, for each instance, at each ratchet index that may have made
    /// a code. During a password change, the open offers have separate secrets.
    ///
    /// - Parameters:
    ///   - data: The data that the code is made over.
    ///   - keys: The keys of the devices.
    ///   - acceptsSoftware: Whether the policy names software providers.
    ///   - codes: The codes that the policy accepts. The counter of an instance whose method is not accepted starts no
    ///     search for codes of the other instance. An application that is not accepted is treated like one that the
    ///     platform does not issue.
    init(
        _ application: CryptoApplicationIndex, over data: CodeData = .nothing, of account: LoginAccount,
        keys: [DeviceKeys], tenant: String, codes: TypedCodes,
        acceptsSoftware: Bool = false, now: Timestamp
    ) throws {
        var candidates: [CandidateKey] = []
        for (device, keys) in zip(account.devices, keys) {
            let counters = account.counters.filter {
                $0.device == device.id && $0.application == application.rawValue
            }
            func method(of instance: Instance) -> AuthenticationMethod {
                device.verifiedMethod(of: instance, acceptsSoftware: acceptsSoftware)
            }
            let accepted = counters.lazy.filter { codes.methods.contains(method(of: $0.instance)) }
            let highest = accepted.map(\.next).max() ?? 0
            let indexes = RatchetState(device).candidates(now: now)
            let address = DeviceAddress(tenant: tenant, account: account.name, id: device.id)
            let secrets = Self.secrets(of: keys)
            let ratchets = try indexes.map { try keys.ratchetKey(at: $0) }
            let derived = SecretBox(
                InstanceKeys.codeKeys(
                    secrets: secrets.map { ($0.instance, $0.key) }, ratchets: ratchets,
                    application: application.rawValue, device: address))
            for (row, secret) in secrets.enumerated() {
                let stored = counters.first { $0.instance == secret.instance }
                let counter =
                    stored
                    ?? CodeCounterRecord(
                        device: device.id, instance: secret.instance, application: application.rawValue)
                for (position, index) in indexes.enumerated() {
                    candidates.append(
                        CandidateKey(
                            key: CodeKey(keys: derived, place: row * ratchets.count + position), index: index,
                            generation: secret.generation,
                            mustSynchronize: device.isRestored || index < counter.firstIndex,
                            method: method(of: secret.instance), counter: counter, isStored: stored != nil,
                            highest: highest))
                }
            }
        }
        self.init(
            candidates: candidates, use: codes.use(of: application, over: data), tenant: tenant, now: now)
    }

    /// A secret from which keys of codes are derived.
    private struct InstanceSecret {
        let instance: Instance
        let key: SymmetricKey
        var generation: UInt64?
    }

    /// Returns K₁ of the confirmed generation and of each open offer, K₂n, and the secrets of the enrolled methods.
    private static func secrets(of keys: DeviceKeys) -> [InstanceSecret] {
        var secrets = [
            InstanceSecret(instance: .password, key: keys.secrets.password, generation: keys.generation),
            InstanceSecret(instance: .possession, key: keys.secrets.possession),
        ]
        secrets += keys.secrets.offers.map {
            InstanceSecret(instance: .password, key: $0.secret, generation: $0.generation)
        }
        return secrets
            + EnrolledMethod.enrollable.compactMap { method in
                keys.secrets.methods[method].map { InstanceSecret(instance: Instance(of: method), key: $0) }
            }
    }

    /// Compares one code.
    ///
    /// - Returns: The match, preferably of a code that was not used before; `nil` when no key makes the code.
    func match(_ code: String) throws -> CodeMatch? {
        try search { candidate in
            switch use {
            case .time, .unsuitable:
                return try match(code, totp: totp(candidate.key), drift: candidate.counter.drift)
            case .counter:
                let hotp = try hotp(candidate.key)
                return matchCounter(of: candidate) { hotp.verify(code, from: $0, lookAhead: $1) }
            case .challenge(let challenge):
                return try match(code, challenge: challenge, candidate)
            case .signature(let fields):
                return try match(code, .signature, over: fields, candidate)
            case .seal(let content):
                return try match(code, .seal, over: content.signedFields, candidate)
            }
        }
    }

    /// Compares two successive codes, in a wider window.
    func match(_ codes: (String, String)) throws -> CodeMatch? {
        try search { candidate in
            switch use {
            case .time, .challenge, .signature, .seal, .unsuitable:
                let next = candidate.counter.next
                let window = TOTP.Window(tolerance: CryptoApplications.tolerance, after: next > 0 ? next - 1 : nil)
                return try totp(candidate.key).resynchronize(codes.0, codes.1, at: now, window: window)
                    .map { ($0.step, $0.drift) }
            case .counter:
                let hotp = try hotp(candidate.key)
                for start in candidate.starts {
                    let value = hotp.resynchronize(
                        codes.0, codes.1, from: start, lookAhead: CryptoApplications.resynchronization)
                    if let value { return (value, 0) }
                }
                return nil
            }
        }
    }

    private func search(_ verify: (CandidateKey) throws -> (value: UInt64, drift: Int)?) rethrows -> CodeMatch? {
        var used: CodeMatch?
        for candidate in candidates {
            guard let found = try verify(candidate) else { continue }
            let match = CodeMatch(found, index: candidate.index, candidate)
            guard match.isUsed else { return match }
            used = used ?? match
        }
        return used
    }

    /// Compares with the codes around the current time step and around the time step that the learned drift predicts.
    ///
    /// A code that is typed slowly suggests a drift that the clock does not have. That drift must not exclude the next
    /// code.
    private func match(_ code: String, totp: borrowing TOTP, drift: Int) -> (value: UInt64, drift: Int)? {
        let tolerance = CryptoApplications.tolerance
        let window = TOTP.Window(tolerance: tolerance + 1, drift: drift - drift.signum())
        guard let match = totp.verify(code, at: now, window: window) else { return nil }
        let offset = Int(clamping: match.step) - Int(clamping: totp.step(at: now))
        guard abs(offset) <= tolerance || abs(offset - drift) <= tolerance else { return nil }
        return (match.step, match.drift)
    }

    /// Compares with the codes of the counter values after each start, and of some values before it, to distinguish a
    /// used code from a guess. A code that was not used before is preferred.
    ///
    /// - Parameter verify: Returns the counter of the code, searched from a counter and a number of values ahead.
    private func matchCounter(
        of candidate: CandidateKey, _ verify: (UInt64, Int) throws -> UInt64?
    ) rethrows -> (value: UInt64, drift: Int)? {
        func search(around next: UInt64) throws -> UInt64? {
            let first = next - min(next, UInt64(CryptoApplications.lookBack))
            let value = try verify(first, CryptoApplications.lookBack + CryptoApplications.lookAhead)
            guard let value, value <= next + UInt64(CryptoApplications.lookAhead) else { return nil }
            return value
        }
        var used: UInt64?
        for start in candidate.starts {
            guard let value = try search(around: start) else { continue }
            guard value < candidate.counter.next else { return (value, 0) }
            used = used ?? value
        }
        return used.map { ($0, 0) }
    }

    /// Compares with the signatures or seals of the counter values.
    private func match(
        _ code: String, _ purpose: SignedQuestion.Purpose, over fields: [DataField], _ candidate: CandidateKey
    ) throws -> (value: UInt64, drift: Int)? {
        let ocra = try OCRA(suite: .hashedSignature, key: candidate.key.prepared())
        return try matchCounter(of: candidate) { first, lookAhead in
            try ocra.verify(code, from: first, lookAhead: lookAhead) { counter in
                question(purpose, candidate, counter: counter, fields: fields)
            }
        }
    }

    /// Compares with the one code over a challenge. It has no counter: the challenge is used up instead.
    private func match(
        _ code: String, challenge: String, _ candidate: CandidateKey
    ) throws -> (value: UInt64, drift: Int)? {
        let ocra = try OCRA(suite: .hashedChallenge, key: candidate.key.prepared())
        let question = question(.challenge, candidate, challenge: challenge)
        return try ocra.verify(code, for: .init(.hash(question))).map { _ in (candidate.counter.next, 0) }
    }

    private func question(
        _ purpose: SignedQuestion.Purpose, _ candidate: CandidateKey, challenge: String? = nil, counter: UInt64? = nil,
        fields: [DataField] = []
    ) -> [UInt8] {
        SignedQuestion.hash(
            purpose: purpose, tenant: tenant, instance: candidate.counter.instance,
            application: candidate.counter.application, challenge: challenge, counter: counter, fields: fields)
    }

    private func totp(_ key: CodeKey) throws -> TOTP {
        try TOTP(
            key: key.prepared(), digits: CryptoApplications.digits, timeStep: CryptoApplications.timeStep)
    }

    private func hotp(_ key: CodeKey) throws -> HOTP {
        try HOTP(key: key.prepared(), digits: CryptoApplications.digits)
    }
}
