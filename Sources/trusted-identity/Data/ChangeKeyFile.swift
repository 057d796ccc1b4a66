internal import CommandLineReports
internal import Primitives
internal import TrustedIdentity

/// The file with the change key: 64 hexadecimal digits, mode 0600.
enum ChangeKeyFile {
    /// The advice for a key that is not there or not readable.
    static let hint = "put the copy of change.key back; if there is none: trusted-identity change-key replace"
    /// The advice for a key that is not that of the database. After an interrupted replacement and after the restore of
    /// an earlier backup, the key in the file is the right one, and a new key would lose more devices.
    static let mismatchHint =
        "after an interrupted replacement or the restore of an earlier backup: trusted-identity change-key replace "
        + "--use-file; otherwise put the copy of change.key back"

    /// Reads the key, or makes the first one.
    ///
    /// - Parameter isBound: Whether the store belongs to a change key already. Then a file that is missing is a
    ///   mistake, and another key would only hide it.
    static func load(_ path: String, isBound: Bool) throws(ErrorReport) -> ChangeKey {
        if isBound || PrivateFile.exists(path) { return try read(path) }
        let key = try make()
        try PrivateFile.make(path, key.encoded())
        return key
    }

    /// Reads the key. Refuses a file that other users may read, and a file that holds something else.
    static func read(_ path: String) throws(ErrorReport) -> ChangeKey {
        guard PrivateFile.exists(path) else {
            throw ErrorReport(.storage, "the change key \(path) is missing", hint: hint)
        }
        do {
            return try ChangeKey(encoded: try PrivateFile.read(path, limit: 128))
        } catch let report as ErrorReport {
            throw report
        } catch {
            throw ErrorReport(.storage, "\(path) is not a change key", hint: hint)
        }
    }

    /// Makes a new key. The caller stores it.
    static func make() throws(ErrorReport) -> ChangeKey {
        guard let key = try? ChangeKey.make() else { throw ErrorReport(.failed, "cannot make a change key") }
        return key
    }
}
