import OrchestrationProtocol
import Testing

@testable import Orchestration

@Suite struct RelayTransportTests {
    private let command: OrchestrationCommand
    private let answer: OrchestrationCommand
    private let relay = RelayTransport()

    init() throws {
        command = try OrchestrationCommand(bytes: [0x81, 0x01])
        answer = try OrchestrationCommand(bytes: [0x81, 0x02])
    }

    @Test func `a command goes out by hand and its answer comes back`() async throws {
        async let reply = relay.send(command)
        for await exchange in relay.exchanges {
            #expect(exchange.command == command)
            #expect(exchange.reply(answer))
            #expect(!exchange.reply(answer))
            #expect(!exchange.fail(OrchestrationError(.transport)))
            break
        }
        #expect(try await reply == answer)
    }

    @Test func `an error of the app ends the exchange in the flow`() async throws {
        let task = Task { try await relay.send(command) }
        for await exchange in relay.exchanges {
            exchange.fail(OrchestrationError(.storeBusy))
            break
        }
        await #expect(throws: OrchestrationError(.storeBusy)) { try await task.value }
    }

    @Test func `an exchange that the app drops fails instead of waiting for ever`() async throws {
        let task = Task { try await relay.send(command) }
        for await exchange in relay.exchanges {
            _ = exchange
            break
        }
        await #expect(throws: OrchestrationError(.transport)) { try await task.value }
    }

    @Test func `canceling ends the wait, and a late reply does not count`() async throws {
        let task = Task { try await relay.send(command) }
        for await exchange in relay.exchanges {
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(!exchange.reply(answer))
            break
        }
    }

    @Test func `a command of a task that was canceled before is never handed out`() async throws {
        let (start, started) = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in start {}
            return try await relay.send(command)
        }
        task.cancel()
        started.finish()
        await #expect(throws: CancellationError.self) { try await task.value }
        relay.finish()
        for await exchange in relay.exchanges { Issue.record("\(exchange.command) left") }
    }

    @Test func `after the end a command fails at once`() async throws {
        relay.finish()
        await #expect(throws: OrchestrationError(.transport)) { try await relay.send(command) }
    }

    @Test func `several commands wait side by side`() async throws {
        let second = try OrchestrationCommand(bytes: [0x81, 0x03])
        async let a = relay.send(command)
        async let b = relay.send(second)
        var answered = 0
        for await exchange in relay.exchanges {
            exchange.reply(exchange.command)
            answered += 1
            if answered == 2 { break }
        }
        #expect(try await a == command)
        #expect(try await b == second)
    }
}
