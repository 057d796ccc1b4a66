package import Foundation

/// The files of `Tests/Vectors`. The README beside them names the source of each.
package enum Vectors {
    /// Returns the content of a file.
    ///
    /// - Parameter path: The path below `Tests/Vectors`.
    package static func data(_ path: String) throws -> Data {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: tests.appending(path: "Vectors").appending(path: path))
    }

    /// Returns the value of a JSON file.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - path: The path below `Tests/Vectors`.
    package static func decode<T: Decodable>(_ type: T.Type, _ path: String) throws -> T {
        try JSONDecoder().decode(type, from: data(path))
    }

    /// Returns the value of a JSON file for a constant of a test, which cannot throw.
    ///
    /// A file that cannot be read ends the run with its name.
    package static func load<T: Decodable>(_ type: T.Type, _ path: String) -> T {
        do {
            return try decode(type, path)
        } catch {
            fatalError("\(path): \(error)")
        }
    }
}
