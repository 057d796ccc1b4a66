import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The events of an approval for code that embeds the platform.
@Suite struct ApprovalEventTests {
    let harness: Harness
    let phone: Authenticator

    init() async throws {
        harness = try await Harness()
        phone = try await harness.activate()
    }

    @Test func `an approval is requested, opened and ended, in this order`() async throws {
        var events: [String] = []
        for try await event in harness.platform.approvals(.init(.login, of: try Harness.account())) {
            switch event {
            case .requested(let report):
                events.append("requested \(report.status)")
                _ = try await phone.fetch(report, from: harness)
            case .opened(let report):
                events.append("opened \(report.isOpened)")
                try await phone.decide(.approved, on: report, with: harness)
            case .ended(let report):
                events.append("ended \(report.status)")
            }
        }
        #expect(events == ["requested pending", "opened true", "ended accepted"])
    }

    @Test func `an approval that no device answers ends with its time`() async throws {
        let (platform, account) = (harness.platform, try Harness.account())
        async let last = platform.approvals(.init(.login, of: account)).reduce(into: []) { $0.append($1) }
        await harness.time.sleepers(1)
        harness.time.advance(seconds: 120)
        let events = try await last
        guard case .ended(let report) = events.last else {
            Issue.record("the sequence has no end")
            return
        }
        #expect(events.count == 2 && report.status == .timeout)
    }

    @Test func `nothing happens before the first iteration, and leaving the loop cancels nothing`() async throws {
        let events = harness.platform.approvals(.init(.login, of: try Harness.account()))
        #expect(try await harness.pending().isEmpty)
        for try await _ in events { break }
        #expect(try await harness.pending().count == 1)
    }
}
