#if PostgreSQL
    import Foundation
    import Orchestration
    import OrchestrationProtocol
    import OrchestrationTesting
    import Primitives
    import TestSupport
    import Testing
    import TrustedIdentity
    import TrustedIdentityPostgreSQL

    /// Waits on one process that end by work on another one. It needs the Debian package postgresql.
    @Suite(
        .serialized,
        .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed: apt-get install postgresql"))
    struct WakeTests {
        /// The number of approvals: 20, or `WAKES` of the environment.
        static let count = ProcessInfo.processInfo.environment["WAKES"].flatMap { Int($0) } ?? 20

        let database: PostgreSQLCluster.Database
        let relay: FaultRelay

        init() throws {
            database = try PostgreSQLCluster.shared().makeDatabase()
            relay = try FaultRelay(to: database.cluster.port)
        }

        /// Opens the platform on which a call waits, through the relay, and the one on which the user approves.
        private func scenes() async throws -> (waiting: Scene, other: Scene) {
            (try await Scene(database.uri(port: relay.port)), try await Scene(database.uri))
        }

        /// Approves requests that another platform waits for.
        ///
        /// - Returns: The times from the end of each approval to the end of the wait, sorted.
        private func waits(_ count: Int, _ scenes: (waiting: Scene, other: Scene)) async throws -> [Duration] {
            let phone = try await scenes.other.activate()
            var times: [Duration] = []
            for _ in 0..<count {
                let report = try await scenes.waiting.requestLogin()
                let platform = scenes.waiting.platform
                async let ended = {
                    let status = try await platform.approval(requestID: report.requestID, waiting: .seconds(30)).status
                    return (status, ContinuousClock.now)
                }()
                // The call waits, most likely. One that does not finds the end when it reads.
                try await Task.sleep(for: .milliseconds(20))
                guard case .succeeded = try await phone.approve(try #require(report.pointer)) else {
                    Issue.record("the request was not answered")
                    continue
                }
                let approved = ContinuousClock.now
                let (status, end) = try await ended
                #expect(status == .accepted)
                times.append(end - approved)
            }
            return times.sorted()
        }

        private func report(_ times: [Duration], _ name: String) {
            guard let last = times.last else { return }
            print("wake, \(name): p50 \(times[times.count / 2]), p99 \(times[times.count * 99 / 100]), most \(last)")
        }

        @Test func `a login that waits on one platform ends by an approval on another one`() async throws {
            let scenes = try await scenes()
            #expect(await elapsed(within: .seconds(5)) { scenes.waiting.database.peers?.isListening == true } != nil)
            let times = try await waits(Self.count, scenes)
            report(times, "listening")
            #expect(times[times.count / 2] < .milliseconds(250))
            await close(scenes)
        }

        @Test(arguments: [FaultRelay.Notifications.lost, .doubled, .malformed])
        func `notifications that are lost, doubled or malformed end no login wrongly`(
            fault: FaultRelay.Notifications
        ) async throws {
            let scenes = try await scenes()
            relay.change { $0.notifications = fault }
            let times = try await waits(2, scenes)
            report(times, "\(fault)")
            // A waiter reads after 10 seconds at the latest.
            #expect(times.allSatisfy { $0 < (fault == .doubled ? .seconds(2) : .seconds(11)) })
            await close(scenes)
        }

        @Test func `without the listener, a wait ends within a second`() async throws {
            let scenes = try await scenes()
            // All connections of the pool are opened. Later ones are refused, and that of the listener is one.
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask { [database = scenes.waiting.database] in
                        try? await database.read { _ = try $0.run("SELECT 1 FROM pg_sleep(0.1)", []) { _ in } }
                    }
                }
            }
            relay.change { $0.newConnections = .refused }
            try database.query(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = '\(database.name)' AND (query ILIKE '%LISTEN%' OR query = 'SELECT')
                AND pid <> pg_backend_pid()
                """)
            #expect(await elapsed(within: .seconds(5)) { scenes.waiting.database.peers?.isListening == false } != nil)
            // Each wait takes a second.
            let times = try await waits(Self.count > 20 ? Self.count : 5, scenes)
            report(times, "cut")
            #expect(times.allSatisfy { $0 < .milliseconds(1_500) })
            relay.change { $0.newConnections = .relayed }
            #expect(await elapsed(within: .seconds(5)) { scenes.waiting.database.peers?.isListening == true } != nil)
            await close(scenes)
        }

        @Test func `a stream on one platform gets a pointer that another one made`() async throws {
            let scenes = try await scenes()
            var times: [Duration] = []
            // Of the requests of a user in some minutes, three are announced.
            for number in 0..<(Self.count + 2) / 3 { times += try await pointers(to: "user\(number)", scenes) }
            times.sort()
            report(times, "stream")
            #expect(times.count >= Self.count && times[times.count / 2] < .milliseconds(250))
            await close(scenes)
        }

        /// Returns the times from three requests on one platform to their pointers on the stream of the other one.
        private func pointers(to user: String, _ scenes: (waiting: Scene, other: Scene)) async throws -> [Duration] {
            let phone = try await scenes.waiting.activate(user)
            var times: [Duration] = []
            let (made, continuation) = AsyncStream<Void>.makeStream()
            // The next request is made when the pointer to the last one has come.
            let other = scenes.other
            let requests = Task {
                var reports: [(ApprovalReport, ContinuousClock.Instant)] = []
                for await _ in made { reports.append((try await other.requestLogin(user), .now)) }
                return reports
            }
            continuation.yield()
            var arrivals: [(OrchestrationCommand, ContinuousClock.Instant)] = []
            let platform = scenes.waiting.platform
            let transport = InProcessTransport(to: { platform })
            for try await pointer in phone.app.notifications(for: phone.user, over: transport) {
                arrivals.append((pointer, .now))
                guard arrivals.count < 3 else { break }
                _ = try await phone.approve(pointer)
                continuation.yield()
            }
            continuation.finish()
            for ((report, time), (pointer, arrival)) in zip(try await requests.value, arrivals) {
                #expect(report.pointer == pointer)
                times.append(arrival - time)
            }
            return times
        }

        private func close(_ scenes: (waiting: Scene, other: Scene)) async {
            await scenes.waiting.database.close()
            await scenes.other.database.close()
        }
    }
#endif
