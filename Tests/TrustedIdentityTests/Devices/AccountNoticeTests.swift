import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The notices of an account, which each of its devices gets once.
@Suite struct AccountNoticeTests {
    private static let day: Int64 = 86_400

    private func rows(_ harness: Harness) async throws -> [AccountNoticeRecord] {
        try await harness.store.read { store in
            try store.accountNotices(
                of: Harness.alice, after: 0, since: Timestamp(millisecondsSinceEpoch: 0), now: harness.time.now())
        }
    }

    /// Returns the notices that a device gets after the one with a number.
    private func notices(
        _ device: Authenticator, after number: UInt64 = 0, from harness: Harness
    ) async throws -> [AccountNoticeForm] {
        let answer = try await device.send(
            .synchronize(generation: 0, counters: [], notice: number), to: harness)
        guard case .accepted(let body) = answer.result else {
            Issue.record("refused")
            return []
        }
        return try #require(body.answer(to: SynchronizeMessage.self)).notices
    }

    @Test func `a device gets what happened to others since its activation, and each notice once`() async throws {
        let harness = try await Harness()
        let first = try await harness.activate()
        #expect(try await notices(first, from: harness).isEmpty, "its own activation is no news")
        harness.time.advance(seconds: 60)
        let second = try await harness.activate()
        harness.time.advance(seconds: 60)
        try await harness.platform.revokeDevice(second.id, of: Harness.account())
        let both = try await notices(first, from: harness)
        #expect(both.map(\.kind) == [AccountNoticeKind.deviceActivated, .deviceRevoked].map(\.rawValue))
        #expect(both.allSatisfy { $0.device == second.id })
        #expect(try await notices(first, after: both[0].number, from: harness) == [both[1]])
        #expect(try await notices(first, after: both[1].number, from: harness).isEmpty)
    }

    @Test func `an answer has eight notices at most, and the platform keeps 32`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let id = [UInt8](repeating: 7, count: 16)
        harness.time.advance(seconds: 1)
        let now = harness.time.now()
        try await harness.platform.store.write { store in
            for _ in 0..<40 {
                let entry = AuditEntry(time: now, event: .deviceLocked, account: Harness.alice, device: id)
                try store.append(entry)
            }
        }
        var (last, numbers) = (UInt64(0), [UInt64]())
        while true {
            let page = try await notices(device, after: last, from: harness)
            #expect(page.count <= 8)
            guard let end = page.last else { break }
            numbers += page.map(\.number)
            last = end.number
        }
        #expect(numbers.count == 32 && numbers == numbers.sorted() && Set(numbers).count == 32)
        #expect(last == UInt64(now.millisecondsSinceEpoch) + 39)
    }

    @Test func `a notice is gone after 30 days, and later ones have higher numbers`() async throws {
        let harness = try await Harness()
        let first = try await harness.activate()
        harness.time.advance(seconds: 60)
        let second = try await harness.activate()
        let number = try #require(try await notices(first, from: harness).first).number
        harness.time.advance(seconds: 30 * Self.day)
        #expect(try await notices(first, from: harness).isEmpty)
        try await harness.sweep()
        #expect(try await rows(harness).isEmpty)
        try await harness.platform.revokeDevice(second.id, of: Harness.account())
        let later = try await notices(first, after: number, from: harness)
        #expect(later.map(\.kind) == [AccountNoticeKind.deviceRevoked.rawValue])
    }

    @Test func `the notices of an account end with it`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await harness.platform.revokeDevice(device.id, of: Harness.account())
        #expect(try await !rows(harness).isEmpty)
        _ = try await harness.platform.erase(Harness.account())
        #expect(try await rows(harness).isEmpty)
    }
}
