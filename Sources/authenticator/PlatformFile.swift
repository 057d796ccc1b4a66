import CommandLineReports

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file in the folder of a store with the addresses of the platforms of its users, each on a line.
///
/// It does not name the users. With more than one address, the program cannot know which of them a command means.
struct PlatformFile {
    private let path: String

    /// Creates the description of the file, which need not exist.
    ///
    /// - Parameter directory: The folder of the store.
    init(store directory: String) {
        path = directory + "/platform"
    }

    /// The addresses; none where there is no file.
    var addresses: [String] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Adds the address that an activation has used. A failure is a warning, because the activation has succeeded.
    ///
    /// - Parameter isOnlyUser: Whether the store has no other user. The address then replaces those of earlier users.
    func add(_ address: String, isOnlyUser: Bool) {
        let known = isOnlyUser ? [] : addresses
        guard !known.contains(address) else { return }
        let text = (known + [address]).map { $0 + "\n" }.joined()
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            StandardStream.error.print(
                "warning: the address of the platform cannot be kept in '\(path)'; give --platform to each command")
        }
    }
}
