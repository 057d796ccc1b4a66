import Orchestration
import OrchestrationProtocol
import Synchronization

/// A transport that records the sizes of commands.
final class RecordingTransport: Transport {
    struct Exchange {
        let requestBytes: Int
        let answerBytes: Int
    }

    private let base: any Transport
    private let exchanges = Mutex<[Exchange]>([])

    init(_ base: any Transport) {
        self.base = base
    }

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        let answer = try await base.send(command)
        exchanges.withLock {
            $0.append(Exchange(requestBytes: command.bytes.count, answerBytes: answer.bytes.count))
        }
        return answer
    }

    /// Returns the exchanges since the last call.
    func takeExchanges() -> [Exchange] {
        exchanges.withLock { exchanges in
            defer { exchanges = [] }
            return exchanges
        }
    }
}
