internal import CLibrary
internal import CommandLine
internal import Primitives
internal import TrustedIdentity
internal import TrustedIdentityServer

/// The keys of an installation, at the places that the configuration names.
///
/// Keys in the environment and behind descriptors are read when this value is created: the program opens descriptors
/// later, and a closed number could then refer to one of its own. Errors in reading these keys are thrown when the key
/// is used, because a running server already has the keys. Files are read at each use.
struct InstallationKeys: Sendable {
    private let folder: DataFolder
    private let masterSource: KeySource
    private let nextSource: KeySource
    private let externalMasterKey: Result<MasterKey, ErrorReport>?
    private let externalNextMasterKey: Result<MasterKey, ErrorReport>?

    /// Reads the keys that are not in files.
    init(_ configuration: InstallationConfiguration, folder: DataFolder) {
        self.folder = folder
        masterSource = configuration.masterKey
        nextSource = configuration.nextMasterKey
        externalMasterKey = Self.external(masterSource, "master key")
        externalNextMasterKey = Self.external(nextSource, "new master key")
    }

    /// The files in the data folder that are not used, because the keys are elsewhere.
    var unusedFiles: [String] {
        masterSource != .dataFolder && PrivateFile.exists(folder.masterKeyPath) ? [folder.masterKeyPath] : []
    }

    /// The files of the master keys, if the keys are in files.
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
    /// - Parameter isNew: Whether the database is new. If it is, a missing file is created.
    func masterKey(isNew: Bool) throws(ErrorReport) -> MasterKey {
        if let externalMasterKey { return try externalMasterKey.get() }
        let path = try masterKeyPath()
        if isNew { return try MasterKeyFile.loadOrMake(path) }
        // The replacement was interrupted while it moved the files.
        if !PrivateFile.exists(path), let next = try nextMasterKey() { return next }
        return try MasterKeyFile.load(path)
    }

    /// Returns the key that replaces the master key; nil if there is none.
    func nextMasterKey() throws(ErrorReport) -> MasterKey? {
        if let externalNextMasterKey { return try externalNextMasterKey.get() }
        guard let path = try masterKeyFiles.next, PrivateFile.exists(path) else { return nil }
        return try MasterKeyFile.load(path)
    }

    private func masterKeyPath() throws(ErrorReport) -> String {
        try path(of: masterSource, or: folder.masterKeyPath, "master key")
    }

    private func path(of source: KeySource, or standard: String, _ name: String) throws(ErrorReport) -> String {
        guard case .file(let path) = source else { return standard }
        // With this setting, a copy of the data must not contain the key.
        guard !folder.contains(path) else {
            throw ErrorReport(
                .usage, "the file of the \(name) is in the data folder: \(path)",
                hint: "name a file outside of it, or data-folder")
        }
        return path
    }

    private static func external(_ source: KeySource, _ name: String) -> Result<MasterKey, ErrorReport>? {
        do throws(ErrorReport) {
            guard let text = try ExternalKey.text(of: source, name: name) else { return nil }
            guard let key = try? MasterKey(encoded: text) else {
                throw ErrorReport(
                    .storage, "\(source) holds no \(name)", hint: "its text has an id, ':' and 64 hexadecimal digits"
                )
            }
            return .success(key)
        } catch {
            return .failure(error)
        }
    }
}
