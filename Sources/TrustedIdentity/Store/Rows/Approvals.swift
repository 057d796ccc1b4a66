internal import Primitives

extension ApprovalRecord: StoredRecord {
    static let table = Table<ApprovalRecord>(
        versioned: "approval",
        key: [.init("id", \.id)],
        columns: [
            .init("account", \.account),
            .init("kind", \.kind),
            .init("principal", \.principal),
            .init("request_id", \.requestID),
            .init("source", \.source),
            .init("address", \.address),
            .init("request", \.request),
            .init("request_hash", \.requestHash),
            .init("accepted_methods") { Numbers($0.acceptedMethods.map { UInt64($0.rawValue) }.sorted()) },
            .init("number", \.number),
            .init("is_announced", \.isAnnounced),
            .init("amount", \.amount),
            .init("currency", \.currency),
            .init("creditor", \.creditor),
            .init("state", \.state),
            .init("created_at", \.createdAt),
            .init("expires_at", \.expiresAt),
            .init("opened_at", \.openedAt),
            .init("ended_at", \.endedAt),
            .init("device", \.device),
            .init("answer_hash", \.answerHash),
            .init("reason", \.reason),
            .init("receipt", \.receipt),
            .init("kept_until", \.keptUntil),
            .init("browser", \.browser),
            .init("notice_text", \.notice?.text),
            .init("notice_payload", \.notice?.payload),
            .init("refusal_text", \.refusalNotice?.text),
            .init("refusal_payload", \.refusalNotice?.payload),
            .init("device_rules", \.deviceRules),
            .init("session_id", \.sessionID),
        ], isAuthenticated: true)

    init(row: StoredRow) throws {
        let numbers: Numbers = try row["accepted_methods"]
        let methods = numbers.values.compactMap { UInt8(exactly: $0).flatMap(AuthenticationMethod.init(rawValue:)) }
        guard methods.count == numbers.values.count else { throw StoreError(.corrupt) }
        self.init(
            id: try row["id"], account: try row["account"], kind: try row["kind"], principal: try row["principal"],
            requestID: try row["request_id"], source: try row["source"], address: try row["address"],
            request: try row["request"], requestHash: try row["request_hash"], acceptedMethods: Set(methods),
            number: try row["number"], isAnnounced: try row["is_announced"], createdAt: try row["created_at"],
            expiresAt: try row["expires_at"], keptUntil: try row["kept_until"], version: try row["version"])
        amount = try row["amount"]
        currency = try row["currency"]
        creditor = try row["creditor"]
        state = try row["state"]
        openedAt = try row["opened_at"]
        endedAt = try row["ended_at"]
        device = try row["device"]
        answerHash = try row["answer_hash"]
        reason = try row["reason"]
        receipt = try row["receipt"]
        browser = try row["browser"]
        deviceRules = try row["device_rules"]
        sessionID = try row["session_id"]
        notice = try RefusalNotice(columns: "notice", in: row)
        refusalNotice = try RefusalNotice(columns: "refusal", in: row)
    }
}

extension RefusalNotice {
    /// Creates the notice in the columns `name_text` and `name_payload`; `nil` where both are null.
    ///
    /// - Throws: ``StoreError`` with `corrupt` for a notice that breaks a rule.
    fileprivate init?(columns name: String, in row: StoredRow) throws {
        let (text, payload): (String?, [UInt8]?) = (try row[name + "_text"], try row[name + "_payload"])
        guard text != nil || payload != nil else { return nil }
        do throws(RefusalNoticeError) {
            try self.init(text: text, payload: payload)
        } catch {
            throw StoreError(.corrupt)
        }
    }
}

extension StreamTokenRecord: StoredRecord {
    static let table = Table<StreamTokenRecord>(
        "stream_token",
        key: [.init("token_hash", \.tokenHash)],
        columns: [
            .init("device", \.device),
            .init("expires_at", \.expiresAt),
        ])

    init(row: StoredRow) throws {
        self.init(
            tokenHash: try row["token_hash"], device: try row["device"], expiresAt: try row["expires_at"])
    }
}

extension StoreReader {
    /// Returns an approval request.
    ///
    /// - Parameter id: The id, 16 bytes.
    package func approval(_ id: [UInt8]) throws -> ApprovalRecord? { try record("WHERE id = $1", [id]) }

    /// Returns approval requests in the order of their ids, answered and expired ones included, for walks over all of
    /// them.
    ///
    /// - Parameters:
    ///   - id: The id before the first approval request to return; nil for the start.
    ///   - limit: The maximum number of approval requests to return, 1 or more.
    package func approvals(after id: [UInt8]?, limit: Int) throws -> [ApprovalRecord] {
        // Every id comes after the empty one.
        try page(by: "id", after: id ?? [], limit: limit)
    }

    /// Returns an approval request by what was signed.
    ///
    /// - Parameter requestHash: SHA-256 of the signed approval request, 32 bytes.
    package func approval(requestHash: [UInt8]) throws -> ApprovalRecord? {
        try record("WHERE request_hash = $1", [requestHash])
    }

    /// Returns the latest approval request with a request id, ties by id; nil if there is none.
    ///
    /// - Parameters:
    ///   - requestID: The request id, 1…256 bytes.
    ///   - principal: The id of the API key that asked; empty for code that embeds the platform.
    package func approval(requestID: String, of principal: String) throws -> ApprovalRecord? {
        try record(
            """
            WHERE principal = $1 AND request_id = $2
            ORDER BY created_at DESC, id DESC LIMIT 1
            """, [principal, requestID])
    }

    /// Returns the approval requests of an account whose state is `pending`, expired ones included, the oldest first,
    /// ties by id.
    ///
    /// - Parameter account: `user@domain`, normalized.
    package func pendingApprovals(of account: String) throws -> [ApprovalRecord] {
        try records(
            "WHERE account = $1 AND \(Schema.isPending) ORDER BY created_at, id", [account])
    }

    /// Returns the approval requests of all principals whose state is `pending`, expired ones included, and whose
    /// request id or session id is a text, in the order of their ids.
    ///
    /// - Parameters:
    ///   - name: The request id or session id, 1…256 bytes.
    ///   - limit: The maximum number of requests to return, 1 or more.
    package func pendingApprovals(named name: String, limit: Int) throws -> [ApprovalRecord] {
        // Two searches, because each uses its own index.
        try records(
            """
            WHERE id IN (
                SELECT id FROM approval WHERE request_id = $1 AND \(Schema.isPending)
                UNION
                SELECT id FROM approval WHERE session_id = $1 AND \(Schema.isPending))
            ORDER BY id LIMIT $2
            """, [name, max(0, limit)])
    }

    /// Returns the row of a stream token, expired ones included.
    ///
    /// - Parameter tokenHash: SHA-256 of the token, 32 bytes.
    package func streamToken(_ tokenHash: [UInt8]) throws -> StreamTokenRecord? {
        try record("WHERE token_hash = $1", [tokenHash])
    }
}

extension StoreTransaction {
    /// Deletes an approval request.
    package func removeApproval(_ id: [UInt8]) throws { try run("DELETE FROM approval WHERE id = $1", [id]) }

    /// Returns the approval requests with the state `pending` and `expiresAt <= time`, the earliest first.
    ///
    /// - Parameters:
    ///   - time: The latest `expiresAt`.
    ///   - limit: The maximum number of requests to return.
    package func expiredApprovals(until time: Timestamp, limit: Int) throws -> [ApprovalRecord] {
        try first(limit, "WHERE \(Schema.isPending) AND expires_at <= $1 ORDER BY expires_at", time)
    }

    /// Stores a stream token. Returns false if there is a row with its hash.
    package func insert(_ record: StreamTokenRecord) throws -> Bool { try insertRow(record) }

    /// Deletes a stream token. Returns whether there was one: this statement is what makes a token single-use.
    package func removeStreamToken(_ tokenHash: [UInt8]) throws -> Bool {
        try run("DELETE FROM stream_token WHERE token_hash = $1", [tokenHash]) == 1
    }

    /// Deletes the stream tokens of a device.
    package func removeStreamTokens(of device: [UInt8]) throws {
        try run("DELETE FROM stream_token WHERE device = $1", [device])
    }
}
