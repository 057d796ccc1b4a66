internal import Crypto
internal import Primitives

extension Platform {
    /// Makes an API key.
    ///
    /// - Parameters:
    ///   - scope: what it opens.
    ///   - name: what to call it, at most 64 characters.
    /// - Returns: the key; its secret is stored nowhere and seen only here.
    /// - Throws: ``PlatformError`` with `malformedRequest` for a longer name, `storeFailed`.
    public func createAPIKey(scope: APIKeyScope, name: String) async throws -> NewAPIKey {
        guard name.count <= 64, name.utf8.count <= 256 else { throw PlatformError(.malformedRequest) }
        return try await deciding {
            let (id, now) = (Hex.encode(random.bytes(8)), time.now())
            let secret = Base64URL.encode(random.bytes(32))
            let record = APIKeyRecord(
                id: id, name: name, scope: scope, secretHash: Self.hash(ofAPIKeySecret: secret), createdAt: now)
            try await store.write { store in
                try must(store.insert(record))
                try store.append(AuditEntry(time: now, event: .apiKeyCreated, reason: id))
            }
            return NewAPIKey(id: id, scope: scope, typed: SecretBox<SecretBytes>("\(id).\(secret)"))
        }
    }

    /// All API keys, revoked ones included, the oldest first.
    ///
    /// - Throws: ``PlatformError`` with `storeFailed`.
    public func apiKeys() async throws -> [APIKeyReport] {
        try await deciding { try await store.read { try $0.apiKeys().map(APIKeyReport.init) } }
    }

    /// Ends an API key at once. Ending it twice does no harm.
    ///
    /// - Throws: ``PlatformError`` with `unknownAPIKey`, `storeFailed`.
    public func revokeAPIKey(_ id: String) async throws {
        let now = time.now()
        try await deciding {
            try await store.write { store in
                guard try store.apiKey(id) != nil else { throw PlatformError(.unknownAPIKey) }
                guard try store.revokeAPIKey(id, at: now) else { return }
                try store.append(AuditEntry(time: now, event: .apiKeyRevoked, reason: id))
            }
        }
    }

    /// What an API key opens; nil when it is none of ours, wrong, or revoked.
    ///
    /// - Parameter apiKey: what the caller sent, `id.secret`.
    /// - Throws: ``PlatformError`` with `storeFailed`.
    public func authenticate(apiKey: String) async throws -> APIKeyScope? {
        guard apiKey.utf8.count <= 256 else { return nil }
        let parts = apiKey.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let id = String(parts[0])
        let hash = Self.hash(ofAPIKeySecret: String(parts[1]))
        let record = try await deciding { try await store.read { try $0.apiKey(id) } }
        // An unknown key is compared, too: ids are no secret, but there is no need to tell them apart by time.
        let isEqual = ConstantTime.equal(hash, record?.secretHash ?? [UInt8](repeating: 0, count: 32))
        guard let record, record.revokedAt == nil, isEqual else { return nil }
        return record.scope
    }

    private static func hash(ofAPIKeySecret secret: String) -> [UInt8] {
        Array(SHA256.hash(data: Label.apiKey.bytes + Array(secret.utf8)))
    }
}
