import Logging
import OrchestrationTesting
import Primitives
import Synchronization
import Testing

@testable import TrustedIdentity
@testable import TrustedIdentityServer

/// The comparison of the clock with an NTP server, and what readiness says about it.
@Suite struct ClockComparisonTests {
    private let time = ManualTimeSource()

    private func platform() async throws -> Platform {
        try await Platform(store: MemoryPlatformStore(), masterKey: MasterKey.make(id: "test"), time: time)
    }

    /// Compares the clock while the body runs.
    private func comparing(
        _ platform: Platform, with server: TimeServer, _ body: () async throws -> Void
    ) async throws {
        let comparison = ClockComparison(
            platform: platform, server: server.address, tolerance: .seconds(2),
            client: SNTPClient(time: time, random: SeededRandomSource(seed: 1)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await comparison.compare() }
            try await body()
            group.cancelAll()
        }
    }

    private static func reply(_ nonce: [UInt8], _ moment: Timestamp) -> [UInt8] {
        TimeServer.Reply(nonce: nonce, receivedAt: TimeServer.number(moment), sentAt: TimeServer.number(moment)).bytes
    }

    /// Waits until the readiness of a platform meets a condition, without a move of the clock.
    private func until(_ platform: Platform, _ condition: (Readiness) -> Bool) async throws {
        while try await !condition(platform.readiness()) { await Task.yield() }
    }

    @Test func `a clock within the tolerance is ready, one beyond it is not, and one that is set right is again`()
        async throws
    {
        let (platform, time) = (try await platform(), time)
        let error = Mutex<Int64>(-2_500)
        try await TimeServer.serving { nonce in
            [Self.reply(nonce, time.now().advanced(milliseconds: error.withLock { $0 }))]
        } _: { server in
            #expect(try await platform.readiness().isReady, "before the first answer")
            try await comparing(platform, with: server) {
                try await until(platform) { !$0.isReady }
                let problem = try #require(try await platform.readiness().problems.first)
                #expect(problem.part == .clock && problem.message.contains("ms ahead of the NTP server"))
                // The administrator sets the clock: no query is needed.
                time.step(milliseconds: -2_400)
                #expect(try await platform.readiness().isReady)
                time.step(milliseconds: -2_400)
                let late = try await platform.readiness()
                #expect(late.problems.map(\.part) == [.clock] && late.problems[0].message.contains("ms behind"))
                time.step(milliseconds: 2_300)
                #expect(try await platform.readiness().isReady)
                #expect(server.requests.count == 1)
                // The next query is after five to six minutes.
                error.withLock { $0 = 0 }
                await time.sleepers(1)
                time.advance(seconds: 299)
                for _ in 0..<200 { await Task.yield() }
                #expect(server.requests.count == 1)
                time.advance(seconds: 31)
                while server.requests.count < 2 { await Task.yield() }
            }
        }
    }

    @Test func `a server that does not answer is a note, and the platform stays ready`() async throws {
        let (platform, time) = (try await platform(), time)
        let answers = Mutex(false)
        try await TimeServer.serving { nonce in
            answers.withLock { $0 } ? [Self.reply(nonce, time.now())] : []
        } _: { server in
            try await comparing(platform, with: server) {
                while server.requests.isEmpty { await Task.yield() }
                await time.sleepers(1)
                time.advance(seconds: 5)
                try await until(platform) { !$0.notes.isEmpty }
                let readiness = try await platform.readiness()
                #expect(readiness.isReady && readiness.notes.map(\.part) == [.clock])
                #expect(readiness.notes[0].message.hasSuffix("it does not answer"))
                answers.withLock { $0 = true }
                await time.sleepers(1)
                time.advance(seconds: 132)
                try await until(platform) { $0.notes.isEmpty }
                #expect(server.requests.count == 2)
            }
        }
    }

    @Test func `a measurement counts for an hour, also while the server does not answer any more`() async throws {
        let platform = try await platform()
        platform.noteReferenceTime(
            ReferenceTime(time: time.now().advanced(seconds: 10), uptime: time.uptime(), uncertainty: .zero),
            tolerance: .seconds(2))
        platform.noteReferenceFailure("it does not answer")
        #expect(try await platform.readiness().problems.map(\.part) == [.clock])
        time.advance(seconds: 3_600)
        #expect(try await platform.readiness().problems.map(\.part) == [.clock])
        time.advance(milliseconds: 1)
        let late = try await platform.readiness()
        #expect(late.isReady && late.notes.map(\.part) == [.clock])
    }

    @Test func `the way of the packet explains a part of a difference`() async throws {
        let platform = try await platform()
        func readiness(_ difference: Int64) async throws -> Bool {
            platform.noteReferenceTime(
                ReferenceTime(
                    time: time.now().advanced(milliseconds: difference), uptime: time.uptime(),
                    uncertainty: .milliseconds(500)), tolerance: .seconds(2))
            return try await platform.readiness().isReady
        }
        #expect(try await readiness(2_500))
        #expect(try await readiness(-2_500))
        #expect(try await !readiness(2_501))
        #expect(try await !readiness(-2_501))
    }

    @Test func `a server that refuses for good is not asked again, and one that asks for fewer requests gets fewer`()
        async throws
    {
        for (code, later) in [("DENY", 0), ("RATE", 1)] {
            let (platform, start) = (try await platform(), time.now())
            try await TimeServer.serving { nonce in
                var reply = TimeServer.Reply(nonce: nonce, receivedAt: 1, sentAt: 1)
                (reply.stratum, reply.identifier) = (0, Array(code.utf8))
                (reply.receivedAt, reply.sentAt) = (TimeServer.number(start), TimeServer.number(start))
                return [reply.bytes]
            } _: { server in
                try await comparing(platform, with: server) {
                    try await until(platform) { !$0.notes.isEmpty }
                    #expect(try await platform.readiness().notes[0].message.contains(code))
                    await time.sleepers(1)
                    time.advance(seconds: 599)
                    for _ in 0..<200 { await Task.yield() }
                    #expect(server.requests.count == 1)
                    time.advance(seconds: 61)
                    for _ in 0..<2_000 where server.requests.count < 2 { await Task.yield() }
                    if later == 1 { while server.requests.count < 2 { await Task.yield() } }
                    #expect(server.requests.count == 1 + later)
                }
            }
        }
    }
}
