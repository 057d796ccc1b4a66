internal import Logging
internal import OrchestrationProtocol
internal import Primitives

extension Platform {
    /// Creates an API key.
    ///
    /// - Parameters:
    ///   - scope: The part of the REST API that the key opens.
    ///   - name: The name of the application server, which its users see above everything that it asks them to approve:
    ///     1 to 64 characters that follow the rules of `DisplayData`.
    ///   - showsNumbers: Whether the application server's site shows the number that the user types in the app. Without
    ///     it, the policy asks for no number.
    ///   - domains: The domains whose accounts the key may name, at most 32; empty for all. They never change: make
    ///     another key instead.
    /// - Returns: The key. Its secret is not stored and is available only here.
    /// - Throws: ``PlatformError`` with `malformedRequest` for a name that breaks a rule, for a text that is not a
    ///   domain, for more than 32 domains, and for numbers with a key of another scope than `app-server`;
    ///   `apiKeyNameInUse` for a name that is like the name of another key that is not revoked; `storeFailed`. For a
    ///   name that breaks a rule, the underlying error is a `DisplayDataError`.
    public func createAPIKey(
        scope: APIKeyScope, name: String, showsNumbers: Bool = false, domains: [String] = []
    ) async throws -> NewAPIKey {
        try APIKeyRecord.check(name: name)
        guard !showsNumbers || scope == .applicationServer, let domains = APIKeyRecord.normalized(domains: domains)
        else { throw PlatformError(.malformedRequest) }
        return try await retryingConflicts {
            let (id, now) = (Hex.encode(random.bytes(8)), time.now())
            let secret = Base64URL.encode(random.secret(32))
            let secretHash = hashes.stored(apiKeySecret: secret)
            let record = APIKeyRecord(
                id: id, name: name, scope: scope, secretHash: secretHash, createdAt: now, showsNumbers: showsNumbers,
                domains: domains)
            try await store.write { store in
                var record = record
                record.epoch = try store.currentState().epoch
                try store.requireFreeName(name)
                try requireWritten(store.insert(record))
                try store.append(AuditEntry(time: now, event: .apiKeyCreated, reason: id))
            }
            return NewAPIKey(id: id, scope: scope, secret: SecretBox(secret))
        }
    }

    /// Returns all API keys, the oldest first, with the revoked ones. A row that was changed outside of the platform is
    /// logged and left out.
    ///
    /// - Throws: ``PlatformError`` with `storeFailed`.
    public func apiKeys() async throws -> [APIKeyReport] {
        try await read { store in
            let state = try store.currentState()
            return try store.apiKeys().map { APIKeyReport($0, state: state) }
        }
    }

    /// Revokes an API key with immediate effect. Revoking it again has no effect.
    ///
    /// - Throws: ``PlatformError`` with `unknownAPIKey`, `alteredRow`, `storeFailed`.
    public func revokeAPIKey(_ id: String) async throws {
        let now = time.now()
        try await write { store in
            guard DisplayText.hasAllowedCharacters(id), try store.apiKey(id) != nil else {
                throw PlatformError(.unknownAPIKey)
            }
            guard try store.revokeAPIKey(id, at: now) else { return }
            try store.append(AuditEntry(time: now, event: .apiKeyRevoked, reason: id))
        }
    }

    /// Returns the caller that an API key authenticates.
    ///
    /// - Parameter apiKey: The text that the caller sent, `id.secret`.
    /// - Returns: `nil` for a key that is malformed, unknown, wrong or revoked, that is suspended since a restore, or
    ///   whose row was changed outside of the platform. The last two are logged.
    /// - Throws: ``PlatformError`` with `storeFailed`.
    public func authenticate(apiKey: String) async throws -> APIPrincipal? {
        guard apiKey.utf8.count <= 256, DisplayText.hasAllowedCharacters(apiKey) else { return nil }
        let parts = apiKey.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let id = String(parts[0])
        return try await principal(id, storedHash: hashes.stored(apiKeySecret: SecretBytes(copying: parts[1].utf8)))
    }

    /// Returns the caller with an id if the hash that the store keeps of its secret or certificate is equal to a given
    /// hash.
    func principal(_ id: String, storedHash hash: [UInt8]) async throws -> APIPrincipal? {
        let (record, state) = try await read { store in
            (try ifUnaltered { try store.apiKey(id) }, try store.currentState())
        }
        // The hash is compared for an unknown id as well. Otherwise the time would show which ids exist.
        let isEqual = ConstantTime.equal(hash, record?.secretHash ?? [UInt8](repeating: 0, count: 32))
        guard let record, record.revokedAt == nil, isEqual else { return nil }
        guard !state.suspends(epoch: record.epoch) else {
            var metadata: Logger.Metadata = ["api-key.id": "\(id)"]
            metadata["correlation.id"] = Logger.current[metadataKey: "correlation.id"]
            logger.notice("an API key is suspended since a restore", metadata: metadata)
            return nil
        }
        return APIPrincipal(record)
    }
}

extension APIKeyRecord {
    /// The maximum number of domains of a key.
    package static let maximumDomains = 32

    /// Returns domains as a row stores them: in lower case, in alphabetical order, each once. Returns nil for a text
    /// that is not a domain, and for more than ``maximumDomains``.
    package static func normalized(domains: [String]) -> [String]? {
        guard domains.count <= maximumDomains else { return nil }
        // A domain has one spelling, which makes the comparison exact.
        let names = domains.compactMap { try? AccountName(userID: "user", domain: $0).domain }
        return names.count == domains.count ? Set(names).sorted() : nil
    }
}

// The names, which users see.
extension APIKeyRecord {
    /// Requires that the users of an application server can see a name.
    ///
    /// - Throws: ``PlatformError`` with `malformedRequest` for a name that breaks a rule.
    static func check(name: String) throws(PlatformError) {
        do throws(DisplayDataError) {
            _ = try ApprovalPrincipal(id: "", name: name)
        } catch {
            throw PlatformError(.malformedRequest, underlying: error)
        }
    }

    /// Returns the part of a name that is compared with other names: in lower case, without white space, punctuation
    /// and characters that are not shown, such as U+FE0F after an emoji. A user does not see a difference in these.
    static func comparedName(_ name: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in name.lowercased().unicodeScalars
        where !scalar.properties.isWhitespace && !scalar.isRefusedInText {
            switch scalar.properties.generalCategory {
            case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
                .finalPunctuation, .otherPunctuation:
                continue
            default: kept.append(scalar)
            }
        }
        return String(kept)
    }
}

extension StoreTransaction {
    /// Requires that no other key has the same or a similar name. A revoked key does not count: another key may replace
    /// it.
    ///
    /// The check runs in the transaction that inserts the key. Two keys therefore cannot take one name.
    ///
    /// - Throws: ``PlatformError`` with `apiKeyNameInUse`.
    func requireFreeName(_ name: String) throws {
        let compared = APIKeyRecord.comparedName(name)
        let isTaken = try apiKeys().contains {
            $0.revokedAt == nil && APIKeyRecord.comparedName($0.name) == compared
        }
        guard !isTaken else { throw PlatformError(.apiKeyNameInUse) }
    }

    /// Sets the time of revocation of an API key.
    ///
    /// - Returns: `false` when the key does not exist or is revoked already.
    func revokeAPIKey(_ id: String, at time: Timestamp) throws -> Bool {
        guard var record = try apiKey(id), record.revokedAt == nil else { return false }
        record.revokedAt = time
        guard try update(record) else { return false }
        try noteRevoked(id, in: APIKeyRecord.table.name)
        return true
    }
}
