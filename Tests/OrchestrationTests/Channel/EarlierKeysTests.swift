import OrchestrationTesting
import Primitives
import Testing
import Wire

@testable import Orchestration

/// A device that was activated before there were key statements.
@Suite struct EarlierKeysTests {
    @Test func `it gets statement 1 with its first synchronization`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let orchestrator = try stage.orchestrator()
        let account = try Sample.account()
        let vault = orchestrator.environment.vault
        let statement = try #require(try await vault.record(account)?.platformKeys)
        #expect(statement.sequence == 1)
        try await vault.update(account) { record in
            record.platformKeys = KeyStatement(unstated: statement.keys)
        }
        _ = try await orchestrator.authenticateLocally(.init(user: "alice")).result()
        #expect(try await vault.record(account)?.platformKeys == statement)
    }

    @Test func `a statement 1 of another signing key is refused`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let orchestrator = try stage.orchestrator()
        let account = try Sample.account()
        let vault = orchestrator.environment.vault
        try await vault.update(account) { record in
            let keys = record.platformKeys.keys.map { key in
                guard key.use == .signing else { return key }
                var other = key
                other.kid[0] ^= 1
                return other
            }
            record.platformKeys = KeyStatement(unstated: keys)
        }
        let words = try await story(orchestrator.authenticateLocally(.init(user: "alice")))
        #expect(words.contains("warning: notSynchronized"))
        #expect(try await vault.record(account)?.platformKeys.sequence == 0)
    }
}
