import Foundation
import Logging
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity
import TrustedIdentityServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server over real HTTP on a free port of the loopback interface, with a platform on a store in memory.
struct TestServer {
    let platform: Platform
    let port: Int
    let applicationKey: String
    let administratorKey: String

    /// Runs a server while the body runs.
    static func run(
        _ configuration: PlatformConfiguration = .init(),
        store: any SQLDatabase = SQLiteDatabase.inMemory(),
        time: any TimeSource = SystemTimeSource(), server: ServerConfiguration = .init(port: 0),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        var (configuration, server) = (configuration, server)
        // A refusal waits for a tick of the clock, and no test moves it meanwhile.
        if time is ManualTimeSource, configuration.answerInterval == PlatformConfiguration().answerInterval {
            configuration.answerInterval = .zero
        }
        if server.limits == ConnectionLimits() { server.limits = .patient }
        let installation = try await Installation(
            configuration: .init(platform: configuration, server: server),
            store: store, masterKey: MasterKey.make(id: "test"), time: time, logger: logger)
        let platform = installation.platform
        try await installation.server().run { port in
            try await body(
                TestServer(
                    platform: platform, port: port,
                    applicationKey: try await platform.createAPIKey(scope: .applicationServer, name: "application")
                        .secret,
                    administratorKey: try await platform.createAPIKey(scope: .administrator, name: "staff").secret))
        }
    }

    /// Sends a request with the key of an application server.
    func post(_ path: String, _ body: String, key: String? = nil) async throws -> Answer {
        try await send(
            "POST", path, body: Data(body.utf8), headers: ["Authorization": "Bearer \(key ?? applicationKey)"])
    }

    /// Sends any request, and validates the reply against the OpenAPI document.
    func send(
        _ method: String, _ path: String, body: Data? = nil, headers: [String: String] = [:]
    ) async throws -> Answer {
        let url = try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
        var request = URLRequest(url: url)
        request.httpMethod = method
        // A waiting call ends by itself, late on a busy machine.
        request.timeoutInterval = 600
        request.httpBody = body
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await URLSession.shared.data(for: request)
        let http = try #require(response as? HTTPURLResponse)
        let problems = try OpenAPIDescription.served.get().problems(
            method, path, status: http.statusCode, header: { http.value(forHTTPHeaderField: $0) }, body: data)
        #expect(problems.isEmpty, "\(method) \(path) is not answered as openapi.json describes: \(problems)")
        return Answer(status: http.statusCode, response: http, body: data)
    }

    /// An answer with its decoded JSON.
    struct Answer {
        let status: Int
        let response: HTTPURLResponse
        let body: Data

        func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }

        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
        }

        func text(_ key: String) -> String? { json[key] as? String }

        var errorCode: Int? { json["errorCode"] as? Int }

        /// The fields that a 400 names.
        var fields: [String] {
            (json["validationErrors"] as? [[String: Any]] ?? []).compactMap { $0["field"] as? String }
        }
    }
}

extension ConnectionLimits {
    /// Limits whose times a busy machine does not reach.
    static var patient: ConnectionLimits {
        var limits = ConnectionLimits()
        limits.bodyTimeout = .seconds(600)
        limits.requestTimeout = .seconds(600)
        return limits
    }
}
