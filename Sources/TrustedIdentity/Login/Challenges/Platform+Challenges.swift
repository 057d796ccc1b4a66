internal import Primitives

extension Platform {
    /// Makes a challenge for one login of a user.
    ///
    /// The site shows the challenge, the user types it in the app, and a login names it by its request id:
    /// ``LoginRequest/Credential/challengeResponse(_:requestID:)``. An unknown user gets a challenge like any other.
    ///
    /// - Parameters:
    ///   - account: The account. It need not exist.
    ///   - length: The number of decimal digits with the check digit, 4 to 16.
    ///   - checkDigit: Whether the last digit is a check digit (Luhn, ISO/IEC 7812-1), with which an app finds a
    ///     mistyped digit.
    ///   - principal: The caller, such as the id of its API key: at most 256 bytes. A login of another caller does not
    ///     find the challenge.
    /// - Returns: The challenge. It is valid for one login, until it expires
    ///   (``PlatformConfiguration/challengeLifetime``) or 16 later ones were made for the account.
    /// - Throws: ``PlatformError`` with `malformedRequest` for an argument outside its limits, `storeFailed`.
    public func generateChallenge(
        for account: AccountName, length: Int = LoginChallenge.defaultLength, checkDigit: Bool = false,
        principal: String = ""
    ) async throws -> LoginChallenge {
        guard LoginChallenge.lengths.contains(length), principal.utf8.count <= 256 else {
            throw PlatformError(.malformedRequest)
        }
        let now = time.now()
        let expiry = now.advanced(milliseconds: configuration.challengeLifetime.wholeMilliseconds)
        let record = try await retryingConflicts {
            let digits = LoginChallenge.digits(length: length, checkDigit: checkDigit, random: random)
            let id = random.bytes(16)
            return try await store.write { store in
                let record = ChallengeRecord(
                    id: id, account: account.text, principal: principal, challenge: digits, expiresAt: expiry)
                try store.removeOldestChallenges(of: record.account, keeping: LoginChallenge.maximumCount - 1)
                try requireWritten(store.insert(record))
                return record
            }
        }
        return LoginChallenge(digits: record.challenge, requestID: Hex.encode(record.id), expiresAt: record.expiresAt)
    }
}

/// The challenge that a login names, as it was read.
enum NamedChallenge: Sendable {
    /// A code for it may be accepted.
    case open(ChallengeRecord)
    /// A code for it was accepted.
    case used
    /// The caller has no such challenge for the account, the challenge has expired, or it was made before a restore.
    case unknown

    /// Reads the challenge.
    ///
    /// - Parameters:
    ///   - id: The request id as the caller sent it.
    ///   - principal: The caller of the login.
    ///   - account: The account of the login.
    ///   - lifetime: The time in which a challenge is valid.
    init(
        _ id: String, principal: String, account: LoginAccount, lifetime: Duration, now: Timestamp,
        in store: any StoreReader
    ) throws {
        let id = (try? Hex.decode(id, limit: 32)) ?? []
        guard let record = try store.challenge(id), record.principal == principal,
            record.expiresAt > now, record.account == account.name.text
        else {
            self = .unknown
            return
        }
        // A backup may contain a challenge whose code was accepted after the backup.
        if let restored = account.restoredAt,
            record.expiresAt <= restored.advanced(milliseconds: lifetime.wholeMilliseconds)
        {
            self = .unknown
            return
        }
        self = record.usedAt == nil ? .open(record) : .used
    }

    /// The reason why no code is accepted; `nil` for an open challenge.
    var refusal: LoginDecision.Reason? {
        switch self {
        case .open: nil
        case .used: .usedChallenge
        case .unknown: .unknownChallenge
        }
    }
}
