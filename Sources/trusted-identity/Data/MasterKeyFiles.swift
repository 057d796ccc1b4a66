internal import CLibrary
internal import CommandLine
internal import TrustedIdentity

/// The files of the master key and of the key that replaces it.
struct MasterKeyFiles: Sendable {
    /// The path of the master key; nil if it is not in a file.
    let present: String?
    /// The path of the new key; nil if it is not in a file.
    let next: String?
    /// Whether the new key is next to the master key, and takes its name at the end. If the configuration names the
    /// place, the operator manages the file.
    let isBeside: Bool

    /// Creates the new key, if there is none yet, and makes its file durable.
    ///
    /// - Parameter isGiven: Whether there is a new key.
    func prepareNext(isGiven: Bool) throws(ErrorReport) {
        guard let next else {
            guard isGiven else {
                throw ErrorReport(
                    .refused, "there is no file for the new master key, nothing was changed",
                    hint: "put a new key into a place of its own and name it with next-master-key")
            }
            return
        }
        _ = try MasterKeyFile.loadOrMake(next)
        try PrivateFile.sync(next)
    }

    /// Gives the new key the name of the master key after the replacement. The previous key stays next to it,
    /// with its id after its name.
    ///
    /// - Parameter id: The id of the current master key of the data.
    /// - Returns: Whether the files were moved: false if one of the keys is not in a file, or the configuration names
    ///   the place of the new one.
    func finish(id: String) throws(ErrorReport) -> Bool {
        guard isBeside, let present, let next, PrivateFile.exists(next), try MasterKeyFile.load(next).id == id else {
            return false
        }
        // The previous key may have been moved before an interruption, or by another call.
        if PrivateFile.exists(present), case let previous = try MasterKeyFile.load(present), previous.id != id {
            try Self.move(present, to: present + "." + previous.id)
        }
        try Self.move(next, to: present)
        return true
    }

    private static func move(_ path: String, to other: String) throws(ErrorReport) {
        guard unsafe rename(path, other) == 0 else {
            throw ErrorReport(
                .storage, "cannot move \(path) to \(other): \(SystemCall.message(of: errno))",
                hint: "move it yourself: the data needs this key from now on")
        }
        PrivateFile.syncFolder(of: other)
    }
}
