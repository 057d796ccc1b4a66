internal import CLibrary
internal import CommandLineReports
internal import Primitives
internal import TrustedIdentity
internal import TrustedIdentityServer

/// The keys of an installation, at the places that the configuration names.
///
/// Keys in the environment and behind descriptors are read when this value is created: the program opens descriptors
/// later on, and a number that was closed could then be one of its own. An error of these is thrown when the key is
/// used, because a server that runs has the keys already. Files are read at each use.
struct InstallationKeys: Sendable {
    private let folder: DataFolder
    private let masterSource: KeySource
    private let nextSource: KeySource
    private let changeSource: KeySource
    private let externalMasterKey: Result<MasterKey, ErrorReport>?
    private let externalNextMasterKey: Result<MasterKey, ErrorReport>?
    private let externalChangeKey: Result<ChangeKey, ErrorReport>?

    /// Reads the keys that are no files.
    init(_ configuration: InstallationConfiguration, folder: DataFolder) {
        self.folder = folder
        masterSource = configuration.masterKey
        nextSource = configuration.nextMasterKey
        changeSource = configuration.changeKey
        externalMasterKey = Self.externalMasterKey(masterSource)
        externalNextMasterKey = Self.externalMasterKey(nextSource)
        externalChangeKey = Self.external(changeSource, "change key", form: "64 hexadecimal digits") {
            try? ChangeKey(encoded: $0)
        }
    }

    /// The files in the data folder that are not used, because the keys are elsewhere.
    var unusedFiles: [String] {
        [(masterSource, folder.masterKeyPath), (changeSource, folder.changeKeyPath)]
            .filter { $0.0 != .dataFolder && PrivateFile.exists($0.1) }.map(\.1)
    }

    /// The files of the master keys, as far as they are files.
    var masterKeyFiles: MasterKeyFiles {
        get throws(ErrorReport) {
            let present = externalMasterKey == nil ? try masterKeyPath() : nil
            guard case .file(let path) = nextSource else {
                let next = externalNextMasterKey == nil ? present.map { $0 + ".next" } : nil
                return MasterKeyFiles(present: present, next: next, isBeside: true)
            }
            return MasterKeyFiles(
                present: present, next: try self.path(of: .file(path), or: path, "new master key"), isBeside: false)
        }
    }

    /// Returns the master key.
    ///
    /// - Parameter isNew: Whether the database is new. Then a file that is missing is made.
    func masterKey(isNew: Bool) throws(ErrorReport) -> MasterKey {
        if let externalMasterKey { return try externalMasterKey.get() }
        let path = try masterKeyPath()
        if isNew { return try MasterKeyFile.loadOrMake(path) }
        // A replacement that was interrupted while it moved the files.
        if !PrivateFile.exists(path), let next = try nextMasterKey() { return next }
        return try MasterKeyFile.load(path)
    }

    /// Returns the key by which the master key is replaced; nil where there is none.
    func nextMasterKey() throws(ErrorReport) -> MasterKey? {
        if let externalNextMasterKey { return try externalNextMasterKey.get() }
        guard let path = try masterKeyFiles.next, PrivateFile.exists(path) else { return nil }
        return try MasterKeyFile.load(path)
    }

    private func masterKeyPath() throws(ErrorReport) -> String {
        try path(of: masterSource, or: folder.masterKeyPath, "master key")
    }

    private static func externalMasterKey(_ source: KeySource) -> Result<MasterKey, ErrorReport>? {
        external(source, "master key", form: "an id, ':' and 64 hexadecimal digits") { try? MasterKey(encoded: $0) }
    }

    /// Returns the change key, or makes the first one.
    ///
    /// - Parameter isBound: Whether the store belongs to a change key. Otherwise a file that is missing is made.
    func changeKey(isBound: Bool) throws(ErrorReport) -> ChangeKey {
        if let externalChangeKey { return try externalChangeKey.get() }
        return try ChangeKeyFile.load(try changeKeyPath(), isBound: isBound)
    }

    /// Checks that a new change key can be stored: its place is a file that is not there yet.
    func requireNoChangeKey() throws(ErrorReport) {
        guard externalChangeKey == nil else {
            throw ErrorReport(
                .refused, "the change key comes from \(changeSource), which this command cannot write",
                hint: "put a new key there, 64 random hexadecimal digits, and take it with --use-file")
        }
        let path = try changeKeyPath()
        guard !PrivateFile.exists(path) else {
            throw ErrorReport(
                .refused, "the change key \(path) is there, nothing was changed",
                hint: "--use-file takes the key in the file; to make a new key, move the file away")
        }
    }

    /// Stores a new change key in its file.
    func store(_ key: ChangeKey) throws(ErrorReport) {
        try PrivateFile.make(try changeKeyPath(), key.encoded())
    }

    private func changeKeyPath() throws(ErrorReport) -> String {
        try path(of: changeSource, or: folder.changeKeyPath, "change key")
    }

    private func path(of source: KeySource, or standard: String, _ name: String) throws(ErrorReport) -> String {
        guard case .file(let path) = source else { return standard }
        // The setting promises a key that a copy of the data does not have.
        guard !folder.contains(path) else {
            throw ErrorReport(
                .usage, "the file of the \(name) is in the data folder: \(path)",
                hint: "name a file outside of it, or data-folder")
        }
        return path
    }

    private static func external<Key>(
        _ source: KeySource, _ name: String, form: String, _ decode: (borrowing SecretBytes) -> Key?
    ) -> Result<Key, ErrorReport>? {
        do throws(ErrorReport) {
            guard let text = try ExternalKey.text(of: source, name: name) else { return nil }
            guard let key = decode(text) else {
                throw ErrorReport(.storage, "\(source) holds no \(name)", hint: "its text has \(form)")
            }
            return .success(key)
        } catch {
            return .failure(error)
        }
    }
}
