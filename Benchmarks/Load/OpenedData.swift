import Foundation
import Primitives
import TrustedIdentity
import TrustedIdentityServer

/// The data of a platform that no server uses, opened in this process with the keys of its folder.
enum OpenedData {
    /// Opens the data, and closes them after the body.
    ///
    /// - Parameter batch: The maximum number of writes of a transaction; nil for the usual number.
    static func use(
        _ folder: String, batch: Int? = nil, configuration: InstallationConfiguration = .init(),
        _ body: (Installation) async throws -> Void
    ) async throws {
        let path = folder + "/platform.sqlite"
        let store =
            if let batch {
                try await SQLiteDatabase(path: path, batchLimit: batch)
            } else {
                try await SQLiteDatabase(path: path)
            }
        let installation = try await Installation(
            configuration: configuration, store: store,
            masterKey: MasterKey(encoded: try text(folder + "/master.key")))
        try await body(installation)
        try await store.close()
    }

    private static func text(_ path: String) throws -> SecretBytes {
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        return SecretBytes(copying: Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8))
    }
}
