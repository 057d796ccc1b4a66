import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The lift of a block of typed codes by an approval with the password.
struct ApprovedLiftTests {
    private static func fail(_ count: Int, at harness: Harness) async throws {
        for _ in 0..<count { #expect(try await harness.login("00000000").status == .refused) }
    }

    @Test func `an approval with the password lifts a block after the app showed the wrong codes`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await Self.fail(5, at: harness)
        #expect(try await harness.login(device.code(at: harness.time.now())).reason == .blocked)
        let report = try await harness.requestLogin()
        let fetched = try await device.send(.approvalFetch(id: try #require(report.id)), to: harness)
        #expect(fetched.failedCodes == 5)
        #expect(try await device.decide(.approved, on: report, by: .password, with: harness).receipt != nil)
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
        let entry = try #require(try await harness.events(.throttleLifted).first)
        #expect(entry.reason == "approval" && entry.device == device.id)
    }

    @Test func `wrong codes that the app has not shown keep the block`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await Self.fail(4, at: harness)
        let report = try await harness.requestLogin()
        let approval = try await device.fetch(report, from: harness)
        try await Self.fail(1, at: harness)
        let answer = try await device.answer(approval, .approved, method: .password, with: harness)
        let answered = try await device.send(answer, to: harness)
        #expect(answered.receipt != nil)
        #expect(try await harness.login(device.code(at: harness.time.now())).reason == .blocked)
        #expect(try await harness.events(.throttleLifted).isEmpty)
        // The next approval lifts it.
        try await device.decide(.approved, on: harness.requestLogin(), by: .password, with: harness)
        #expect(try await harness.events(.throttleLifted).count == 1)
    }

    @Test func `a rejection, and an approval without a block, lift nothing`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await device.decide(.approved, on: harness.requestLogin(), by: .password, with: harness)
        try await Self.fail(5, at: harness)
        let report = try await harness.requestLogin()
        _ = try await device.fetch(report, from: harness)
        try await device.decide(.rejected(.canceled), on: report, by: .password, with: harness)
        #expect(try await harness.login(device.code(at: harness.time.now())).reason == .blocked)
        #expect(try await harness.events(.throttleLifted).isEmpty)
    }
}
