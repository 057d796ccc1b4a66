internal import Logging
internal import OneTimePassword
internal import Primitives
internal import SecureChannel

extension Platform {
    /// Decides whether what a user typed logs them in.
    ///
    /// An unknown user, a blocked one and a wrong code take the same work and, but for the reason, give the same answer.
    /// An accepted code is never accepted again, however many try at once.
    ///
    /// - Parameter request: who, what they typed, and where.
    /// - Returns: the decision. Its reason is not for an application server.
    /// - Throws: ``PlatformError`` with `storeFailed`, or `busy` when too many static passwords wait to be checked.
    public func login(_ request: LoginRequest) async throws -> LoginDecision {
        let decision = try await deciding {
            switch request.credential.kind {
            case .code(let application):
                try await decide(
                    request.account, code: request.credential.typed, application: application,
                    source: request.source)
            case .staticPassword:
                try await decide(
                    request.account.text, staticPassword: request.credential.typed, source: request.source)
            }
        }
        metrics.count(decision.status == .accepted ? .acceptedLogins : .refusedLogins)
        logger.debug("login decided", metadata: ["login.status": "\(decision.status.rawValue)"])
        return decision
    }

    private func decide(
        _ account: AccountName, code: SecretBox<SecretBytes>, application: UInt8, source: String?
    ) async throws -> LoginDecision {
        let now = time.now()
        let name = account.text
        let subject = try await subject(name)
        let use = CryptoApplications.use(of: application)
        let search = CodeSearch(
            candidates: try subject.candidates(
                application: application, of: account, tenant: configuration.tenant, sealer: sealer, decoys: decoys,
                now: now),
            use: use, now: now)
        let verdict = CodeVerdict(
            try search.find(code.text), use: use, allowed: configuration.loginMethods,
            isEveryDeviceRestored: subject.isEveryDeviceRestored)
        let accepted = try acceptance(
            of: verdict, account: account, subject: subject, application: application, now: now)
        let attempt = LoginAttempt(
            name: name, subject: subject,
            scope: ThrottleScope(account: subject.account?.name ?? Decoys.account, kind: .code, source: source),
            now: now)
        return try await store.write { try attempt.settle(verdict, accepted, in: $0) }
    }

    private func decide(
        _ name: String, staticPassword: SecretBox<SecretBytes>, source: String?
    ) async throws -> LoginDecision {
        let now = time.now()
        let subject = try await subject(name)
        let verifier: SecretBox<SecretBytes>
        if let sealed = subject.account?.staticPassword {
            verifier = SecretBox(try sealer.open(sealed, .staticPassword, row: Array(name.utf8)))
        } else {
            verifier = Decoys.verifier(cost: configuration.passwordHash, random: random)
        }
        let isRight = try await hasher.verify(staticPassword, against: verifier, account: name)
        let attempt = LoginAttempt(
            name: name, subject: subject,
            scope: ThrottleScope(
                account: subject.account?.name ?? Decoys.account, kind: .staticPassword, source: source), now: now)
        return try await store.write { try attempt.settle(isPasswordRight: isRight, in: $0) }
    }

    func subject(_ name: String) async throws -> LoginSubject {
        try await store.read { store in try LoginSubject(name, store: store) }
    }

    /// The rows and the host code of a code that is accepted, made outside of the transaction.
    func acceptance(
        of verdict: CodeVerdict, account: AccountName, subject: LoginSubject, application: UInt8, now: Timestamp
    ) throws -> CodeAcceptance? {
        let match: CodeMatch
        switch verdict {
        case .accepted(let accepted, _), .notAllowed(let accepted): match = accepted
        case .refused, .wrong: return nil
        }
        guard let record = subject.devices.first(where: { $0.record.id == match.origin.device })?.record,
            let sealedRatchet = record.ratchet, let sealedSecrets = record.secrets
        else { throw PlatformError(.internal) }
        let ratchet = try sealer.ratchet(of: record, sealed: sealedRatchet)
        let secrets = try DeviceSecrets(decoding: sealer.open(sealedSecrets, .deviceSecrets, row: record.id))
        var hostCode: String?
        if configuration.hostCodes {
            let key = InstanceKeys.host(
                secret: secrets.possession,
                ratchet: try ratchet.key(at: match.origin.index, confirmed: record.ratchetIndex),
                application: application, instance: match.origin.instance,
                device: DeviceAddress(tenant: configuration.tenant, account: account, id: record.id))
            let question = SignedQuestion.hash(
                purpose: .host, tenant: configuration.tenant, instance: match.origin.instance,
                application: application, challenge: nil, counter: match.value, fields: [])
            hostCode = try OCRA(suite: .hashedChallenge, key: OneTimePasswordKey(key))
                .code(for: .init(.hash(question))).digits
        }
        let used = RatchetState(record).used(at: match.origin.index, now: now)
        guard used.confirmed != record.ratchetIndex else {
            return CodeAcceptance(match: match, device: record, promoted: nil, hostCode: hostCode)
        }
        return CodeAcceptance(
            match: match, device: record,
            promoted: try promote(record, to: used, ratchet: ratchet), hostCode: hostCode)
    }

    /// The row of a device whose ratchet stands elsewhere now.
    func promote(_ record: DeviceRecord, to state: RatchetState, ratchet: DeviceRatchet) throws -> DeviceRecord {
        var promoted = record
        if state.confirmed != record.ratchetIndex {
            let moved = try ratchet.promoted(to: state.confirmed, from: record.ratchetIndex)
            promoted.ratchet = try sealer.seal(
                moved.encoded(), .deviceRatchet, row: record.id, revision: Int64(clamping: state.confirmed))
        }
        promoted.ratchetIndex = state.confirmed
        promoted.offeredIndex = state.offered
        promoted.promotedAt = state.promotedAt
        return promoted
    }
}
