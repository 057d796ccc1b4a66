import OrchestrationProtocol
import Synchronization
import Testing

@testable import Orchestration

@Suite struct CourierTests {
    /// A transport that does one thing after another and remembers what it was given.
    private final class Scripted: Transport {
        struct Broken: Error {}
        private let state: Mutex<(script: [OrchestrationCommand?], seen: [OrchestrationCommand])>

        init(_ script: [OrchestrationCommand?]) { state = Mutex((script, [])) }

        var seen: [OrchestrationCommand] { state.withLock { $0.seen } }

        func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
            let answer = state.withLock { state in
                state.seen.append(command)
                return state.script.removeFirst()
            }
            guard let answer else { throw Broken() }
            return answer
        }
    }

    private let command: OrchestrationCommand
    private let answer: OrchestrationCommand
    private let rubbish: OrchestrationCommand

    init() throws {
        command = try OrchestrationCommand(bytes: [0x81, 0x01])
        answer = try OrchestrationCommand(bytes: [0x81, 0x02])
        rubbish = try OrchestrationCommand(bytes: [0x81, 0x03])
    }

    private func deliver(_ script: [OrchestrationCommand?]) async throws -> (OrchestrationCommand, Int) {
        let transport = Scripted(script)
        let good = answer
        let result = try await Courier(transport: transport).deliver(command) { $0 == good ? $0 : nil }
        #expect(transport.seen.allSatisfy { $0 == command })
        return (result, transport.seen.count)
    }

    @Test func `lost and foreign answers are followed by the same bytes again`() async throws {
        #expect(try await deliver([answer]) == (answer, 1))
        #expect(try await deliver([nil, answer]) == (answer, 2))
        #expect(try await deliver([rubbish, nil, answer]) == (answer, 3))
    }

    @Test func `a command is sent three times at most`() async throws {
        await #expect(throws: OrchestrationError(.transport)) { try await deliver([rubbish, nil, nil, answer]) }
        await #expect(throws: OrchestrationError(.invalidAnswer)) { try await deliver([nil, nil, rubbish, answer]) }
    }
}
