import Metrics
import MetricsTestKit
import OrchestrationProtocol
import OrchestrationTesting
import Testing

@testable import TrustedIdentity

/// The counters of events.
struct PlatformMetricsTests {
    typealias Event = PlatformMetrics.Event

    /// Returns the counters that a test changed.
    private func counts(of body: (Harness) async throws -> Void) async throws -> [String: Int64] {
        let (harness, metrics) = (try await Harness(), TestMetrics())
        try await withMetricsFactory(metrics) { try await body(harness) }
        return Dictionary(
            uniqueKeysWithValues: Set(metrics.counters.map(\.label)).map { label in
                (label, metrics.counterTotal(label: label))
            })
    }

    @Test func `a login is counted as accepted or as refused, also one of an unknown user`() async throws {
        let counts = try await counts { harness in
            _ = try await harness.register(staticPassword: "right")
            for (user, password) in [
                (Harness.alice, "right"), (Harness.alice, "wrong"), (Harness.alice, "right"), ("bob@master", "right"),
                (Harness.alice, "wrong"), (Harness.alice, ""),
            ] {
                let account = try Harness.account(user)
                _ = try await harness.platform.login(.init(account: account, credential: .staticPassword(password)))
            }
        }
        #expect(
            counts == [
                "trusted_identity_registrations_total": 1, "trusted_identity_logins_accepted_total": 2,
                "trusted_identity_logins_refused_total": 4,
            ])
    }

    @Test func `a typed code is counted as accepted once, and as refused after that`() async throws {
        let counts = try await counts { harness in
            let device = try await harness.activate()
            let code = try device.code(at: harness.time.now())
            for _ in 0..<3 { _ = try await harness.login(code) }
        }
        #expect(counts[Event.acceptedLogins.rawValue] == 1)
        #expect(counts[Event.refusedLogins.rawValue] == 2)
    }

    @Test func `a run of the maintenance is measured, with the rows that it removed`() async throws {
        let (harness, metrics) = (try await Harness(), TestMetrics())
        _ = try await harness.register()
        harness.time.advance(seconds: 600)
        let failing = FaultInjectingDatabase(harness.store)
        let broken = try await harness.platform(on: failing)
        try await withMetricsFactory(metrics) {
            try await Maintenance(harness.platform).runOnce()
            failing.fail(with: StoreError(.full))
            try await Maintenance(broken).runOnce()
        }
        #expect(metrics.counterTotal(label: Event.removedRows.rawValue) == 1)
        #expect(metrics.counterTotal(label: Event.failedMaintenance.rawValue) == 1)
        let last = try metrics.expectGauge(PlatformMetrics.lastMaintenance).lastValue
        #expect(last == Double(harness.time.now().millisecondsSinceEpoch / 1_000))
        #expect(try metrics.expectTimer(PlatformMetrics.maintenanceDuration).values.count == 2)
    }

    @Test func `transactions are counted apart from logins`() async throws {
        let counts = try await counts { harness in
            let device = try await harness.activate()
            let fields = [DataField(value: "1")]
            let signature = try device.signature(fields, counter: 0)
            for typed in [signature, signature, "00000000"] {
                _ = try await harness.platform.validate(
                    LocalTransaction(account: Harness.account(), fields: fields, signature: typed))
            }
        }
        #expect(counts[Event.acceptedTransactions.rawValue] == 1)
        #expect(counts[Event.refusedTransactions.rawValue] == 2)
        #expect(counts[Event.acceptedLogins.rawValue] == nil && counts[Event.refusedLogins.rawValue] == nil)
    }

    @Test func `registrations, activations, commands and refused commands are counted`() async throws {
        let counts = try await counts { harness in
            let device = try await harness.activate()
            try await device.send(.notificationsRegister(identifier: "x"), to: harness)
            // A device that is not pending proves no password again.
            #expect(try await device.send(.activationPassword, to: harness).refusal == .notPermitted)
            await #expect(throws: PlatformError(.undecodableCommand)) {
                _ = try await harness.platform.execute(OrchestrationCommand(bytes: [0x81, 0x01]))
            }
        }
        #expect(counts[Event.registrations.rawValue] == 1)
        #expect(counts[Event.activations.rawValue] == 1)
        #expect(counts[Event.commands.rawValue] == 7)
        #expect(counts[Event.refusedCommands.rawValue] == 2)
        #expect(counts[Event.conflicts.rawValue] == nil)
    }

    @Test func `a request of a device with too many refused requests is counted as unopened`() async throws {
        let counts = try await counts { harness in
            let device = try await harness.activate()
            let register = RequestBody.notificationsRegister(identifier: "pull:1")
            for _ in 0..<64 {
                let sent = try await device.seal(register, lifetime: 301_000, to: harness)
                _ = try await harness.platform.execute(sent.command)
            }
            for _ in 0..<2 {
                await #expect(throws: PlatformError(.busy)) {
                    _ = try await device.send(.activationPassword, to: harness)
                }
            }
        }
        #expect(counts[Event.unopenedCommands.rawValue] == 2)
    }

    @Test func `a decision that is made again is counted as one conflict`() async throws {
        let counts = try await counts { harness in
            let device = try await harness.activate()
            let store = FaultInjectingDatabase(harness.store)
            let platform = try await harness.platform(on: store)
            store.interrupt { _ in throw WriteConflict() }
            let code = try device.code(at: harness.time.now())
            let request = LoginRequest(account: try Harness.account(), credential: .oneTimePassword(code))
            #expect(try await platform.login(request).status == .accepted)
        }
        #expect(counts[Event.conflicts.rawValue] == 1)
        #expect(counts[Event.acceptedLogins.rawValue] == 1)
    }
}
