import Foundation
import TrustedIdentity
import TrustedIdentityServer

/// The platform, embedded in this program: the library, its SQLite store and its HTTP server on a free port.
struct EmbeddedPlatform: Sendable {
    /// The base address of the REST API.
    let address: URL

    /// A temporary folder, which is removed together with the platform.
    let folder: URL

    private let platform: Platform

    /// Runs a platform while the body runs.
    static func running(_ body: (EmbeddedPlatform) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }

        let store = try await SQLiteDatabase(path: folder.appending(path: "platform.sqlite").path)
        // A platform in production keeps its master key apart from the database.
        do {
            let platform = try await Platform(database: store, masterKey: try MasterKey.make(id: "demo"))
            let server = Server(platform: platform, configuration: ServerConfiguration(port: 0))
            try await server.run { port in
                guard let address = URL(string: "http://127.0.0.1:\(port)") else { throw Failure("no address") }
                try await body(EmbeddedPlatform(address: address, folder: folder, platform: platform))
            }
        } catch {
            // An open database could write into the folder while it is removed.
            try? await store.close()
            throw error
        }
        try await store.close()
    }

    /// Creates the key with which an application server may use the REST API. Its site shows the numbers that users
    /// type in the app. The command for this is `trusted-identity key create --shows-numbers`.
    func makeAPIKey() async throws -> String {
        try await platform.createAPIKey(scope: .applicationServer, name: "Demo Shop", showsNumbers: true).secret
    }
}
