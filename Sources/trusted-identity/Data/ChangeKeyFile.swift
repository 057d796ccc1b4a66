internal import CommandLineReports
internal import Primitives
internal import TrustedIdentity

/// The file with the change key: 64 hexadecimal digits, mode 0600.
enum ChangeKeyFile {
    /// Reads the key, or makes the first one.
    ///
    /// Refuses a file that other users may read, and a file that holds something else.
    ///
    /// - Parameter isBound: Whether the store belongs to a change key already. Then a file that is missing is a mistake,
    ///   and another key would only hide it.
    static func load(_ path: String, isBound: Bool) throws(ErrorReport) -> ChangeKey {
        guard PrivateFile.exists(path) else {
            guard !isBound else {
                throw ErrorReport(
                    .storage, "the change key \(path) is missing",
                    hint: "changed passwords cannot be verified without it: put the copy back")
            }
            guard let key = try? ChangeKey.make() else { throw ErrorReport(.failed, "cannot make a change key") }
            try PrivateFile.make(path, key.encoded())
            return key
        }
        do {
            return try ChangeKey(encoded: try PrivateFile.read(path, limit: 128))
        } catch let report as ErrorReport {
            throw report
        } catch {
            throw ErrorReport(.storage, "\(path) is not a change key", hint: "put the copy back")
        }
    }
}
