internal import Logging
internal import Primitives

extension Platform {
    /// Decides whether a signature approves a transaction.
    ///
    /// A signature is a typed code over data. It shares the failure counts of login codes, is compared with the same
    /// keys, and is accepted once, even if it is sent many times at once. An unknown user, a blocked user and a wrong
    /// signature get the same answer, except for the reason, at the tick of a refused login.
    ///
    /// The rules of the policy for transactions decide with the type, the amount and the creditor of the request.
    /// Values that the request does not name are unknown.
    ///
    /// - Parameter transaction: The account, the fields and the signature.
    /// - Returns: The decision. Its reason is not for application servers.
    /// - Throws: ``PlatformError`` with `storeFailed`, `busy`.
    public func validate(_ transaction: LocalTransaction) async throws -> LoginDecision {
        let tick = answerTick()
        let code = transaction.signature
        let decision = try await decide(
            CodeRequest(
                purpose: .transaction, account: transaction.account, application: transaction.application,
                data: .fields(transaction.fields.fields),
                allowed: { [hashes] policy, account, now in
                    policy.acceptedMethods(ofSignaturesIn: transaction.situation(account, hashes: hashes, at: now))
                },
                source: transaction.source),
            comparing: { try $0.match(code.text) })
        metrics.count(decision.status == .accepted ? .acceptedTransactions : .refusedTransactions)
        logger.debug("transaction decided", metadata: ["transaction.status": "\(decision.status.rawValue)"])
        if decision.status == .refused { await tick.wait() }
        return decision
    }
}

extension LocalTransaction {
    /// Returns the policy's input.
    fileprivate func situation(_ account: LoginAccount, hashes: KeyedHashes, at now: Timestamp) -> Situation {
        var situation = account.situation(
            .transaction, address: address, fingerprint: fingerprint, showsNumbers: showsNumbers, hashes: hashes,
            at: now)
        situation.type = type
        situation.amount = amount
        situation.showsFreeText = true
        situation.creditor = account.risk.recognizes(
            creditor: creditor.map { hashes.stored(creditor: $0, of: account.name.text) })
        return situation
    }
}
