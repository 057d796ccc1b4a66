internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

extension AdministrationRoutes {
    /// `GET /v1/audit?first=N`: the entries of the audit log from a number, a JSON object on each line; by default from
    /// the first one that was not pruned.
    func exportAudit(_ request: Request, _ context: ServerContext) async throws -> Response {
        try requireAllDomains(context)
        let text = request.uri.queryParameters.get("first")
        let first = text.flatMap { Int64($0) }
        guard text == nil || first ?? 0 > 0 else { throw unknownEntry("first") }
        do {
            return lines(try await platform(for: request, context).exportAudit(from: first))
        } catch let error as PlatformError where error.code == .malformedRequest {
            throw unknownEntry("first")
        }
    }

    /// `GET /v1/audit/before?date=`: the entries before a date, in order to prune them.
    func exportAuditBefore(_ request: Request, _ context: ServerContext) async throws -> Response {
        let time = try time(of: request.uri.queryParameters.get("date") ?? "")
        return try await mappingPruning { lines(try await platform(for: request, context).exportAudit(before: time)) }
    }

    /// `GET /v1/audit/extract?user=`: the entries of a user with their proofs.
    func extractAudit(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try base.account(
            request.uri.queryParameters.get("user") ?? "", field: "user", in: context)
        return lines(try await platform(for: request, context).auditExtract(of: account))
    }

    /// `POST /v1/audit/prune`: prunes entries that a file contains.
    func pruneAudit(_ request: Request, _ context: ServerContext) async throws -> Response {
        let wish = try await JSONBody.decode(PruningRequest.self, from: request)
        let time = try time(of: wish.before)
        return try await mappingPruning {
            guard let root = try? Hex.decode(wish.root) else { throw APIError(field: "root", "must be hexadecimal") }
            _ = try await platform(for: request, context).pruneAudit(
                AuditPart(first: wish.first, last: wish.last, root: root), before: time)
            return try JSONBody.response(StatusReply(status: "pruned"))
        }
    }

    /// `POST /v1/audit/pruned-rows`: removes some rows of entries that were pruned.
    func removePrunedRows(_ request: Request, _ context: ServerContext) async throws -> Response {
        try JSONBody.response(PrunedRowsBody(left: try await platform(for: request, context).removePrunedRows()))
    }

    /// `POST /v1/audit/checkpoint`: a checkpoint of the audit log, which the platform signs.
    func signCheckpoint(_ request: Request, _ context: ServerContext) async throws -> Response {
        try requireAllDomains(context)
        let (checkpoint, key) = try await platform(for: request, context).auditCheckpointWithKey()
        return try JSONBody.response(SignedCheckpointBody(note: checkpoint.note, key: key))
    }

    /// `GET /v1/audit/checkpoints?before=&limit=`: the checkpoints that the platform keeps, the latest first.
    func listCheckpoints(_ request: Request, _ context: ServerContext) async throws -> Response {
        try requireAllDomains(context)
        let limit = try limit(of: request)
        let size = request.uri.queryParameters.get("before").map { Int64($0) } ?? .max
        guard let size, size > 0 else { throw APIError(field: "before", "must be 1 or more") }
        let kept = try await platform(for: request, context).auditCheckpoints(before: size, limit: limit)
        return try JSONBody.response(AuditCheckpointListBody(checkpoints: kept.map(AuditCheckpointBody.init)))
    }

    /// `GET /v1/audit/counts`: the numbers of events that the log lists in part.
    func countAudit(_ request: Request, _ context: ServerContext) async throws -> Response {
        try JSONBody.response(try await platform(for: request, context).auditTallies(limit: 1_000))
    }

    /// `GET /v1/audit/keys`: the keys that verify checkpoints, the current key and the replaced keys.
    func listAuditKeys(_ request: Request, _ context: ServerContext) throws -> Response {
        try JSONBody.response(base.platform.auditVerifierKeys)
    }

    /// `GET /v1/audit/proof?entry=` or `?since=`: a proof of the entry with a number, or of the growth of the log.
    func proveAudit(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = request.uri.queryParameters
        let platform = platform(for: request, context)
        let text: String?
        if let entry = query.get("entry", as: Int64.self) {
            text = try await platform.proveAudit(entry: entry)?.text
        } else if let size = query.get("since", as: Int64.self) {
            text = try await platform.proveAudit(since: size)?.text
        } else {
            text = nil
        }
        guard let text else { throw unknownEntry("entry") }
        return try JSONBody.response(AuditProofBody(proof: text))
    }

    /// `POST /v1/audit/verify`: compares the audit log with its tree, and with signed notes.
    func verifyAudit(_ request: Request, _ context: ServerContext) async throws -> Response {
        let platform = platform(for: request, context)
        let notes = try await JSONBody.decode(VerificationRequest.self, from: request).checkpoints
        var checkpoints: [AuditCheckpoint] = []
        for (index, note) in notes.enumerated() {
            do {
                checkpoints.append(try platform.checkpoint(of: note))
            } catch {
                throw APIError(.conflict, field: "checkpoints[\(index)]", error.message)
            }
        }
        return try JSONBody.response(AuditVerificationBody(try await platform.verifyAudit(against: checkpoints)))
    }

    /// Returns the answer with a file, which is read while it is sent.
    private func lines<File: AsyncSequence & Sendable>(_ file: File) -> Response where File.Element == [UInt8] {
        Response(
            status: .ok, headers: [.contentType: "application/jsonl"],
            body: ResponseBody(asyncSequence: file.map { ByteBuffer(bytes: $0) }))
    }

    private func unknownEntry(_ field: String) -> APIError {
        APIError(field: field, "the audit log has no entry with that number")
    }

    /// Reads a day, as the beginning of the day in UTC, or a time as in RFC 3339.
    private func time(of text: String) throws(APIError) -> Timestamp {
        let isDay = text.utf8.count == "2026-01-01".utf8.count
        guard let time = Timestamp(rfc3339: isDay ? text + "T00:00:00Z" : text) else {
            throw APIError(
                field: "date", "the date is not a day as 2026-01-31, nor a time as 2026-01-31T00:00:00Z")
        }
        return time
    }

    private func mappingPruning(_ body: () async throws -> Response) async throws -> Response {
        do {
            return try await body()
        } catch let error as AuditError {
            throw switch error.code {
            case .futureTime: APIError(field: "date", "the date is in the future, nothing was pruned")
            case .nothingToPrune:
                APIError(
                    .conflict, field: "date", "the audit log has no entry before the date, nothing was pruned")
            case .changedLog:
                APIError(
                    .alteredRow, field: "log",
                    "the audit log was changed outside of the platform, nothing was pruned")
            // The code is `otherPart`: a pruning throws no other one.
            default: APIError(.conflict, field: "part", "another process has pruned the audit log meanwhile")
            }
        }
    }
}
