internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

// Step 1 of an activation. The existence of the user, the handle and the activation password decides which secret
// enters the exchange, and hardly anything else. Both paths read, compute, seal and answer in the same way, in one
// durable write. Only its last row differs: an entry for an existing activation password, a count for a missing one.
extension Platform {
    /// Answers request 1.
    func answer(_ request: ActivationRequest, from address: String?) async throws -> OrchestrationCommand {
        guard let account = try? AccountName(text: request.offer.account, defaultDomain: ""),
            account.text == request.offer.account
        else { throw PlatformError(.undecodableCommand) }
        let quota = SessionQuota(
            source: hashes.stored(address: address), requestsPerAddress: configuration.requestsPerAddress)
        return try await retryingConflicts(preparing: {
            try await beginExchange(request, account: account, source: quota.source)
        }) { first in
            switch first {
            case .answered(let answer):
                return answer
            case .begun(let exchange):
                try await store.write { try exchange.commit(within: quota, in: $0) }
                return exchange.answer
            }
        }
    }

    /// Reads the rows and computes the exchange. It is computed again only when the activation password it tries is no
    /// longer the live one, or when another request has taken the session id.
    private func beginExchange(
        _ request: ActivationRequest, account: AccountName, source: String
    ) async throws -> FirstAnswer {
        let now = time.now()
        let (session, password) = try await store.read { store in
            try (store.activationSession(request.sessionID), store.activationPassword(of: account.text))
        }
        let requestHash = Array(SHA256.hash(data: request.bytes))
        switch ActivationExchange.firstStep(session, requestHash: requestHash, now: now) {
        case .repeated(let answer):
            return .answered(try OrchestrationCommand(bytes: answer))
        case .reused, .closed:
            return .answered(ActivationRefusal(sessionID: request.sessionID, reason: .sessionReused).command)
        case .open:
            break
        }
        let live = ActivationExchange.livePassword(password, handle: request.offer.handle, now: now)
        let secret = try sealer.open(
            live?.secret ?? decoys.activationPassword, .activationPassword,
            row: live.map { Array($0.registrationID.utf8) } ?? Decoys.row,
            owner: RowOwner(account: live?.account ?? Decoys.account), revision: 0)
        let (answer, state): (OrchestrationCommand, ActivationResponderState)
        do {
            (answer, state) = try ActivationResponder.answer(
                request, secret: secret, account: account, tenant: configuration.tenant, suites: suites,
                minimum: suites.first ?? .classic, capabilities: policy.capabilities, random: random)
        } catch {
            throw PlatformError(.undecodableCommand, underlying: error)
        }
        let registrationID = live?.registrationID ?? Hex.encode(random.bytes(16))
        let record = ActivationSessionRecord(
            id: request.sessionID, account: account.text, registrationID: registrationID,
            firstRequestHash: requestHash, firstAnswer: answer.bytes,
            keys: try sealer.seal(
                state.encoded(), .activationSession, row: request.sessionID,
                owner: RowOwner(exchangeOf: account.text, registrationID: registrationID), revision: 0),
            expiresAt: now.advanced(milliseconds: ActivationExchange.keysLifetime),
            keptUntil: now.advanced(milliseconds: ActivationExchange.answerLifetime),
            source: source)
        return .begun(BegunExchange(record: record, answer: answer, isReal: live != nil, now: now))
    }

    /// The suites that the configuration allows, the weakest first.
    private var suites: [Suite] {
        switch configuration.postQuantum {
        case .off: [.classic]
        case .preferred: Suite.supported
        case .required: Suite.supported.filter { $0 == .hybrid }
        }
    }
}

/// The outcome of the reads of request 1.
private enum FirstAnswer {
    /// The request is answered without an exchange.
    case answered(OrchestrationCommand)
    /// The exchange is computed and must be stored before its answer is sent.
    case begun(BegunExchange)
}

/// An exchange after request 1, before it is stored.
private struct BegunExchange: Sendable {
    let record: ActivationSessionRecord
    let answer: OrchestrationCommand
    /// Whether the exchange tries an activation password that exists.
    let isReal: Bool
    let now: Timestamp

    /// Stores the exchange and spends a try, before the answer is sent.
    ///
    /// - Throws: ``OutdatedInput`` when the session id was taken, or the activation password is no longer the live one.
    func commit(within quota: SessionQuota, in store: StoreTransaction) throws {
        try quota.removeExcess(in: store)
        if try !store.insert(record) {
            // An old exchange with the same id may still have its row, which the maintenance removes later.
            guard let old = try store.activationSession(record.id), old.keptUntil <= now else { throw OutdatedInput() }
            var renewed = record
            renewed.version = old.version
            try requireWritten(store.update(renewed))
        }
        // For a decoy, the statement changes no row.
        let isSpent = try store.spendTry(
            account: record.account, registrationID: record.registrationID, limit: ActivationExchange.tries, now: now)
        guard isSpent == isReal else { throw OutdatedInput() }
        // An activation password has few tries. Requests without one are counted, because anybody can send them.
        if isReal {
            try store.append(
                AuditEntry(time: now, event: .activationTried, account: record.account, reason: "code"))
        } else {
            try store.tally(.activationTried, reason: "unknownCode", hour: AuditTally.hour(of: now))
        }
    }
}
