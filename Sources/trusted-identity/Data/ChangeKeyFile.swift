internal import CommandLineReports
internal import Primitives
internal import TrustedIdentity

/// The file with the change key: 64 hexadecimal digits, mode 0600.
enum ChangeKeyFile {
    /// Reads the key, or makes a new one when there is none.
    ///
    /// Refuses a file that other users may read, and a file that holds something else.
    static func loadOrMake(_ path: String) throws(ErrorReport) -> ChangeKey {
        guard PrivateFile.exists(path) else {
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
