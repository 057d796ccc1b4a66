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
            .init("authentication_code", \.authenticationCode),
            .init("browser", \.browser),
            .init("notice_text", \.notice?.text),
            .init("notice_payload", \.notice?.payload),
            .init("refusal_text", \.refusalNotice?.text),
            .init("refusal_payload", \.refusalNotice?.payload),
            .init("device_rules", \.deviceRules),
            .init("session_id", \.sessionID),
        ])

    init(row: StoredRow) throws {
        let numbers: Numbers = try row["accepted_methods"]
        let methods = numbers.values.compactMap { UInt8(exactly: $0).flatMap(AuthenticationMethod.init(rawValue:)) }
        guard methods.count == numbers.values.count else { throw PlatformStoreError(.corrupt) }
        self.init(
            id: try row["id"], account: try row["account"], kind: try row["kind"], principal: try row["principal"],
            requestID: try row["request_id"], source: try row["source"], request: try row["request"],
            requestHash: try row["request_hash"], acceptedMethods: Set(methods), number: try row["number"],
            isAnnounced: try row["is_announced"], createdAt: try row["created_at"], expiresAt: try row["expires_at"],
            keptUntil: try row["kept_until"], version: try row["version"],
            authenticationCode: try row["authentication_code"])
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
    /// - Throws: ``PlatformStoreError`` with `corrupt` for a notice that breaks a rule.
    fileprivate init?(columns name: String, in row: StoredRow) throws {
        let (text, payload): (String?, [UInt8]?) = (try row[name + "_text"], try row[name + "_payload"])
        guard text != nil || payload != nil else { return nil }
        do throws(RefusalNoticeError) {
            try self.init(text: text, payload: payload)
        } catch {
            throw PlatformStoreError(.corrupt)
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

extension SQLiteTransaction {
    func approval(_ id: [UInt8]) throws -> ApprovalRecord? { try record("WHERE id = :id", ["id": id]) }

    func approvals(after id: [UInt8]?, limit: Int) throws -> [ApprovalRecord] {
        // Every id comes after the empty one.
        try records("WHERE id > :id ORDER BY id LIMIT :limit", ["id": id ?? [], "limit": max(0, limit)])
    }

    func removeApproval(_ id: [UInt8]) throws { try run("DELETE FROM approval WHERE id = :id", ["id": id]) }

    func approval(requestHash: [UInt8]) throws -> ApprovalRecord? {
        try record("WHERE request_hash = :request_hash", ["request_hash": requestHash])
    }

    func approval(requestID: String, of principal: String) throws -> ApprovalRecord? {
        try record(
            """
            WHERE principal = :principal AND request_id = :request_id
            ORDER BY created_at DESC, id DESC LIMIT 1
            """, ["principal": principal, "request_id": requestID])
    }

    func pendingApprovals(of account: String) throws -> [ApprovalRecord] {
        try records(
            "WHERE account = :account AND \(Schema.isPending) ORDER BY created_at, id", ["account": account])
    }

    func pendingApprovals(named name: String, limit: Int) throws -> [ApprovalRecord] {
        // Two searches, so that each uses its index.
        try records(
            """
            WHERE id IN (
                SELECT id FROM approval WHERE request_id = :name AND \(Schema.isPending)
                UNION
                SELECT id FROM approval WHERE session_id = :name AND \(Schema.isPending))
            ORDER BY id LIMIT :limit
            """, ["name": name, "limit": max(0, limit)])
    }

    func expiredApprovals(until time: Timestamp, limit: Int) throws -> [ApprovalRecord] {
        try records(
            "WHERE \(Schema.isPending) AND expires_at <= :time ORDER BY expires_at LIMIT :limit",
            ["time": time, "limit": max(0, limit)])
    }

    func insert(_ record: ApprovalRecord) throws -> Bool { try insertRow(record) }
    func update(_ record: ApprovalRecord) throws -> Bool { try compareAndSet(record) }

    func streamToken(_ tokenHash: [UInt8]) throws -> StreamTokenRecord? {
        try record("WHERE token_hash = :token_hash", ["token_hash": tokenHash])
    }

    func insert(_ record: StreamTokenRecord) throws -> Bool { try insertRow(record) }

    func removeStreamToken(_ tokenHash: [UInt8]) throws -> Bool {
        try run("DELETE FROM stream_token WHERE token_hash = :token_hash", ["token_hash": tokenHash]) == 1
    }

    func removeStreamTokens(of device: [UInt8]) throws {
        try run("DELETE FROM stream_token WHERE device = :device", ["device": device])
    }
}
