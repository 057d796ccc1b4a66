#if canImport(Darwin)
    internal import Foundation
#endif

/// The exclusion of a folder from the backups of the system.
///
/// A record that comes back from a backup is an older state of the device, which the platform takes for a clone.
enum BackupExclusion {
    /// Excludes a folder from backups, on Apple platforms. Other systems have no such mark.
    ///
    /// - Throws: `storeUnavailable` when the mark cannot be set.
    static func apply(toFolder path: String) throws(OrchestrationError) {
        #if canImport(Darwin)
            var folder = URL(filePath: path, directoryHint: .isDirectory)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            do { try folder.setResourceValues(values) } catch {
                throw OrchestrationError(.storeUnavailable, underlying: error)
            }
        #endif
    }
}
