import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Moves of the ratchet that are killed, lose the network, or get their answer late: the device goes on, and is not
/// taken for a copy.
@Suite struct RatchetCrashTests {
    private let stage: Stage

    init() async throws {
        stage = try await Stage()
        try await stage.activate()
        stage.advance(seconds: 301)
    }

    /// Contacts the platform in a fresh process of the app.
    private func contact(
        transport: (any Transport)? = nil, store: (any SecureStore)? = nil
    ) async throws -> [String] {
        try await story(
            stage.orchestrator(transport: transport, store: store).registerNotifications(for: "alice"))
    }

    @Test(arguments: 1...3, [true, false])
    func `a process that ends at a write of the store leaves a device that goes on`(
        write: Int, isBefore: Bool
    ) async throws {
        let store = BreakingStore(stage.store, at: write, isBefore: isBefore)
        let wasKilled: Bool
        do {
            let words = try await contact(store: store)
            #expect(words.last == "succeeded")
            wasKilled = false
        } catch is CancellationError {
            wasKilled = true
        }
        // The input of the device, before it is sent, and the answer.
        #expect(wasKilled == (write <= 2))
        let index = try await stage.ratchetIndex()
        #expect(index == (write > 2 || write == 2 && !isBefore ? 1 : 0))
        try await requireGoesOn()
    }

    @Test(arguments: BreakingTransport.Break.allCases)
    func `a network that is lost at the input leaves a device that goes on`(kind: BreakingTransport.Break) async throws
    {
        for _ in 0..<2 {
            let transport = BreakingTransport(stage.platform.transport, kind, at: 1)
            await #expect(throws: (any Error).self) { try await contact(transport: transport) }
            let index = try await stage.ratchetIndex()
            #expect(index == 0)
            // The same input is sent again, also after the next one could have been made.
            stage.advance(seconds: 301)
        }
        try await requireGoesOn()
    }

    @Test func `an answer that arrives after the next input was made moves nothing`() async throws {
        stage.wire.tamper { [stage] answer in
            // Another process gets its answer first, and asks at the next index.
            let process = try stage.orchestrator(transport: stage.platform.transport)
            try await process.user("alice").registerNotifications()
            stage.advance(seconds: 301)
            try await process.user("alice").registerNotifications()
            return answer
        }
        _ = try? await contact()
        let index = try await stage.ratchetIndex()
        #expect(index == 1)
        try await requireGoesOn()
    }

    /// Requires that later contacts succeed and move the ratchet, and that nothing of the device was counted.
    private func requireGoesOn() async throws {
        let before = try #require(try await stage.ratchetIndex())
        for _ in 0..<3 {
            stage.advance(seconds: 301)
            let words = try await contact()
            #expect(words.last == "succeeded")
        }
        let after = try #require(try await stage.ratchetIndex())
        #expect(after > before)
        let devices = try await stage.platform.store.read { try $0.devices(of: "alice@master") }
        let device = try #require(devices.first)
        #expect(device.state == .active && device.lockReason == nil && device.passwordFailures == 0)
        let code = try await stage.orchestrator().user("alice").oneTimePassword(synchronizingWithin: nil)
        #expect(try await stage.platform.login("alice", code: code.oneTimePassword).status == .accepted)
    }
}
