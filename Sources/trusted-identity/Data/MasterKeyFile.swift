internal import CommandLine
internal import Primitives
internal import TrustedIdentity

/// The file with the master key: `id:` and 64 hexadecimal digits, mode 0600.
enum MasterKeyFile {
    /// Reads the key. Refuses a file that other users may read, and a file that holds something else.
    static func load(_ path: String) throws(ErrorReport) -> MasterKey {
        guard PrivateFile.exists(path) else {
            throw ErrorReport(
                .storage, "the master key \(path) is missing",
                hint: "the database cannot be read without it: put the copy back, or copy that of another server")
        }
        do {
            return try MasterKey(encoded: try PrivateFile.read(path, limit: 128))
        } catch let report as ErrorReport {
            throw report
        } catch {
            throw ErrorReport(.storage, "\(path) is not a master key", hint: "put the copy back")
        }
    }

    /// Reads the key, or makes a new one when there is none. Use this only for a database that is new, too.
    static func loadOrMake(_ path: String) throws(ErrorReport) -> MasterKey {
        if PrivateFile.exists(path) { return try load(path) }
        // A random name, because a later key must never have the name of an earlier one.
        guard let key = try? MasterKey.make(id: Hex.encode(SystemRandomSource().bytes(8))) else {
            throw ErrorReport(.failed, "cannot make a master key")
        }
        do {
            try PrivateFile.make(path, key.encoded())
        } catch {
            // Another first start has made it meanwhile. The lock of the database decides which of the two goes on.
            guard PrivateFile.exists(path) else { throw error }
            return try load(path)
        }
        return key
    }
}
