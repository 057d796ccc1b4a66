internal import Logging
internal import Primitives

extension Platform {
    /// Decides whether a seal was made over data by a device of the user.
    ///
    /// A seal is counted, compared and answered like the signature of a local transaction, with the same counter. A
    /// seal is not accepted as a signature, and a signature is not accepted as a seal. The rules of the policy for
    /// transactions decide, with the type `seal` and without an amount and a creditor.
    ///
    /// - Parameter seal: The account, the data and the seal.
    /// - Returns: The decision. Its reason is not for application servers.
    /// - Throws: ``PlatformError`` with `sealsUnavailable` when the policy accepts no seals, for every account;
    ///   `storeFailed`, `busy`.
    public func validate(_ seal: LocalSeal) async throws -> LoginDecision {
        guard policy.codes.seals else { throw PlatformError(.sealsUnavailable) }
        let tick = answerTick()
        let code = seal.seal
        let decision = try await decide(
            CodeRequest(
                purpose: .seal, account: seal.account, application: seal.application, data: .seal(seal.content),
                allowed: { [hashes] policy, account, now in
                    policy.acceptedMethods(ofSignaturesIn: seal.situation(account, hashes: hashes, at: now))
                },
                source: seal.source),
            comparing: { try $0.match(code.text) })
        metrics.count(decision.status == .accepted ? .acceptedTransactions : .refusedTransactions)
        logger.debug("seal decided", metadata: ["seal.status": "\(decision.status.rawValue)"])
        if decision.status == .refused { await tick.wait() }
        return decision
    }
}

extension LocalSeal {
    /// The transaction type that policy rules name for a seal.
    private static let type = "seal"

    /// Returns the policy's input.
    fileprivate func situation(_ account: LoginAccount, hashes: KeyedHashes, at now: Timestamp) -> Situation {
        var situation = account.situation(
            .transaction, address: address, fingerprint: fingerprint, showsNumbers: showsNumbers, hashes: hashes,
            at: now)
        situation.type = Self.type
        situation.showsFreeText = true
        return situation
    }
}
