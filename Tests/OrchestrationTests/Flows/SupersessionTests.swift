import OrchestrationTesting
import Testing
import TrustedIdentity

@testable import Orchestration

/// Each flow is superseded at each of its events.
@Suite struct SupersessionTests {
    /// A flow that is pulled by hand.
    private actor Puller {
        private let stream: AsyncThrowingStream<FlowEvent, any Error>

        init(_ stream: AsyncThrowingStream<FlowEvent, any Error>) { self.stream = stream }

        /// Pulls so many events.
        func pull(_ count: Int) async throws -> [String] {
            var words: [String] = []
            // An iterator has no state of its own: another one goes on where this one stops.
            var iterator = stream.makeAsyncIterator()
            for _ in 0..<count {
                guard let event = try await iterator.next() else { break }
                words.append(event.word)
            }
            return words
        }

        /// Pulls the events that are left.
        func rest() async throws -> [String] { try await pull(.max) }
    }

    /// Runs an older flow to an event and a newer one to its end, and then the older one to its end.
    ///
    /// - Returns: The events of both, and whether the older flow has sent or stored anything after the newer one.
    private func supersede(
        at event: Int, on stage: Stage, _ flow: (Orchestrator) -> AsyncThrowingStream<FlowEvent, any Error>
    ) async throws -> (older: [String], newer: [String], isQuiet: Bool) {
        let orchestrator = try stage.orchestrator(user: ScriptedUser(password: Stage.password))
        let older = Puller(flow(orchestrator))
        let seen = try await older.pull(event)
        #expect(seen.count == event)
        let newer = try await story(flow(orchestrator))
        let before = (sent: stage.wire.sent.count, stored: try await stage.contents())
        let rest = try await older.rest()
        let stored = try await stage.contents()
        return (seen + rest, newer, stage.wire.sent.count == before.sent && stored == before.stored)
    }

    private static let activation = ["activation 1/4", "activation 2/4", "activation 3/4", "activation 4/4"]
    private static let activationEnd = ["succeeded"]

    @Test(arguments: 1...3)
    func `an activation is superseded at each event before its end`(event: Int) async throws {
        let stage = try await Stage()
        let password = try await stage.platform.register("alice")
        let (older, newer, isQuiet) = try await supersede(at: event, on: stage) {
            $0.activate("alice", with: password)
        }
        #expect(older == Self.activation.prefix(event) + ["aborted: superseded"])
        // At the third event the older one has proven the password, so the newer one resumes.
        #expect(newer == (event < 3 ? Self.activation : [Self.activation[3]]) + Self.activationEnd)
        #expect(isQuiet)
        #expect(try await stage.orchestrator().user("alice").isActivated)
        #expect(try await stage.store.names().count == 1)
    }

    @Test(arguments: 4...6)
    func `an activation that has succeeded is no longer superseded`(event: Int) async throws {
        let stage = try await Stage()
        let password = try await stage.platform.register("alice")
        let orchestrator = try stage.orchestrator()
        let older = Puller(orchestrator.activate("alice", with: password))
        let seen = try await older.pull(event)
        await #expect(throws: OrchestrationError(.alreadyActivated)) {
            try await orchestrator.user("alice").activate(with: password)
        }
        let rest = try await older.rest()
        #expect(seen + rest == Self.activation + Self.activationEnd)
    }

    @Test func `a one-time password is superseded before its synchronization`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let (older, newer, isQuiet) = try await supersede(at: 1, on: stage) {
            $0.oneTimePassword(for: "alice", application: .app2)
        }
        #expect(older == ["code", "aborted: superseded"])
        #expect(newer == ["code", "synchronization 1/1", "succeeded"])
        #expect(isQuiet)
    }

    @Test func `a one-time password is superseded before its prompt`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let (older, newer, isQuiet) = try await supersede(at: 1, on: stage) {
            $0.oneTimePassword(for: "alice", protection: .biometric)
        }
        #expect(older == ["warning: fellBackToPassword", "aborted: superseded"])
        #expect(newer == ["warning: fellBackToPassword", "code", "synchronization 1/1", "succeeded"])
        #expect(isQuiet)
    }

    @Test(arguments: 2...3)
    func `a one-time password that was synchronized is no longer superseded`(event: Int) async throws {
        let stage = try await Stage()
        try await stage.activate()
        let (older, newer, isQuiet) = try await supersede(at: event, on: stage) {
            $0.oneTimePassword(for: "alice", application: .app2)
        }
        #expect(older == ["code", "synchronization 1/1", "succeeded"])
        #expect(newer == older)
        #expect(isQuiet)
    }

    @Test(arguments: 1...2)
    func `a registration of notifications that has succeeded is no longer superseded`(event: Int) async throws {
        let stage = try await Stage()
        try await stage.activate()
        let (older, newer, isQuiet) = try await supersede(at: event, on: stage) {
            $0.registerNotifications(for: "alice")
        }
        #expect(older == ["notificationRegistration 1/1", "succeeded"])
        #expect(newer == older)
        #expect(isQuiet)
    }

    @Test func `a flow that waits for an answer is superseded at its next step and reports what it has done`()
        async throws
    {
        let stage = try await Stage()
        let password = try await stage.platform.register("alice")
        let orchestrator = try stage.orchestrator()
        let newer = Puller(orchestrator.activate("alice", with: password))
        // The newer flow starts while the answer to the first command of the older one is under way.
        stage.wire.tamper({ answer in
            let seen = try await newer.pull(1)
            #expect(seen == ["activation 1/4"])
            return answer
        })
        #expect(
            try await story(orchestrator.activate("alice", with: password)) == [
                "activation 1/4", "aborted: superseded",
            ])
        let rest = try await newer.rest()
        #expect(rest == Self.activation.dropFirst() + Self.activationEnd)
    }
}

extension Stage {
    /// The bytes of the store under each name.
    func contents() async throws -> [StoreName: [UInt8]] {
        var contents: [StoreName: [UInt8]] = [:]
        for name in try await store.names() { contents[name] = try await store.read(name) }
        return contents
    }
}
