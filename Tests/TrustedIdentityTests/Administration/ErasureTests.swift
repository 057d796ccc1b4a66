import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The list of accounts, and the erasure of one.
@Suite struct ErasureTests {
    @Test func `nothing in the database names an erased user, and others keep their rows`() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteDatabase(path: folder.file("platform.sqlite"))
        let harness = try await Harness(on: store)
        let (device, other) = (try await harness.activate("zoe@master"), try await harness.activate())
        let data = try DeviceData([.system: .text("Linux")])
        _ = try await device.send(.approvalList, extensions: .deviceData(.full(data.encoded)), to: harness)
        for (user, device) in [("zoe@master", device), (Harness.alice, other)] {
            let answered = try await harness.requestLogin(user)
            try await device.decide(.approved, on: answered, with: harness)
            harness.time.advance(seconds: 30)
            _ = try await harness.requestLogin(user, showsNumbers: true)
            _ = try await harness.platform.generateChallenge(for: Harness.account(user))
            _ = try await harness.login("000000", user, source: "192.0.2.1")
        }
        let subject = try await store.read { try $0.account("zoe@master")?.subject }

        let report = try await harness.platform.erase(Harness.account("zoe@master"))
        #expect(report.wasRegistered && report.devices == 1 && report.approvals == 2 && report.decisions == 2)
        let named = try DatabaseText(folder.file("platform.sqlite")).columns(with: "zoe@master")
        #expect(named == ["activation_session.account"])
        let code = try other.code(at: harness.time.now())
        #expect(try await harness.login(code).status == .accepted)
        harness.time.advance(seconds: 600)
        try await harness.sweep()
        let later = try DatabaseText(folder.file("platform.sqlite")).columns(with: "zoe@master")
        #expect(later == [])
        #expect(try await harness.events(.accountErased).map(\.subject) == [subject])
        #expect(try await harness.events(.registered).compactMap(\.account) == [Harness.alice])
        #expect(try await harness.platform.verifyAudit().findings == [])

        let kept = try await store.read { store in
            (
                try store.approvals(after: nil, limit: 9).map(\.account),
                try store.policyDecisions(of: Harness.alice, limit: 9)
            )
        }
        #expect(kept.0 == [Harness.alice, Harness.alice] && kept.1.count == 2)
        await #expect(throws: PlatformError(.unknownUser)) {
            _ = try await harness.platform.erase(Harness.account("zoe@master"))
        }
        try await store.close()
    }

    @Test func `an erasure that was interrupted goes on, also after the account is gone`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await device.decide(.approved, on: harness.requestLogin(), with: harness)
        try await harness.platform.unregister(Harness.account())
        let report = try await harness.platform.erase(Harness.account())
        #expect(!report.wasRegistered && report.devices == 1 && report.approvals == 1 && report.decisions == 1)
        #expect(try await harness.device(device) == nil)
    }

    @Test func `rows that were changed outside of the platform are erased, too`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await device.decide(.approved, on: harness.requestLogin(), with: harness)
        try await harness.store.write { store in
            var device = try #require(try store.devices(of: Harness.alice).first)
            device.serialNumber = "changed"
            var approval = try #require(try store.approvals(after: nil, limit: 1).first)
            approval.receipt = nil
            var account = try #require(try store.account(Harness.alice))
            account.activatedAt = nil
            let isWritten = try store.update(device) && store.update(approval) && store.update(account)
            #expect(isWritten)
        }
        let report = try await harness.platform.erase(Harness.account())
        #expect(report.wasRegistered && report.devices == 1 && report.approvals == 1)
        let rest = try await harness.store.read { store in
            (
                try store.account(Harness.alice), try store.devices(of: Harness.alice),
                try store.approvals(after: nil, limit: 9)
            )
        }
        #expect(rest.0 == nil && rest.1.isEmpty && rest.2.isEmpty)
    }

    @Test func `users are listed by name, in pages, and by the beginning of their names`() async throws {
        let harness = try await Harness()
        for user in ["bob@master", "alice@master", "alina@other", "al@master"] { _ = try await harness.register(user) }
        func list(_ prefix: String = "", after: String? = nil, limit: Int = 9) async throws -> [String] {
            try await harness.platform.accounts(withPrefix: prefix, after: after, limit: limit).map(\.name)
        }
        #expect(try await list() == ["al@master", "alice@master", "alina@other", "bob@master"])
        #expect(try await list(limit: 2) == ["al@master", "alice@master"])
        #expect(try await list(after: "alice@master") == ["alina@other", "bob@master"])
        #expect(try await list("ali") == ["alice@master", "alina@other"])
        #expect(try await list("ali", after: "alice@master") == ["alina@other"])
        #expect(try await list("al@master") == ["al@master"])
        #expect(try await list("al@master", after: "a") == ["al@master"])
        #expect(try await list("al", after: "zoe") == [])
        #expect(try await list("c") == [])
        await #expect(throws: PlatformError(.malformedRequest)) { _ = try await list(limit: 0) }
    }
}
