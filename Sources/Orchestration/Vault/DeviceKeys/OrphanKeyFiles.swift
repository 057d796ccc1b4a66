/// The key files next to the records of a ``FileStore`` that no record names.
///
/// A process or a flow that ended between the creation of the key and the write of the record leaves such a file.
struct OrphanKeyFiles: Sendable {
    let folder: any StorageFolder

    /// Claims a key file before it is created.
    func claim(_ id: [UInt8]) throws(OrchestrationError) -> KeyFileClaim {
        guard let claim = try KeyFileClaim(id, in: folder) else { throw OrchestrationError(.storeBusy) }
        return claim
    }

    /// Removes the orphans. Orphans that cannot be removed or recognized now stay until the next time.
    func remove() {
        try? removeOrphans()
    }

    private func removeOrphans() throws(OrchestrationError) {
        let files = try folder.files()
        let named = try namedFiles()
        let suspects = Set(files.compactMap(KeyFile.id(ofFile:))).subtracting(named)
        for id in suspects.union(files.compactMap(KeyFile.id(ofClaim:))) {
            guard let claim = try KeyFileClaim(id, in: folder) else { continue }
            // The owner of a claim writes the record before it releases the claim. The records are therefore read
            // again under the claim; no record can name the file from here on.
            if try !namedFiles().contains(id) { try folder.remove(KeyFile.name(id)) }
            withExtendedLifetime(claim) {}
        }
    }

    /// Returns the key files that the records name.
    ///
    /// - Throws: The error of a record whose key handle cannot be read, because its key may be in any of the files.
    private func namedFiles() throws(OrchestrationError) -> Set<[UInt8]> {
        var named: Set<[UInt8]> = []
        for file in try folder.files() {
            guard let name = StoreName(file: file, kind: .value), name.text.hasPrefix(Vault.prefix),
                let bytes = try folder.read(file, limit: maximumStoredBytes)
            else { continue }
            for handle in try SealedRecord(decoding: bytes).handles {
                named.insert(try SoftwareKeyHandle(decoding: handle).file)
            }
        }
        return named
    }
}
