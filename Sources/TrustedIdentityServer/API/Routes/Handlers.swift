// The whole of Foundation, because FoundationEssentials has no public percent-decoding.
internal import Foundation
internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

/// The handlers of the REST API. Each decodes a request, calls the platform, and encodes the answer.
struct Handlers: Sendable {
    let platform: Platform
    let configuration: ServerConfiguration
    let random: any RandomSource
    let readiness: ReadinessCheck
    let time: any TimeSource
    let statements = EncodedStatements()

    init(
        platform: Platform, configuration: ServerConfiguration, random: any RandomSource, time: any TimeSource
    ) {
        self.platform = platform
        self.configuration = configuration
        self.random = random
        self.time = time
        readiness = ReadinessCheck(platform)
    }

    /// Returns the routes with their middleware, and the answers to the methods that a path does not support.
    func router() -> Router<ServerContext> {
        let router = routes()
        // Opening a stream consumes its token.
        router.addOtherMethods(exceptHeadOf: ["/v1/notifications/{channel}"])
        return router
    }

    /// Returns the routes of the reference with their middleware.
    func routes() -> Router<ServerContext> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RouteMetricsMiddleware())
        router.add(middleware: RequestSpanMiddleware())
        router.add(middleware: CorrelationMiddleware(random: random, time: time))
        router.get("health", use: health)
        router.get("health/live", use: live)
        router.get("health/ready", use: ready)
        router.get("openapi.json", use: openAPI)
        router.post("v1/orchestration-commands", use: command)
        router.post("v1/orchestration-commands-v2", use: command)
        router.get("v1/platform-keys", use: platformKeys)
        router.get("v1/visualcodes/render", use: renderVisualCode)
        router.get("v1/notifications/:channel", use: notifications)
        // A key of the scope `admin` creates no activation password and asks no user. Otherwise, its holder could act
        // as a second site.
        let site = protected(router, by: [.applicationServer])
        site.post("users/:user/events/validate", use: validateEvent)
        site.get("sessions/:requestID", use: showSession)
        site.delete("sessions/:requestID", use: cancelSession)
        let enrolling = protected(router, by: [.applicationServer, .helpDesk])
        enrolling.post("users/register", use: register)
        enrolling.post("users/:user/unlock", use: issueUnlockCode)
        enrolling.post("users/:user/devices/:device/unlock", use: issueUnlockCode)
        let helpDesk = protected(router, by: [.applicationServer, .administrator, .helpDesk])
        helpDesk.get("users/:user", use: showUser)
        helpDesk.delete("users/:user/devices/:device", use: revokeDevice)
        helpDesk.post("users/:user/lift-blocks", use: liftBlocks)
        let protected = protected(router, by: [.applicationServer, .administrator])
        protected.post("registrations/check-status", use: checkStatus)
        protected.post("users/:user/login", use: login)
        protected.post("users/:user/generate-challenge", use: generateChallenge)
        protected.post("users/:user/transactions/validate", use: validateTransaction)
        protected.post("users/:user/seals/validate", use: validateSeal)
        protected.post("users/:user/sync-authenticator", use: synchronizeAuthenticator)
        protected.post("users/:user/unregister", use: unregister)
        protected.get("authenticators", use: listAuthenticators)
        let administration = self.protected(router, by: [.administrator])
        administration.get("decisions/:decisionID", use: showDecision)
        return router
    }

    /// Returns a group of routes that require an API key of one of several scopes.
    private func protected(
        _ router: Router<ServerContext>, by scopes: Set<APIKeyScope>
    ) -> RouterGroup<ServerContext> {
        router.group("v1").add(middleware: keys(scopes))
    }

    /// Returns the middleware that checks the callers of requests.
    func keys(_ scopes: Set<APIKeyScope>) -> APIKeyMiddleware {
        APIKeyMiddleware(platform: platform, configuration: configuration, time: time, scopes: scopes)
    }

    /// Returns the platform for the caller of a request, whose API key was checked. The audit log names this caller.
    ///
    /// - Parameter endUser: The end user's address from a relay. The limits count it instead of the relay's address.
    func platform(
        for request: Request, _ context: ServerContext, endUser: String? = nil
    ) -> Platform {
        guard !context.isOwner else {
            return platform.acting(for: AuditOrigin(actor: .administrator, correlationID: context.correlationID))
        }
        let address = endUser ?? ClientAddress.of(request, context, configuration.proxies)
        return platform.acting(
            for: AuditOrigin(
                actor: context.principal.map { .apiKey($0.id) } ?? .stranger, correlationID: context.correlationID,
                address: address))
    }

    /// Returns the account that the path names, percent-encoded, with or without a domain. The key may name it.
    func account(in context: ServerContext) throws(APIError) -> AccountName {
        guard let segment = context.parameters.get("user"), let text = Self.decoded(segment) else {
            throw APIError(.invalidUserName, field: "user", "is not percent-encoded UTF-8")
        }
        return try account(text, field: "user", in: context)
    }

    /// Returns the text of a percent-encoded path segment (RFC 3986, section 2.1), or nil when an escape is incomplete
    /// or the bytes are not UTF-8.
    static func decoded(_ segment: some StringProtocol) -> String? {
        // Foundation also copies a text without an escape, which takes longer than the check of a login's name.
        segment.utf8.contains(UInt8(ascii: "%")) ? segment.removingPercentEncoding : String(segment)
    }

    /// Returns the account that a field names, with or without a domain. The key may name it.
    func account(_ text: String, field: String, in context: ServerContext) throws(APIError) -> AccountName {
        let name: AccountName
        do {
            name = try AccountName(text: text, defaultDomain: configuration.defaultDomain)
        } catch {
            throw APIError(.invalidUserName, field: field, "is not allowed")
        }
        return try allowed(name, in: context)
    }

    /// Returns an account when the API key of a request may name it. Every handler gets its account here.
    ///
    /// The refusal comes before the store is read. It depends on the key and on the text of the name alone, which means
    /// it does not reveal which accounts exist in other domains.
    func allowed(_ account: AccountName, in context: ServerContext) throws(APIError) -> AccountName {
        guard context.scope != nil else { throw APIError(.unauthorized) }
        guard context.allows(domain: account.domain) else { throw APIError(.forbidden) }
        return account
    }

    /// Returns whether the API key of a request may see a row of an account. Otherwise, a route that names a row and no
    /// account returns the reply for an unknown row.
    func isVisible(_ account: String, in context: ServerContext) -> Bool {
        guard let name = try? AccountName(text: account, defaultDomain: configuration.defaultDomain) else {
            return false
        }
        return context.allows(domain: name.domain)
    }
}
