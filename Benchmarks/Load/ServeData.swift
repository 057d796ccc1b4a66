import ArgumentParser
import Foundation
import Primitives
import TrustedIdentity
import TrustedIdentitySQLite
import TrustedIdentityServer

/// `load serve`: serves the data of a platform with transactions of another size, to show what a transaction for each login
/// costs. `trusted-identity serve` is the program that is measured otherwise.
struct ServeData: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve")

    @Option(help: "The folder of the platform.") var data: String
    @Option(help: "The most writes of a transaction.") var batch = 1

    func run() async throws {
        let store = try await SQLiteStore(path: data + "/platform.sqlite", batchLimit: batch)
        let installation = try await Installation(
            configuration: .init(server: ServerConfiguration(port: 0)), store: store,
            masterKey: MasterKey(encoded: try Self.text(data + "/master.key")),
            changeKey: ChangeKey(encoded: try Self.text(data + "/change.key")))
        try await installation.server().run { port in
            print("listening on http://127.0.0.1:\(port)")
            fflush(nil)
            // Until the driver closes standard input.
            while readLine() != nil {}
        }
        try await store.close()
    }

    private static func text(_ path: String) throws -> SecretBytes {
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        return SecretBytes(copying: Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8))
    }
}
