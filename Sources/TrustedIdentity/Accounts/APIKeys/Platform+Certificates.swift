internal import Logging
internal import Primitives

extension Platform {
    /// Allows a TLS client certificate as an API key.
    ///
    /// The id of the key is the SHA-256 of the certificate in hexadecimal. It is listed, revoked, suspended and lifted
    /// as other keys are. A certificate is allowed once: after a revocation, make another certificate.
    ///
    /// - Parameters:
    ///   - certificateHash: The SHA-256 of the certificate in DER, 32 bytes.
    ///   - scope: The part of the REST API that the certificate opens.
    ///   - name: The name of the application server, as in ``createAPIKey(scope:name:showsNumbers:domains:)``.
    ///   - showsNumbers: Whether the application server's site shows the number that the user types in the app.
    ///   - domains: The domains whose accounts the caller may name, at most 32; empty for all.
    /// - Returns: The id of the key; `nil` for a certificate that was allowed before, even if it was revoked since.
    /// - Throws: ``PlatformError`` with `malformedRequest` for a hash of another length, and as
    ///   ``createAPIKey(scope:name:showsNumbers:domains:)`` does.
    public func allowCertificate(
        _ certificateHash: [UInt8], scope: APIKeyScope, name: String, showsNumbers: Bool = false, domains: [String] = []
    ) async throws -> String? {
        try APIKeyRecord.check(name: name)
        guard certificateHash.count == APIKeyRecord.certificateHashBytes,
            !showsNumbers || scope == .applicationServer, let domains = APIKeyRecord.normalized(domains: domains)
        else { throw PlatformError(.malformedRequest) }
        let now = time.now()
        let record = APIKeyRecord(
            id: Hex.encode(certificateHash), name: name, scope: scope,
            secretHash: hashes.stored(certificateHash: certificateHash), createdAt: now, showsNumbers: showsNumbers,
            domains: domains)
        return try await write { store in
            guard try store.apiKey(record.id) == nil else { return nil }
            var record = record
            record.epoch = try store.currentState().epoch
            try store.requireFreeName(name)
            try requireWritten(store.insert(record))
            try store.append(AuditEntry(time: now, event: .apiKeyCreated, reason: record.id))
            return record.id
        }
    }

    /// Returns the caller that a TLS client certificate authenticates. The caller of this method has checked that the
    /// peer has the private key, and that the certificate is valid at this time.
    ///
    /// - Parameter certificateHash: The SHA-256 of the certificate in DER.
    /// - Returns: `nil` for a certificate that was not allowed or was revoked, that is suspended since a restore, or
    ///   whose row was changed outside of the platform. The last two are logged.
    /// - Throws: ``PlatformError`` with `storeFailed`.
    public func authenticate(certificateHash: [UInt8]) async throws -> APIPrincipal? {
        guard certificateHash.count == APIKeyRecord.certificateHashBytes else { return nil }
        return try await principal(
            Hex.encode(certificateHash), storedHash: hashes.stored(certificateHash: certificateHash))
    }
}

extension APIKeyRecord {
    /// The length of a certificate hash in bytes. Its hexadecimal digits are the id of the key.
    static let certificateHashBytes = 32
}
