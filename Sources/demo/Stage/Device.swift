import Foundation
import Orchestration
import OrchestrationHTTP

/// Alice's device: the SDK as an app puts it together, with a store in files and keys in software.
struct Device: Sendable {
    let orchestrator: Orchestrator

    /// How large the commands on the way were.
    let sizes: CommandSizes

    init(platform: URL, folder: URL, user: any UserAuthenticationProvider) async throws {
        let directory = folder.appending(path: "device").path
        // An app draws these two once at random, and never changes them.
        let salts = try Salts(
            authenticator: Array("demo authenticator salt".utf8), storage: Array("demo storage salt".utf8))
        sizes = CommandSizes()
        orchestrator = try await Orchestrator(
            configuration: Configuration(salts: salts, deviceName: "Alice's phone"),
            transport: MeasuredTransport(base: try HTTPTransport(endpoint: platform), sizes: sizes),
            providers: [user],
            store: try FileStore(directory: directory))
    }
}
