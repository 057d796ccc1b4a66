internal import Hummingbird

extension Router<ServerContext> {
    /// The methods that a server knows (RFC 9110, section 9.3, and RFC 5789). Others are not implemented.
    private static var known: [HTTPRequest.Method] { [.delete, .get, .head, .options, .patch, .post, .put, .trace] }

    /// Answers the methods without a handler, after all routes were added: OPTIONS with the list of methods, HEAD as
    /// GET without its content, and every other method with 405 and the list (RFC 9110, sections 9.3 and 15.5.6).
    ///
    /// - Parameter unsafe: The paths whose GET has an effect. They do not support HEAD.
    func addOtherMethods(exceptHeadOf unsafe: [RouterPath]) {
        let unsafe = Set(unsafe.map(\.description))
        for (path, routes) in Dictionary(grouping: routes, by: \.path.description) {
            guard let template = routes.first?.path else { continue }
            var allowed = Set(routes.map(\.method)).union([.options])
            if allowed.contains(.get), !unsafe.contains(path) { allowed.insert(.head) }
            let allow = allowed.map(\.rawValue).sorted().joined(separator: ", ")
            on(template, method: .options) { _, _ in Response(status: .noContent, headers: [.allow: allow]) }
            for method in Self.known where !allowed.contains(method) {
                on(template, method: method) { _, _ -> Response in throw APIError(notAllowed: allow) }
            }
        }
    }

    /// Throws an error for a request that must be refused regardless of its path.
    ///
    /// - Throws: ``APIError``.
    static func requireKnown(_ request: Request) throws(APIError) {
        let coding = request.headers[.transferEncoding]?.lowercased() ?? "chunked"
        guard known.contains(request.method), coding == "chunked" else { throw APIError(.notImplemented) }
        guard request.headers[.contentEncoding].map({ $0.lowercased() == "identity" }) ?? true else {
            throw APIError(.unsupportedEncoding)
        }
        guard request.headers[.expect].map({ $0.lowercased() == "100-continue" }) ?? true else {
            throw APIError(.unsupportedExpectation)
        }
    }
}
