import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import Testing

@testable import Orchestration

/// Commands of every kind that arrive at the app.
@Suite struct ExecuteTests {
    @Test func `a command of no known kind is an error by name`() async throws {
        let orchestrator = try await Stage().orchestrator()
        for bytes: [UInt8] in [
            [0x81, 0x18, 99], [0x83, 0x06, 0x41, 0x00, 0x41, 0x00], [0xD2, 0x84, 0x40, 0xA0, 0x40, 0x40],
        ] {
            let command = try OrchestrationCommand(bytes: bytes)
            await #expect(throws: OrchestrationError(.commandUnknown)) {
                try await orchestrator.execute(command).result()
            }
        }
    }

    @Test func `a request of a device is an error by name, and so is a reply that no flow waits for`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let sent = stage.wire.sent
        // Steps 1 to 4: two of the activation, two of the channel.
        #expect(sent.count == 4)
        for command in sent {
            await #expect(throws: OrchestrationError(.commandUnknown)) {
                try await stage.orchestrator().execute(command).result()
            }
            let reply = try await stage.platform.transport.send(command)
            await #expect(throws: OrchestrationError(.replyNotExpected)) {
                try await stage.orchestrator().execute(reply).result()
            }
        }
    }

    @Test func `replies are handed to the flow that waits, so that an app needs execute alone`() async throws {
        let stage = try await Stage()
        let relay = RelayTransport()
        let orchestrator = try stage.orchestrator(transport: relay)
        let code = try await stage.platform.register("alice")
        let delivered = Mutex<[String]>([])
        let carrier = Task {
            for await exchange in relay.exchanges {
                exchange.leaveOpen()
                let reply = try await stage.platform.transport.send(exchange.command)
                let words = try await story(orchestrator.execute(reply))
                delivered.withLock { $0 += words }
                // The same reply again belongs to no flow.
                await #expect(throws: OrchestrationError(.replyNotExpected)) {
                    try await orchestrator.execute(reply).result()
                }
            }
        }
        let words = try await story(orchestrator.activate("alice", with: code))
        #expect(words.last == "succeeded")
        relay.finish()
        try await carrier.value
        #expect(delivered.withLock(\.self) == Array(repeating: "succeeded", count: 4))
    }

    @Test func `an exchange that is left open ends with its task`() async throws {
        let relay = RelayTransport()
        let command = try OrchestrationCommand(bytes: [0x81, 0x01])
        let task = Task { try await relay.send(command) }
        for await exchange in relay.exchanges {
            exchange.leaveOpen()
            break
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
