package import Foundation

/// A new folder that is removed with the last reference to it.
package final class TemporaryFolder: Sendable {
    /// The address of the folder.
    package let url: URL

    /// The path of the folder.
    package var path: String { url.path }

    /// Creates a folder of mode 0700 among the temporary files.
    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "orchestration-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Returns the path of a file in the folder.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Returns the names of the files in the folder, sorted.
    package func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// Returns the content of a file.
    package func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: file(name)))) }

    /// Writes a file.
    package func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: file(name)))
    }

    /// Writes a file of text and returns its path.
    package func write(_ name: String, _ text: String) throws -> String {
        try write(Array(text.utf8), to: name)
        return file(name)
    }

    /// Returns the POSIX permissions of a file, or of the folder for an empty name.
    package func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: name.isEmpty ? path : file(name))
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }
}
