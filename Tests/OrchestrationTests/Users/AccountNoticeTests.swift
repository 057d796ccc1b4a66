import Foundation
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Notices about the devices of an account, on a device.
@Suite struct AccountNoticeTests {
    @Test func `a device learns of another one with its next synchronization, once, and keeps the notice`() async throws
    {
        let stage = try await Stage()
        try await stage.activate()
        let alice = try stage.orchestrator().user("alice")
        var events = alice.accountEvents().makeAsyncIterator()
        #expect(try await events.next() == .loaded(.ready))
        stage.advance(seconds: 60)
        let time = stage.time.now()
        let other = try stage.orchestrator(store: MemoryStore(), keys: DeterministicDeviceKeys(seed: 6)).user("alice")
        let deviceID = try await other.activate(with: stage.platform.register("alice")).deviceID
        stage.advance(seconds: 60)
        try await other.delete()
        for _ in 0..<2 { try await alice.synchronize() }
        let notices = try await alice.information.notices
        #expect(notices.map(\.kind) == [.deviceActivated, .deviceRevoked])
        #expect(notices.allSatisfy { $0.deviceID == deviceID })
        #expect(notices[0].time.timeIntervalSince1970 * 1_000 == Double(time.millisecondsSinceEpoch))
        for notice in notices { #expect(try await events.next() == .noticed(notice)) }
        // A new process emits none of them again.
        let later = try stage.orchestrator().user("alice")
        var fresh = later.accountEvents().makeAsyncIterator()
        #expect(try await fresh.next() == .loaded(.ready))
        try await later.synchronize()
        try await later.delete()
        #expect(try await fresh.next() == .deleted)
    }

    @Test func `a device keeps the latest 32 notices, and takes none twice`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        var record = try #require(
            try await stage.orchestrator().environment.vault.record(ActivationExchange.account))
        let all = (1...40).map { number in
            AccountNoticeForm(
                number: UInt64(number), kind: 1, time: stage.time.now(), device: [UInt8](repeating: 1, count: 16))
        }
        for start in stride(from: 0, to: 40, by: 4) { record.take(Array(all[start...].prefix(8))) }
        #expect(record.notices == Array(all.suffix(32)))
        let read = try UserRecord(decoding: record.encoded, allowedCosts: [.testing])
        #expect(read.notices == record.notices)
    }
}
