import Foundation
import Orchestration
import OrchestrationHTTP
import OrchestrationProtocol
import Synchronization

/// Alice's device: the SDK, configured as in an app, with a store in files and keys in software.
struct Device: Sendable {
    let orchestrator: Orchestrator

    /// The transport of the stream that delivers pointers.
    let stream: HTTPTransport

    /// The sizes of the last command and its answer.
    let sizes: CommandSizes

    /// - Parameter name: The name of the store's folder.
    init(_ name: String, platform: URL, folder: URL, user: any UserAuthenticationProvider) async throws {
        let directory = folder.appending(path: name).path
        // An app generates these two once, with `authenticator salts`, and never changes them.
        let salts = try Salts(
            authenticator: Array("demo authenticator salt".utf8), storage: Array("demo storage salt".utf8))
        sizes = CommandSizes()
        stream = try HTTPTransport(endpoint: platform)
        orchestrator = try await Orchestrator(
            configuration: Configuration(salts: salts, deviceName: "Alice's phone"),
            transport: MeasuredTransport(base: stream, sizes: sizes),
            providers: [user],
            store: try FileStore(directory: directory))
    }
}

/// An app's own transport is a type with one method. This one measures commands and answers.
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

    /// The sizes as text.
    var last: String { latest.withLock { $0 } }

    func note(request: Int, answer: Int) {
        latest.withLock { $0 = "\(request) bytes up, \(answer) down" }
    }
}
