import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Answers that come after another process has activated the user again.
@Suite struct ReplacedDeviceTests {
    /// The requests of a device.
    enum Request: CaseIterable { case notifications, synchronization, deletion }

    @Test(arguments: Request.allCases, [false, true])
    func `an answer to a request of a device that was replaced meanwhile changes nothing`(
        _ request: Request, isRefused: Bool
    ) async throws {
        // Steps 3 and 4 of the activation use the two requests of the device.
        let stage = try await Stage(
            configuration: PlatformConfiguration(requestsPerDevice: isRefused ? 2 : 100), clockOffset: 1)
        try await stage.activate()
        let before = try await stage.orchestrator().user("alice").information.deviceID
        let orchestrator = try stage.orchestrator()
        let contents = Box([StoreName: [UInt8]]())
        // Enough for a new offset of the clock, and not so much that the request is made again with another time.
        stage.time.advance(seconds: 5)
        stage.wire.tamper({ answer in
            let other = try stage.orchestrator()
            try await other.user("alice").delete(informingPlatform: false)
            try await stage.activate()
            await contents.set(try await stage.contents())
            return answer
        })
        let result = await Task {
            switch request {
            case .notifications: _ = try await orchestrator.registerNotifications(for: "alice").result()
            case .synchronization: _ = try await orchestrator.oneTimePassword(for: "alice").result()
            case .deletion: _ = try await orchestrator.user("alice").delete()
            }
        }.result
        if request == .notifications { #expect(throws: OrchestrationError.self) { try result.get() } }
        let replaced = await contents.value
        #expect(!replaced.isEmpty)
        #expect(try await stage.contents() == replaced)
        #expect(try await stage.orchestrator().user("alice").information.deviceID != before)
    }

    private actor Box<Value: Sendable> {
        var value: Value
        init(_ value: Value) { self.value = value }
        func set(_ value: Value) { self.value = value }
    }
}
