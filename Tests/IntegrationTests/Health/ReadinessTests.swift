import CLibrary
import Foundation
import OrchestrationTesting
import Primitives
import Synchronization
import Testing
import TrustedIdentity

@testable import TrustedIdentity
@testable import TrustedIdentityServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Whether a platform is ready, on the REST API, on the socket for administration, and in the program.
@Suite struct ReadinessTests {
    /// A store with a report of its own, that can fail or hang.
    private final class ReportingStore: SQLDatabase {
        enum Answer { case works, fails, hangs }

        let base = SQLiteDatabase.inMemory()
        let report = Mutex(StoreHealth())
        let answer = Mutex(Answer.works)

        func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
            switch answer.withLock({ $0 }) {
            case .works: break
            case .fails: throw StoreError(.inputOutput)
            case .hangs: try await Task.sleep(for: .seconds(3_600))
            }
            return try await base.read(body)
        }

        func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
            try await base.write(body)
        }

        func health() async throws -> StoreHealth { report.withLock { $0 } }
    }

    private static func platform(
        on store: any SQLDatabase, _ configuration: PlatformConfiguration = .init(),
        time: any TimeSource = ManualTimeSource()
    ) async throws -> Platform {
        try await Platform(
            configuration: configuration, database: store, masterKey: MasterKey.make(id: "test"), time: time)
    }

    @Test func `a platform that works is ready`() async throws {
        let readiness = try await Self.platform(on: SQLiteDatabase.inMemory()).readiness()
        #expect(readiness.isReady && readiness.problems.isEmpty && readiness.store == StoreHealth())
    }

    @Test func `each part that fails is a problem, and the platform is ready again when it works`() async throws {
        let (store, time) = (ReportingStore(), ManualTimeSource(at: Timestamp(secondsSinceEpoch: 1_800_000_000)))
        let platform = try await Self.platform(on: store, time: time)
        _ = try await platform.register(.init(account: AccountName(userID: "alice", domain: "master")))
        func parts() async throws -> [Readiness.Part] { try await platform.readiness().problems.map(\.part) }

        store.answer.withLock { $0 = .fails }
        #expect(try await parts() == [.store])
        store.answer.withLock { $0 = .works }
        store.report.withLock { $0.freeBytes = Readiness.minimumFreeBytes - 1 }
        #expect(try await parts() == [.disk])
        store.report.withLock { $0 = StoreHealth(waitingWrites: Readiness.maximumWaitingWrites + 1) }
        #expect(try await parts() == [.writer])
        store.report.withLock { $0 = StoreHealth(waitingWrites: 51, waitingLimit: 100) }
        #expect(try await parts() == [.writer], "half of the limit")
        store.report.withLock { $0 = StoreHealth(waitingWrites: 50, waitingLimit: 100) }
        #expect(try await parts() == [])
        store.report.withLock {
            $0 = StoreHealth(waitingWrites: Readiness.maximumWaitingWrites, freeBytes: Readiness.minimumFreeBytes)
        }
        #expect(try await parts() == [])
        time.advance(milliseconds: -Readiness.clockTolerance)
        #expect(try await parts() == [], "at the tolerance")
        time.advance(milliseconds: -1)
        #expect(try await parts() == [.clock])
    }

    @Test(arguments: [false, true])
    func `a clock that is not synchronized is a problem where the configuration requires it`(
        isRequired: Bool
    ) async throws {
        let time = ManualTimeSource()
        var configuration = PlatformConfiguration()
        configuration.requiresSynchronizedClock = isRequired
        let platform = try await Self.platform(on: SQLiteDatabase.inMemory(), configuration, time: time)
        for answer: Bool? in [nil, true, false, true] {
            time.isSynchronized = answer
            let readiness = try await platform.readiness()
            #expect(readiness.problems.map(\.part) == (answer == false && isRequired ? [.clock] : []))
        }
    }

    #if os(Linux)
        @Test func `the clock of the system has the answer of the kernel`() {
            typealias Adjust = @convention(c) (UnsafeMutableRawPointer) -> CInt
            guard let function = unsafe dlsym(nil, "adjtimex") else {
                Issue.record("the C library has no adjtimex")
                return
            }
            let adjust = unsafe unsafeBitCast(function, to: Adjust.self)
            // Longer than the structure of each architecture. Zero changes nothing.
            var state = [UInt64](repeating: 0, count: 64)
            let answer = unsafe state.withUnsafeMutableBytes { bytes in
                unsafe bytes.baseAddress.map { unsafe adjust($0) }
            }
            // 5 is TIME_ERROR.
            let expected = answer.flatMap { $0 < 0 ? nil : $0 != 5 }
            #expect(SystemTimeSource().isSynchronized == expected)
        }
    #endif

    @Test func `a store that hangs makes the platform not ready, and holds no caller`() async throws {
        let store = ReportingStore()
        let platform = try await Self.platform(on: store)
        store.answer.withLock { $0 = .hangs }
        let check = ReadinessCheck(platform, deadline: .milliseconds(50))
        let results = try await withThrowingTaskGroup(of: Readiness.self) { group in
            for _ in 0..<8 { group.addTask { try await check.latest() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count == 8 && results.allSatisfy { $0.problems.map(\.part) == [.store] })
    }

    @Test func `the REST API says whether to send requests, and not why`() async throws {
        try await TestServer.run { server in
            for (path, status) in [("/health/live", "ok"), ("/health/ready", "ready")] {
                let answer = try await server.send("GET", path)
                #expect(answer.status == 200 && answer.text("status") == status)
            }
        }
        let store = ReportingStore()
        try await TestServer.run(store: store) { server in
            store.report.withLock { $0.freeBytes = 0 }
            let answer = try await server.send("GET", "/health/ready")
            #expect(answer.status == 503 && answer.text("status") == "notReady" && answer.json.count == 1)
            #expect(try await server.send("GET", "/health/live").status == 200)
        }
    }

    @Test func `the program shows health and metrics of its server, and nothing of it on the REST API`() async throws {
        let program = BuiltProgram(name: "trusted-identity")
        let data = FileManager.default.temporaryDirectory.appending(path: "th-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: data) }
        let server = try program.start(["serve", "--data", data, "--listen", "127.0.0.1:0"])
        let address = try await server.address()
        let health = try await program.run(["health", "--data", data])
        #expect(health.status == 0 && health.output == "ready\n", "\(health.errors)")
        let json = try await program.run(["health", "--data", data, "--json"]).json() as? [String: Any]
        #expect(json?["status"] as? String == "ready")

        _ = try await URLSession.shared.data(from: address.appending(path: "health/live"))
        let (_, reply) = try await URLSession.shared.data(from: address.appending(path: "metrics"))
        #expect((reply as? HTTPURLResponse)?.statusCode == 404, "no metrics on the REST API")
        let text = try MetricsText(try await program.run(["metrics", "--data", data]).output)
        #expect(text.value(MetricCatalog.ready) == 1 && text.value(MetricCatalog.waitingWrites) == 0)
        #expect(text.value(MetricCatalog.requests, ["route": "/health/live", "status": "200"]) == 1)
        #expect(text.value(MetricCatalog.requestDuration + "_count", ["route": "/health/live"]) == 1)
        #expect(text.value(PlatformMetrics.maintenanceDuration + "_count") ?? 0 >= 1, "the first run is at the start")
        for name in [
            MetricCatalog.freeBytes, MetricCatalog.databaseBytes, PlatformMetrics.lastMaintenance,
            "process_resident_memory_bytes",
        ] {
            #expect(text.value(name) ?? 0 > 0, "\(name)")
        }
        #expect(text.samples.allSatisfy { sample in text.help.keys.contains { sample.name.hasPrefix($0) } })
        server.signal(SIGTERM)
        #expect(await server.result().status == 0)
        #expect(try await program.run(["health", "--data", data]).status == 5, "no server runs")
    }
}
