import Orchestration
import Synchronization
import Wire

/// A transport of one's own is a type with one method. This one looks at the sizes of what passes.
struct MeasuredTransport: Transport {
    let base: any Transport
    let sizes: CommandSizes

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        let answer = try await base.send(command)
        sizes.note(request: command.bytes.count, answer: answer.bytes.count)
        return answer
    }
}

/// The sizes of the last command and its answer.
final class CommandSizes: Sendable {
    private let latest = Mutex("nothing yet")

    /// In words.
    var last: String { latest.withLock { $0 } }

    func note(request: Int, answer: Int) {
        latest.withLock { $0 = "\(request) bytes up, \(answer) down" }
    }
}
