/// Key files beside the records of a ``FileStore`` that no record names: left behind by a process that died, or by a
/// flow that was left, between the making of the key and the storing of the record.
struct OrphanKeyFiles: Sendable {
    let folder: any StorageFolder

    /// Claims a key file that is about to be made.
    func claim(_ id: [UInt8]) throws(OrchestrationError) -> KeyFileClaim {
        guard let claim = try KeyFileClaim(id, in: folder) else { throw OrchestrationError(.storeBusy) }
        return claim
    }

    /// Removes the orphans. What cannot be removed or judged now stays for the next time.
    func remove() {
        try? removeOrphans()
    }

    private func removeOrphans() throws(OrchestrationError) {
        let files = try folder.files()
        let named = try namedFiles()
        let suspects = Set(files.compactMap(KeyFile.id(ofFile:))).subtracting(named)
        for id in suspects.union(files.compactMap(KeyFile.id(ofClaim:))) {
            guard let claim = try KeyFileClaim(id, in: folder) else { continue }
            // Who had the claim has stored the record before letting go of it, so the records are looked at again now
            // that nobody has it. Nothing can name the file from here on.
            if try !namedFiles().contains(id) { try folder.remove(KeyFile.name(id)) }
            withExtendedLifetime(claim) {}
        }
    }

    /// The key files that the records name.
    ///
    /// - Throws: when there is a record that cannot be read: its key may be any of them.
    private func namedFiles() throws(OrchestrationError) -> Set<[UInt8]> {
        var named: Set<[UInt8]> = []
        for file in try folder.files() {
            guard let name = StoreName(file: file, kind: .value), name.text.hasPrefix(Vault.prefix),
                let bytes = try folder.read(file, limit: maximumStoredBytes)
            else { continue }
            let handle = try SealedRecord(decoding: bytes).handle
            named.insert(try SoftwareKeyHandle(decoding: handle).file)
        }
        return named
    }
}
