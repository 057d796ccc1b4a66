import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The first start on a store whose accounts got their subjects in an upgrade, so that no HMAC covers them yet.
@Suite struct SubjectUpgradeTests {
    /// Returns a store as an upgrade leaves it, with the accounts of alice and bob and a static password of alice.
    private func upgraded() async throws -> Harness {
        let harness = try await Harness()
        _ = try await harness.register(staticPassword: "a horse")
        _ = try await harness.register("bob@master")
        try await harness.store.write { [platform = harness.platform] store in
            let authenticator = platform.store.authenticator
            for var key in try store.platformKeys() {
                guard let sealed = key.privateKey else { continue }
                let secret = try platform.sealer.open(
                    sealed, .platformKey, row: key.id, revision: PlatformKeys.revision)
                key.privateKey = try platform.sealer.seal(secret, .platformKey, row: key.id, revision: 3)
                try requireWritten(store.update(authenticator.authenticatedForUpdate(key)))
            }
            for account in try store.accounts(after: nil, limit: 9) {
                var earlier = account
                earlier.subject = nil
                earlier = authenticator.authenticatedForUpdate(earlier)
                earlier.subject = account.subject
                try requireWritten(store.update(earlier))
            }
        }
        return harness
    }

    private func logsIn(_ platform: Platform) async throws -> Bool {
        try await platform.login(.init(account: Harness.account(), credential: .staticPassword("a horse"))).status
            == .accepted
    }

    @Test func `the first start authenticates the subjects, once, and keeps credentials and statements`() async throws {
        let harness = try await upgraded()
        let before = try await harness.store.read { try $0.accounts(after: nil, limit: 9).map(\.subject) }
        let lines = LogLines()
        for _ in 0..<2 {
            let platform = try await harness.platform(on: harness.store, logger: lines.logger)
            #expect(try await logsIn(platform))
            #expect(platform.keys.latest.sequence == 1)
        }
        #expect(try await harness.store.read { try $0.accounts(after: nil, limit: 9).map(\.subject) } == before)
        let notice = "notice the accounts of an earlier version have a subject from now on rows.accounts=2"
        #expect(lines.all.filter { $0 == notice }.count == 1, "\(lines.all)")
        #expect(lines.alterations.isEmpty)
        // From now on the subject is covered.
        try await harness.store.write { store in
            var account = try #require(try store.account(Harness.alice))
            account.subject = [UInt8](repeating: 7, count: 16)
            try requireWritten(store.update(account))
        }
        let platform = try await harness.platform(on: harness.store, logger: lines.logger)
        #expect(try await !logsIn(platform))
    }

    @Test func `a row that was altered before the upgrade stays refused`() async throws {
        let harness = try await upgraded()
        try await harness.store.write { store in
            var account = try #require(try store.account(Harness.alice))
            account.registrationID = "another"
            try requireWritten(store.update(account))
        }
        let platform = try await harness.platform(on: harness.store)
        #expect(try await !logsIn(platform))
        #expect(try await platform.account(Harness.account("bob@master")) != nil)
    }

    @Test func `keys without a part of their private halves are no keys of an earlier version`() async throws {
        let harness = try await upgraded()
        try await harness.store.write { store in
            var key = try #require(try store.platformKeys().first)
            key.privateKey = nil
            try requireWritten(store.update(key))
        }
        await #expect(throws: PlatformError(.alteredRow)) { _ = try await harness.platform(on: harness.store) }
    }
}
