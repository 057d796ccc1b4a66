import Orchestration
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import Testing

@Suite struct FaultInjectingTransportTests {
    /// Answers command n with command n + 100, and remembers what it saw.
    final class Echo: Transport {
        private let log = Mutex<[UInt8]>([])
        var seen: [UInt8] { log.withLock { $0 } }

        func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
            let number = command.bytes.last ?? 0
            log.withLock { $0.append(number) }
            return try OrchestrationCommand(bytes: [0x81, 0x18, number &+ 100])
        }
    }

    let echo = Echo()

    @Test func `without a plan everything arrives`() async throws {
        let transport = FaultInjectingTransport(echo, plan: .none)
        #expect(try await transport.send(command(1)) == answer(1))
        #expect(echo.seen == [1])
        #expect(transport.log == [.noFault])
    }

    @Test func `a lost request is not seen and a lost answer is`() async throws {
        let transport = FaultInjectingTransport(echo, plan: FaultPlan(script: [.loseRequest, .loseAnswer]))
        await #expect(throws: OrchestrationError(.transport)) { try await transport.send(command(1)) }
        #expect(echo.seen == [])
        await #expect(throws: OrchestrationError(.transport)) { try await transport.send(command(2)) }
        #expect(echo.seen == [2])
        #expect(try await transport.send(command(3)) == answer(3))
    }

    @Test func `a duplicate is seen twice and a late one after the next`() async throws {
        let transport = FaultInjectingTransport(echo, plan: FaultPlan(script: [.duplicate, .deliverLate]))
        #expect(try await transport.send(command(1)) == answer(1))
        await #expect(throws: OrchestrationError(.transport)) { try await transport.send(command(2)) }
        #expect(try await transport.send(command(3)) == answer(3))
        #expect(echo.seen == [1, 1, 3, 2])
    }

    @Test func `a delay moves the clock`() async throws {
        let clock = ManualTimeSource(at: Timestamp(secondsSinceEpoch: 0))
        let plan = FaultPlan(script: [.delay(milliseconds: 700)])
        let transport = FaultInjectingTransport(echo, plan: plan, clock: clock)
        #expect(try await transport.send(command(1)) == answer(1))
        #expect(clock.now() == Timestamp(millisecondsSinceEpoch: 700))
    }

    @Test func `a corrupted answer differs in one bit and a corrupted request arrives so`() async throws {
        let plan = FaultPlan(script: [.corruptAnswer(bit: 16), .corruptRequest(bit: 24 * 1000 + 16)])
        let transport = FaultInjectingTransport(echo, plan: plan)
        #expect(try await transport.send(command(40)).bytes == [0x81, 0x18, 141])
        #expect(try await transport.send(command(40)) == answer(41))
        #expect(echo.seen == [40, 41])
    }

    @Test func `a foreign answer is the one of the exchange before`() async throws {
        let plan = FaultPlan(script: [.foreignAnswer, .noFault, .foreignAnswer])
        let transport = FaultInjectingTransport(echo, plan: plan)
        await #expect(throws: OrchestrationError(.transport)) { try await transport.send(command(1)) }
        #expect(try await transport.send(command(2)) == answer(2))
        #expect(try await transport.send(command(3)) == answer(2))
        #expect(echo.seen == [1, 2, 3])
    }

    @Test func `the same seed brings the same faults and a percentage of nothing brings none`() async throws {
        func run(seed: UInt64, percentage: Int) async -> [Fault] {
            let plan = FaultPlan(random: SeededRandomSource(seed: seed), percentage: percentage)
            let transport = FaultInjectingTransport(Echo(), plan: plan)
            for number in 24..<74 { _ = try? await transport.send(command(UInt8(number))) }
            return transport.log
        }
        #expect(await run(seed: 1, percentage: 50) == run(seed: 1, percentage: 50))
        #expect(await run(seed: 1, percentage: 50) != run(seed: 2, percentage: 50))
        #expect(await run(seed: 1, percentage: 0).allSatisfy { $0 == .noFault })
        #expect(await !run(seed: 1, percentage: 100).contains(.noFault))
    }

    private func command(_ number: UInt8) throws -> OrchestrationCommand {
        try OrchestrationCommand(bytes: number < 24 ? [0x81, number] : [0x81, 0x18, number])
    }

    private func answer(_ number: UInt8) throws -> OrchestrationCommand {
        try OrchestrationCommand(bytes: [0x81, 0x18, number &+ 100])
    }
}
