internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

/// The routes of administration. One router answers on the socket in the data folder, on the management listener, and
/// in the process of a command while no server runs.
///
/// A caller with an API key reaches no route that gives it more rights than the key itself. No such route creates an
/// API key, lifts a suspension or erases receipts. Only the owner of the data folder reaches these routes.
struct AdministrationRoutes: Sendable {
    /// The callers of a router.
    enum Callers {
        /// The user of the data folder, who reaches all routes without an API key.
        case owner
        /// Holders of API keys of the scope `admin`.
        case apiKeys
    }

    let base: Handlers
    /// Reads the key that replaces the master key; nil if there is none.
    var nextMasterKey: @Sendable () -> MasterKey? = { nil }

    /// Returns the routes with their middleware.
    func router(for callers: Callers) -> Router<ServerContext> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestSpanMiddleware())
        router.add(middleware: CorrelationMiddleware(random: base.random, time: base.time))
        router.get("health/live", use: base.live)
        router.get("health/ready", use: base.ready)
        let all = router.group("")
        switch callers {
        case .owner:
            all.add(middleware: OwnerMiddleware())
            addOwnerRoutes(to: all.group("v1"))
        case .apiKeys: all.add(middleware: base.keys([.administrator]))
        }
        all.get("metrics", use: metrics)
        let routes = all.group("v1")
        routes.get("readiness", use: readiness)
        routes.get("users", use: listUsers)
        routes.get("users/:user", use: base.showUser)
        routes.post("users/:user/lift-blocks", use: base.liftBlocks)
        routes.post("users/:user/unregister", use: base.unregister)
        routes.post("users/:user/test-notifications", use: testNotifications)
        routes.get("users/:user/devices/:device/data", use: showDeviceData)
        routes.delete("users/:user/devices/:device", use: base.revokeDevice)
        routes.get("approvals/:approval", use: showApproval)
        routes.get("keys", use: listKeys)
        routes.delete("keys/:key", use: revokeKey)
        routes.get("audit", use: exportAudit)
        routes.post("audit/checkpoint", use: signCheckpoint)
        routes.get("audit/checkpoints", use: listCheckpoints)
        // GET writes to the audit log there, and the length of the content is not known.
        router.addOtherMethods(exceptHeadOf: ["/v1/audit", "/v1/audit/before", "/v1/audit/extract"])
        return router
    }

    private func addOwnerRoutes(to routes: RouterGroup<ServerContext>) {
        routes.delete("users/:user", use: eraseUser)
        routes.post("users/:user/unlock", use: base.issueUnlockCode)
        routes.post("users/:user/devices/:device/unlock", use: base.issueUnlockCode)
        routes.post("keys", use: createKey)
        routes.post("restored", use: markRestored)
        routes.post("restored/audit", use: applyAudit)
        routes.post("lift-suspensions", use: liftSuspensions)
        routes.get("platform-keys", use: listPlatformKeys)
        routes.get("platform-keys/statements", use: listKeyStatements)
        routes.post("platform-keys/rotate", use: rotatePlatformKeys)
        routes.get("events", use: showEvents)
        routes.get("master-keys", use: showMasterKeys)
        routes.post("master-keys/replace", use: replaceMasterKey)
        routes.get("audit/counts", use: countAudit)
        routes.get("audit/keys", use: listAuditKeys)
        routes.get("audit/proof", use: proveAudit)
        routes.post("audit/verify", use: verifyAudit)
        routes.get("audit/extract", use: extractAudit)
        routes.get("audit/before", use: exportAuditBefore)
        routes.post("audit/prune", use: pruneAudit)
        routes.post("audit/pruned-rows", use: removePrunedRows)
    }

    /// Returns the platform for the caller of a request, whose name is in the audit log.
    func platform(for request: Request, _ context: ServerContext) -> Platform { base.platform(for: request, context) }

    /// Refuses an API key that is limited to domains, because the rows concern all of them.
    func requireAllDomains(_ context: ServerContext) throws(APIError) {
        guard context.isOwner || context.principal?.domains.isEmpty == true else { throw APIError(.forbidden) }
    }

    /// Returns the limit of a list, 100 by default.
    func limit(of request: Request) throws(APIError) -> Int {
        let limit = request.uri.queryParameters.get("limit").map { Int($0) } ?? 100
        guard let limit, (1...1_000).contains(limit) else { throw APIError(field: "limit", "must be 1 to 1000") }
        return limit
    }
}

/// A middleware of routers that only the owner of the data folder reaches.
private struct OwnerMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    @concurrent
    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.isOwner = true
        do {
            return try await next(request, context)
        } catch let error as PlatformError where error.code == .storeFailed {
            // The owner can free a disk that is full. Other callers do not see the kind of failure.
            throw APIError(.storeFailed, field: "store", error.administratorMessage)
        }
    }
}

extension PlatformError {
    /// The message for an administrator: the message of the store's failure, if that is the cause.
    package var administratorMessage: String { (underlying as? StoreError)?.message ?? message }
}

extension AdministrationRoutes {
    /// `GET /v1/users?prefix=&after=&limit=`: the accounts that the caller may see, in the order of their names.
    private func listUsers(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = request.uri.queryParameters
        let limit = try limit(of: request)
        // A page of all domains would name an account of another domain in `next`.
        let domains = context.principal.flatMap { $0.domains.isEmpty ? nil : Set($0.domains) }
        let accounts = try await platform(for: request, context).accounts(
            withPrefix: query.get("prefix") ?? "", in: domains, after: query.get("after"), limit: limit)
        let next = accounts.count == limit ? accounts.last?.name : nil
        return try JSONBody.response(AccountListBody(users: accounts, next: next))
    }

    /// `DELETE /v1/users/{u@d}`: removes everything that names a user.
    private func eraseUser(_ request: Request, _ context: ServerContext) async throws -> Response {
        try JSONBody.response(try await platform(for: request, context).erase(base.account(in: context)))
    }

    /// `POST /v1/users/{u@d}/test-notifications?device=`: sends a test notification to the devices of a user.
    private func testNotifications(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try base.account(in: context)
        let id = try request.uri.queryParameters.get("device").map { text throws(APIError) -> [UInt8] in
            guard let id = DeviceID.decode(text) else {
                throw APIError(field: "deviceID", "must be 32 hexadecimal digits")
            }
            return id
        }
        let tests = try await platform(for: request, context).testNotifications(to: account, device: id)
        return try JSONBody.response(NotificationTestBody(devices: tests.map(NotificationTestBody.Device.init)))
    }

    /// `GET /v1/users/{u@d}/devices/{device}/data`
    private func showDeviceData(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try base.account(in: context)
        let id = try Handlers.device(in: context)
        return try JSONBody.response(
            DeviceDataBody(try await platform(for: request, context).deviceData(of: id, of: account)))
    }

    /// `GET /v1/approvals/{requestID}`: a pending approval request, with its pointer for a QR code.
    private func showApproval(_ request: Request, _ context: ServerContext) async throws -> Response {
        guard let name = context.parameters.get("approval").flatMap(Handlers.decoded),
            let approval = try await platform(for: request, context).pendingApproval(named: name),
            base.isVisible(approval.account, in: context)
        else { throw APIError(.unknownApproval) }
        return try JSONBody.response(PendingApprovalBody(approval))
    }

    /// `GET /v1/keys`
    private func listKeys(_ request: Request, _ context: ServerContext) async throws -> Response {
        try requireAllDomains(context)
        return try JSONBody.response(APIKeyListBody(keys: try await platform(for: request, context).apiKeys()))
    }

    /// `POST /v1/keys`: creates an API key, or allows a certificate as one.
    private func createKey(_ request: Request, _ context: ServerContext) async throws -> Response {
        let wish = try await JSONBody.decode(NewKeyRequest.self, from: request)
        guard !wish.showsNumbers || wish.scope == .applicationServer else {
            throw APIError(field: "showsNumbers", "only a key of the scope app-server shows numbers")
        }
        guard APIKeyRecord.normalized(domains: wish.domains) != nil else {
            throw APIError(field: "domains", "the domains of the key are not allowed")
        }
        let platform = platform(for: request, context)
        do {
            guard let pem = wish.certificate else {
                let key = try await platform.createAPIKey(
                    scope: wish.scope, name: wish.name, showsNumbers: wish.showsNumbers, domains: wish.domains)
                return try JSONBody.response(NewKeyBody(id: key.id, scope: wish.scope, key: key.secret))
            }
            guard let certificate = ClientCertificate(pem: pem) else {
                throw APIError(field: "certificate", "the file has no certificate in PEM")
            }
            let id = try await platform.allowCertificate(
                certificate.hash, scope: wish.scope, name: wish.name, showsNumbers: wish.showsNumbers,
                domains: wish.domains)
            guard let id else {
                throw APIError(
                    .conflict, field: "certificate", "the certificate has a key already, which may be revoked")
            }
            return try JSONBody.response(NewKeyBody(id: id, scope: wish.scope, key: nil))
        } catch let error as PlatformError where error.code == .malformedRequest {
            let problem = (error.underlying as? DisplayDataError)?.message ?? "it breaks a rule"
            throw APIError(field: "name", "the name of the key is not allowed: \(problem)")
        }
    }

    /// `DELETE /v1/keys/{id}`
    private func revokeKey(_ request: Request, _ context: ServerContext) async throws -> Response {
        try requireAllDomains(context)
        let id = context.parameters.get("key").flatMap(Handlers.decoded) ?? ""
        try await platform(for: request, context).revokeAPIKey(id)
        return try JSONBody.response(StatusReply(status: "revoked"))
    }

    /// `GET /v1/events`: the delivery of events.
    private func showEvents(_ request: Request, _ context: ServerContext) async throws -> Response {
        try JSONBody.response(try await platform(for: request, context).eventStatus())
    }
}

extension AdministrationRoutes {
    /// `POST /v1/restored`: marks the data as restored from a backup.
    private func markRestored(_ request: Request, _ context: ServerContext) async throws -> Response {
        let wish = try await JSONBody.decode(RestoredRequest.self, from: request)
        do {
            try await platform(for: request, context).markRestored(
                revocations: wish.nothingRevoked ? .nothingRevoked : .unknown)
        } catch let error as PlatformError where error.code == .alteredRow {
            throw Self.alteredLog
        }
        return try JSONBody.response(
            RestoredBody(status: "restored", suspended: wish.nothingRevoked ? "nothing" : "all"))
    }

    /// `POST /v1/restored/audit`: applies the exported audit log in the body after a restore.
    private func applyAudit(_ request: Request, _ context: ServerContext) async throws -> Response {
        do {
            let report = try await platform(for: request, context).markRestored(
                applying: request.body.map { [UInt8]($0.readableBytesView) })
            return try JSONBody.response(RestoreBody(report))
        } catch let error as AuditError {
            throw APIError(.conflict, field: "file", error.message)
        } catch let error as PlatformError where error.code == .alteredRow {
            throw Self.alteredLog
        }
    }

    private static var alteredLog: APIError {
        APIError(
            .alteredRow, field: "log",
            """
            the audit log ends before its last checkpoint, or another program has changed a row: restore another backup
            """)
    }

    /// `POST /v1/lift-suspensions`
    private func liftSuspensions(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await platform(for: request, context).liftSuspensions()
        return try JSONBody.response(StatusReply(status: "lifted"))
    }

    /// `GET /v1/platform-keys`: the keys with their states and times.
    private func listPlatformKeys(_ request: Request, _ context: ServerContext) throws -> Response {
        try JSONBody.response(base.platform.platformKeys().map(PlatformKeyBody.init))
    }

    /// `GET /v1/platform-keys/statements`: all key statements.
    private func listKeyStatements(_ request: Request, _ context: ServerContext) throws -> Response {
        let statements = try base.platform.keyStatements().map(KeyStatementBody.init)
        return try JSONBody.response(PlatformKeysBody(statements: statements))
    }

    /// `POST /v1/platform-keys/rotate`: creates new keys and the next statement.
    private func rotatePlatformKeys(_ request: Request, _ context: ServerContext) async throws -> Response {
        let wish = try await JSONBody.decode(RotationRequest.self, from: request)
        guard let use = PlatformKeyUse(rawValue: wish.use) else {
            throw APIError(field: "use", "must be signing, sealing, audit or all")
        }
        do {
            let platform = platform(for: request, context)
            let statement = try await platform.rotateKeys(
                use, startingIn: .seconds(wish.startingIn), ignoringClock: wish.ignoringClock)
            return try JSONBody.response(
                RotationBody(statement: statement.sequence, keys: platform.platformKeys().map(PlatformKeyBody.init)))
        } catch let error as PlatformError where error.code == .malformedRequest {
            throw APIError(field: "startingIn", "a key may be announced for at most 366 days")
        }
    }

    /// `GET /v1/master-keys`: the master key that the data needs.
    private func showMasterKeys(_ request: Request, _ context: ServerContext) async throws -> Response {
        try JSONBody.response(await base.platform.masterKeyReport())
    }

    /// `POST /v1/master-keys/replace`: replaces the master key with the one at the configured place.
    private func replaceMasterKey(_ request: Request, _ context: ServerContext) async throws -> Response {
        guard let key = nextMasterKey() else {
            throw APIError(
                .conflict, field: "nextMasterKey", "the server finds no new master key, nothing was changed")
        }
        let platform = platform(for: request, context)
        do {
            _ = try await platform.replaceMasterKey(with: key)
        } catch let error as PlatformError where error.code == .wrongMasterKey {
            throw APIError(
                .conflict, field: "masterKey", "the new master key has the id of the current one, nothing was changed")
        }
        return try JSONBody.response(await platform.masterKeyReport())
    }
}
