internal import Hummingbird
internal import TrustedIdentity

extension AdministrationRoutes {
    /// `GET /v1/readiness`: health with its reasons.
    func readiness(_ request: Request, _ context: ServerContext) async throws -> Response {
        let readiness = try await base.readiness.latest()
        return try JSONBody.response(ReadinessBody(readiness), status: readiness.isReady ? .ok : .serviceUnavailable)
    }

    /// `GET /metrics`: the metrics in the text form of Prometheus.
    func metrics(_ request: Request, _ context: ServerContext) async throws -> Response {
        let text = PrometheusMetrics.shared.text(with: try await gauges())
        return Response(
            status: .ok, headers: [.contentType: PrometheusText.mediaType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private func gauges() async throws -> [(name: String, value: Double)] {
        let readiness = try await base.readiness.latest()
        let store: [(String, Double?)] = [
            (MetricCatalog.waitingEvents, readiness.waitingEvents.map(Double.init)),
            (MetricCatalog.waitingAuditEntries, readiness.waitingAuditEntries.map(Double.init)),
            (MetricCatalog.waitingAuditAge, readiness.waitingAuditAge.map { $0 / .seconds(1) }),
            (MetricCatalog.waitingWrites, readiness.store.map { Double($0.waitingWrites) }),
            (MetricCatalog.freeBytes, readiness.store?.freeBytes.map(Double.init)),
            (MetricCatalog.databaseBytes, readiness.store?.databaseBytes.map(Double.init)),
            (MetricCatalog.logBytes, readiness.store?.logBytes.map(Double.init)),
        ]
        let platform: [(String, Double)] = [
            (MetricCatalog.ready, readiness.isReady ? 1 : 0),
            (MetricCatalog.openStreams, Double(base.platform.openStreamCount)),
        ]
        return platform + store.compactMap { name, value in value.map { (name, $0) } } + ProcessMetrics.values
    }
}

/// The readiness of a platform with its problems, for operators.
package struct ReadinessBody: Codable, Sendable {
    /// A part that keeps the platform from serving, or that an administrator must look at.
    package struct Problem: Codable, Sendable {
        package let part: String
        package let message: String
    }

    /// `ready` or `notReady`.
    package let status: String
    package let problems: [Problem]
    /// The parts that an administrator must look at, although the platform can serve requests.
    package let notes: [Problem]

    package var isReady: Bool { status == "ready" }

    init(_ readiness: Readiness) {
        status = readiness.status
        problems = readiness.problems.map { Problem(part: $0.part.rawValue, message: $0.message) }
        notes = readiness.notes.map { Problem(part: $0.part.rawValue, message: $0.message) }
    }
}

extension Readiness {
    /// `ready` or `notReady`.
    var status: String { isReady ? "ready" : "notReady" }
}
