public import Primitives

extension Platform {
    /// Measures how far a device's clock or counter is off, from two codes that followed each other.
    ///
    /// - Parameters:
    ///   - account: whose authenticator; it need not exist.
    ///   - codes: the two codes as typed, in the order of their making.
    ///   - application: the crypto application index that made them, 1…8.
    /// - Throws: ``PlatformError`` with `codesRefused` when they are not two successive codes of a device, when the
    ///   account is blocked and when it is unknown; counted like a failed login.
    public func synchronizeAuthenticator(
        _ account: AccountName, codes: (String, String), application: UInt8 = 1
    ) async throws {
        let isAccepted = try await deciding {
            let now = time.now()
            let name = account.text
            let subject = try await subject(name)
            let use = CryptoApplications.use(of: application)
            let search = CodeSearch(
                candidates: try subject.candidates(
                    application: application, of: account, tenant: configuration.tenant, sealer: sealer, decoys: decoys,
                    now: now),
                use: use, now: now)
            // Any method: it is the device's clock that is measured, and nobody is logged in.
            let verdict = CodeVerdict(
                try search.find(codes), use: use, allowed: Set(AuthenticationMethod.allCases),
                isEveryDeviceRestored: subject.isEveryDeviceRestored)
            let accepted = try acceptance(
                of: verdict, account: account, subject: subject, application: application, now: now)
            let attempt = LoginAttempt(
                name: name, subject: subject,
                scope: ThrottleScope(account: subject.account?.name ?? Decoys.account, kind: .code, source: nil),
                now: now)
            return try await store.write { try attempt.resynchronize(verdict, accepted, in: $0) }
        }
        guard isAccepted else { throw PlatformError(.codesRefused) }
    }
}

extension LoginAttempt {
    /// Settles two codes. They are used up and end nothing: who fails to log in does not start anew by this.
    fileprivate func resynchronize(
        _ verdict: CodeVerdict, _ acceptance: CodeAcceptance?, in store: any StoreTransaction
    ) throws -> Bool {
        let throttle = try scope.record(in: store)
        if Throttle.isBlocked(throttle, now: now) {
            _ = try refuse(.blocked, in: store)
            return false
        }
        switch verdict {
        case .accepted(let match, _), .notAllowed(let match):
            guard let acceptance else { throw PlatformError(.internal) }
            try use(acceptance, in: store)
            try store.append(
                AuditEntry(time: now, event: .codesSynchronized, account: name, device: match.origin.device))
            return true
        case .refused(let reason):
            _ = try refuse(reason, in: store)
            return false
        case .wrong:
            _ = try countFailure(throttle, in: store)
            return false
        }
    }
}
