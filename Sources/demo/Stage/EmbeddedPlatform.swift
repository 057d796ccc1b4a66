import Foundation
import TrustedIdentity
import TrustedIdentitySQLite
import TrustedIdentityServer

/// The platform, embedded in this program: the library, its SQLite store and its HTTP server on a free port.
struct EmbeddedPlatform: Sendable {
    /// Where it listens.
    let address: URL

    /// A temporary folder, which goes away with the platform.
    let folder: URL

    private let platform: Platform

    /// Runs a platform as long as the body does.
    static func running(_ body: (EmbeddedPlatform) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }

        let store = try await SQLiteStore(path: folder.appending(path: "platform.sqlite").path)
        // A real platform keeps its master key apart from the database.
        let platform = try await Platform(store: store, masterKey: try MasterKey.make(id: "demo"))
        try await serving(platform) { address in
            try await body(EmbeddedPlatform(address: address, folder: folder, platform: platform))
        }
        try await store.close()
    }

    /// What opens the platform's REST API to the application server. The command for this is
    /// `trusted-identity key create`.
    func makeAPIKey() async throws -> String {
        try await platform.createAPIKey(scope: .applicationServer, name: "demo").secret
    }

    private static func serving(_ platform: Platform, _ body: (URL) async throws -> Void) async throws {
        let (ports, listening) = AsyncStream<Int>.makeStream()
        let server = Server(platform: platform, configuration: ServerConfiguration(port: 0)) { port in
            listening.yield(port)
        }
        let service = Task {
            defer { listening.finish() }
            try await server.run()
        }
        defer { service.cancel() }
        for await port in ports {
            guard let address = URL(string: "http://127.0.0.1:\(port)") else { break }
            try await body(address)
            return
        }
        throw Failure("the platform's server does not listen")
    }
}
