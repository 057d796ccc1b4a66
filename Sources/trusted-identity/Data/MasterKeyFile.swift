internal import Primitives
internal import TrustedIdentity

/// The file with the master key: `id:` and 64 hexadecimal digits, mode 0600.
enum MasterKeyFile {
    /// Reads the key. A file that others may read, or that holds something else, is refused.
    static func load(_ path: String) throws(Failure) -> MasterKey {
        guard PrivateFile.exists(path) else {
            throw Failure(
                .storage, "the master key \(path) is missing",
                hint: "the database cannot be read without it: put the copy back")
        }
        do {
            return try MasterKey(encoded: try PrivateFile.read(path, limit: 128))
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.storage, "\(path) is no master key", hint: "put the copy back")
        }
    }

    /// Reads the key, or makes one where there is none: for a database that is made in the same moment.
    static func loadOrMake(_ path: String) throws(Failure) -> MasterKey {
        if PrivateFile.exists(path) { return try load(path) }
        // Named by chance: a key that is made later must never have the name of an earlier one.
        guard let key = try? MasterKey.make(id: Hex.encode(SystemRandomSource().bytes(8))) else {
            throw Failure(.failed, "cannot make a master key")
        }
        try PrivateFile.make(path, key.encoded())
        return key
    }
}
