internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

/// The handlers of the management listener.
///
/// No route gives its caller more than the API key itself: none makes an API key, lifts a suspension or erases
/// receipts. All three remain with the user of the server process, over the socket in the data folder.
struct ManagementHandlers: Sendable {
    let base: Handlers

    /// Returns the routes with their middleware.
    func router() -> Router<ServerContext> {
        let router = Router(context: ServerContext.self)
        router.add(middleware: RequestSpanMiddleware())
        router.add(middleware: CorrelationMiddleware(random: base.random, time: base.time))
        router.get("health/live", use: base.live)
        router.get("health/ready", use: base.ready)
        let protected = router.group("").add(middleware: base.keys([.administrator]))
        ManagementRoutes(readiness: base.readiness, metrics: .shared).addMetrics(to: protected)
        protected.get("v1/readiness", use: readiness)
        protected.get("v1/users", use: listUsers)
        protected.get("v1/users/:user", use: base.showUser)
        protected.post("v1/users/:user/lift-blocks", use: liftBlocks)
        protected.post("v1/users/:user/unregister", use: base.unregister)
        protected.get("v1/users/:user/devices/:device/data", use: showDeviceData)
        protected.delete("v1/users/:user/devices/:device", use: base.revokeDevice)
        protected.get("v1/approvals/:approval", use: showApproval)
        protected.get("v1/keys", use: listKeys)
        protected.delete("v1/keys/:key", use: revokeKey)
        protected.get("v1/audit", use: exportAudit)
        protected.post("v1/audit/checkpoint", use: signCheckpoint)
        protected.get("v1/audit/checkpoints", use: listCheckpoints)
        return router
    }

    /// `GET /v1/readiness`: health with its reasons.
    private func readiness(_ request: Request, _ context: ServerContext) async throws -> Response {
        let readiness = try await base.readiness.latest()
        return try JSONBody.response(ReadinessBody(readiness), status: readiness.isReady ? .ok : .serviceUnavailable)
    }

    /// `POST /v1/users/{u@d}/lift-blocks`
    private func liftBlocks(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await base.platform(for: request, context).liftBlocks(of: base.account(in: context))
        return try JSONBody.response(StatusReply(status: "lifted"))
    }

    /// `GET /v1/users?prefix=&after=&limit=`: the accounts that the API key may see, in the order of their names.
    private func listUsers(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = request.uri.queryParameters
        let limit = query.get("limit").map { Int($0) } ?? 100
        guard let limit, (1...1_000).contains(limit) else { throw APIError(field: "limit", "must be 1 to 1000") }
        guard let principal = context.principal else { throw APIError(.unauthorized) }
        // A page of all domains would name an account of another one in `next`.
        let accounts = try await base.platform(for: request, context).accounts(
            withPrefix: query.get("prefix") ?? "", in: principal.domains.isEmpty ? nil : Set(principal.domains),
            after: query.get("after"), limit: limit)
        let next = accounts.count == limit ? accounts.last?.name : nil
        return try JSONBody.response(UserList(users: accounts.map(AccountSummaryBody.init), next: next))
    }

    /// `GET /v1/users/{u@d}/devices/{device}/data`
    private func showDeviceData(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try base.account(in: context)
        let id = try Handlers.device(in: context)
        return try JSONBody.response(
            DeviceDataBody(try await base.platform(for: request, context).deviceData(of: id, of: account)))
    }

    /// `GET /v1/approvals/{requestID}`: a pending approval request, with its pointer for a QR code.
    private func showApproval(_ request: Request, _ context: ServerContext) async throws -> Response {
        let name = context.parameters.get("approval").flatMap(Handlers.decoded)
        guard let name,
            let approval = try await base.platform(for: request, context).pendingApproval(named: name),
            base.isVisible(approval.account, in: context)
        else { throw APIError(.notFound) }
        return try JSONBody.response(PendingApprovalBody(approval))
    }

    /// `GET /v1/keys`
    private func listKeys(_ request: Request, _ context: ServerContext) async throws -> Response {
        try requireAllDomains(context)
        let keys = try await base.platform(for: request, context).apiKeys().map(AdministrationReply.Key.init)
        return try JSONBody.response(KeyList(keys: keys))
    }

    /// `DELETE /v1/keys/{id}`
    private func revokeKey(_ request: Request, _ context: ServerContext) async throws -> Response {
        try requireAllDomains(context)
        try await base.platform(for: request, context).revokeAPIKey(context.parameters.get("key") ?? "")
        return try JSONBody.response(StatusReply(status: "revoked"))
    }

    /// `GET /v1/audit?first=N`: the entries of the audit log from a number, a JSON object on each line; by default from
    /// the first one that was not pruned.
    private func exportAudit(_ request: Request, _ context: ServerContext) async throws -> Response {
        try requireAllDomains(context)
        let text = request.uri.queryParameters.get("first")
        let first = text.flatMap { Int64($0) }
        guard text == nil || first ?? 0 > 0 else { throw APIError(field: "first", "must be 1 or more") }
        let export = try await base.platform(for: request, context).exportAudit(from: first)
        return Response(
            status: .ok, headers: [.contentType: "application/jsonl"],
            body: ResponseBody(asyncSequence: export.map { ByteBuffer(bytes: $0) }))
    }

    /// `POST /v1/audit/checkpoint`: a checkpoint of the audit log, which the platform signs.
    private func signCheckpoint(_ request: Request, _ context: ServerContext) async throws -> Response {
        try requireAllDomains(context)
        let (checkpoint, key) = try await base.platform(for: request, context).auditCheckpointWithKey()
        return try JSONBody.response(CheckpointBody(note: checkpoint.note, key: key))
    }

    /// `GET /v1/audit/checkpoints?before=&limit=`: the checkpoints that the platform keeps, the latest first.
    private func listCheckpoints(_ request: Request, _ context: ServerContext) async throws -> Response {
        try requireAllDomains(context)
        let query = request.uri.queryParameters
        let limit = query.get("limit").map { Int($0) } ?? 100
        guard let limit, (1...1_000).contains(limit) else { throw APIError(field: "limit", "must be 1 to 1000") }
        let size = query.get("before").map { Int64($0) } ?? .max
        guard let size, size > 0 else { throw APIError(field: "before", "must be 1 or more") }
        let kept = try await base.platform(for: request, context).auditCheckpoints(before: size, limit: limit)
        return try JSONBody.response(CheckpointList(checkpoints: kept.map(AdministrationReply.AuditCheckpoint.init)))
    }

    /// Refuses an API key that is limited to domains, because the rows concern all of them.
    private func requireAllDomains(_ context: ServerContext) throws(APIError) {
        guard context.principal?.domains.isEmpty == true else { throw APIError(.forbidden) }
    }
}

/// A page of accounts: `GET /v1/users`.
private struct UserList: Encodable {
    let users: [AccountSummaryBody]
    /// The name for `after` of the next page; none after the last one.
    let next: String?
}

/// The API keys without their secrets: `GET /v1/keys`.
private struct KeyList: Encodable {
    let keys: [AdministrationReply.Key]
}

/// A checkpoint of the audit log: `POST /v1/audit/checkpoint`.
private struct CheckpointBody: Encodable {
    /// The signed note.
    let note: String
    /// The verifier key of the signature.
    let key: String
}

/// Checkpoints of the audit log that the platform keeps: `GET /v1/audit/checkpoints`.
private struct CheckpointList: Encodable {
    let checkpoints: [AdministrationReply.AuditCheckpoint]
}
