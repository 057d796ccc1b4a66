internal import CommandLine
internal import Primitives
internal import TrustedIdentity

/// The file with the master key: `id:` and 64 hexadecimal digits, mode 0600.
enum MasterKeyFile {
    /// Reads the key. Refuses a file that other users may read, and a file with any other content.
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

    /// Reads the key, or creates a new one if there is none. Use this only for a new database.
    static func loadOrMake(_ path: String) throws(ErrorReport) -> MasterKey {
        if PrivateFile.exists(path) { return try load(path) }
        // A random name, because a later key must never have the name of a previous one.
        guard let key = try? MasterKey.make(id: Hex.encode(SystemRandomSource().bytes(8))) else {
            throw ErrorReport(.failed, "cannot make a master key")
        }
        do {
            try PrivateFile.make(path, key.encoded())
        } catch {
            // Another first start created it in the meantime. The lock of the database decides which of the two
            // continues.
            guard PrivateFile.exists(path) else { throw error }
            return try load(path)
        }
        return key
    }
}
