internal import Hummingbird
internal import Primitives
internal import ServiceLifecycle
internal import TrustedIdentity

extension Handlers {
    /// `POST /v1/users/{u@d}/events/validate`
    func validateEvent(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try account(in: context)
        let body = try await JSONBody.decode(EventBody.self, from: request)
        return try await approve(body.remote, .event, type: body.eventType, of: account, request, context)
    }

    /// `GET /v1/sessions/{requestID}`
    func showSession(_ request: Request, _ context: ServerContext) async throws -> Response {
        let report = try await session(in: context, of: platform(for: request, context))
        return try JSONBody.response(LoginReply(report))
    }

    /// `DELETE /v1/sessions/{requestID}`
    func cancelSession(_ request: Request, _ context: ServerContext) async throws -> Response {
        let body = try await JSONBody.decodeIfPresent(NoticeBody.self, from: request)
        let platform = platform(for: request, context)
        let session = try await session(in: context, of: platform)
        let report = try await platform.cancelApproval(
            requestID: session.requestID, of: principal(in: context), notice: body?.notice)
        return try JSONBody.response(LoginReply(report))
    }

    /// Asks the user's devices, and waits for the end unless the caller wants the reply at once.
    ///
    /// The wait ends when the caller closes the connection or the server stops. The request can still be answered.
    ///
    /// - Throws: ``APIError`` with `forbidden` for a key of the scope `admin`, which may send logins with a credential
    ///   over the same routes.
    func approve(
        _ fields: RemoteFields, _ kind: ApprovalKind, type: String? = nil, of account: AccountName,
        beside shown: (before: [PlacedField], after: [PlacedField]) = ([], []), path: String = "dataToDisplay",
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        guard !isAdministrator(context) else { throw APIError(.forbidden) }
        guard let caller = context.principal else { throw APIError(.unauthorized) }
        // The name comes from the key's row, not from the request.
        let parameters = try fields.parameters(
            kind, of: account, type: type, principal: ApprovalPrincipal(id: caller.id, name: caller.name),
            showsNumbers: caller.showsNumbers, beside: shown, path: path)
        let (platform, showsMessage) = (self.platform(for: request, context), fields.showsMessage)
        let timeout = Duration.seconds(fields.timeoutSeconds)
        guard timeout > .zero else {
            let report = try await platform.requestApproval(parameters)
            return try JSONBody.response(LoginReply(report, showsMessage: showsMessage))
        }
        return try await waiting(on: request, context) {
            let report = try await platform.requestApproval(parameters, waiting: timeout)
            return LoginReply(report, showsMessage: showsMessage)
        }
    }

    /// Returns the reply of a wait, which ends when the server stops or the caller closes the connection.
    func waiting<Reply: Encodable & Sendable>(
        on request: Request, _ context: ServerContext, _ body: @escaping @Sendable () async throws -> Reply
    ) async throws -> Response {
        context.deadline.lift()
        let content = request.body
        let reply = try await cancelWhenGracefulShutdown {
            try await content.consumeWithCancellationOnInboundClose { rest in
                rest.end()
                return try await body()
            }
        }
        var response = try JSONBody.response(reply)
        // Watching the caller has used up the connection's input.
        response.headers[.connection] = "close"
        return response
    }

    /// Returns the id of the API key of a request.
    func principal(in context: ServerContext) throws(APIError) -> String {
        guard let principal = context.principal else { throw APIError(.unauthorized) }
        return principal.id
    }

    /// Returns whether the API key of a request has the scope `admin`.
    func isAdministrator(_ context: ServerContext) -> Bool { context.principal?.scope == .administrator }

    /// Returns the approval that the path names, if the API key made it and may see its account.
    private func session(in context: ServerContext, of platform: Platform) async throws -> ApprovalReport {
        let report = try await platform.approval(requestID: requestID(in: context), of: principal(in: context))
        guard isVisible(report.account, in: context) else { throw APIError(.unknownApproval) }
        return report
    }

    private func requestID(in context: ServerContext) throws(APIError) -> String {
        guard let segment = context.parameters.get("requestID"), let text = Self.decoded(segment) else {
            throw APIError(.malformedRequest, field: "requestID", "is not percent-encoded UTF-8")
        }
        return text
    }
}

extension RequestBody {
    /// Ends the stream of the parts that follow, which nothing reads.
    ///
    /// NIO traps when the source of a stream is released before the stream has ended or was released. Hummingbird
    /// releases the two in no fixed order. A released iterator ends the stream.
    fileprivate func end() { _ = makeAsyncIterator() }
}

extension LoginReply {
    /// Creates the reply about an approval.
    ///
    /// - Parameter showsMessage: Whether the caller has asked for the pointer.
    init(_ report: ApprovalReport, showsMessage: Bool = true) {
        switch report.status {
        case .pending: sessionStatus = .pending
        case .accepted: sessionStatus = .accepted
        case .refused: sessionStatus = .refused
        case .timeout: sessionStatus = .timeout
        }
        riskResponseCode = RiskResponseCode(report)
        requestID = report.requestID
        hostCode = nil
        declineReason = report.declineReason?.rawValue
        requestMessage = report.status == .pending && showsMessage ? report.pointer?.text : nil
        numberToMatch = report.numberToMatch
        receipt = report.receipt.map { Base64URL.encode($0) }
        verifiedMethod = report.verifiedMethod?.description
        fallback = report.fallback?.description
    }
}

extension RiskResponseCode {
    /// Creates the code of an approval.
    init(_ report: ApprovalReport) {
        switch report.status {
        case .accepted: self = .accept
        case .refused, .timeout: self = .refuse
        // A pending report has a method.
        case .pending: self = RiskResponseCode(pending: report.method ?? .password)
        }
    }
}

/// The optional body of `DELETE /v1/sessions/{requestID}`, and the member `refusal` of a request for an approval.
package struct NoticeBody: Decodable, Sendable {
    /// The notice for the app of the user; `nil` for a body without a message and a payload.
    let notice: RefusalNotice?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case message, payload
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let text = try fields.decodeIfPresent(String.self, forKey: .message)
        let payload = try fields.decodeIfPresent(String.self, forKey: .payload).map { text in
            guard let bytes = try? Base64URL.decode(text) else { throw fields.problem(.payload, "must be Base64URL") }
            return bytes
        }
        do throws(RefusalNoticeError) {
            notice = text == nil && payload == nil ? nil : try RefusalNotice(text: text, payload: payload)
        } catch {
            throw fields.problem(error.code == .payloadLength ? .payload : .message, error.message)
        }
    }
}

/// `POST /v1/users/{u@d}/events/validate`.
package struct EventBody: Decodable, Sendable {
    /// The type of the event, 1 to 64 bytes.
    let eventType: String
    let remote: RemoteFields

    enum CodingKeys: String, CodingKey, CaseIterable {
        case eventType, credentials
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        eventType = try fields.decode(.eventType, bytes: 64)
        // A credential that was sent must not look as if it had been checked.
        guard try !fields.contains(.credentials) || fields.decodeNil(forKey: .credentials) else {
            throw fields.problem(.credentials, "is not supported: a device of the user approves an event")
        }
        remote = try RemoteFields(from: decoder)
    }
}
