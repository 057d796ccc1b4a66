public import Logging
public import Primitives

extension Platform {
    /// Replaces a lost change key. Call it while no platform runs on the store, and open a platform with the new key
    /// afterwards.
    ///
    /// The secrets that the lost key made cannot be made again:
    ///
    /// - A password that was changed, and used since, stays valid. Its secret is in the store.
    /// - A user whose change is open, and whose device has the present password, begins the change again.
    /// - A device that has stored its new password and never used it is lost: its proofs are wrong and counted.
    ///   Activate it again.
    /// - After a restore of a backup from before the replacement, so is each device that has used a later password than
    ///   that of the backup, if the lost key made that password. The backup belongs to the lost key: call this method
    ///   with the present key after the restore.
    ///
    /// - Parameters:
    ///   - changeKey: The new key.
    ///   - store: The store of all rows.
    ///   - masterKey: The master key of the store.
    ///   - otherMasterKeys: Further keys that the store may need while its master key is replaced.
    ///   - tenant: The tenant of the store, as in ``PlatformConfiguration``.
    ///   - time: The clock for the entry in the audit log.
    ///   - random: The source of keys of a new store. Replace it in tests only.
    ///   - logger: The logger of a platform.
    ///   - beforeReplacing: Called when the tenant, the master key and the row about the platform were checked, and
    ///     before the store is changed. Store the new key here. An error that it throws ends the call, and nothing is
    ///     changed.
    /// - Returns: Whether the key was replaced: false when the store belongs to it already, and when it has none yet.
    ///   Then nothing was changed.
    /// - Throws: ``PlatformError`` with `wrongTenant`, `wrongMasterKey`, `storeFailed`, `alteredRow`; the error of
    ///   `beforeReplacing`.
    public static func replaceChangeKey(
        with changeKey: ChangeKey, on store: any PlatformStore, masterKey: MasterKey, otherMasterKeys: [MasterKey] = [],
        tenant: String = PlatformConfiguration().tenant, time: any TimeSource = SystemTimeSource(),
        random: any RandomSource = SystemRandomSource(),
        logger: Logger = Logger(label: "trusted-identity") { _ in SwiftLogNoOpLogHandler() },
        beforeReplacing: @escaping () throws -> Void = {}
    ) async throws -> Bool {
        let present = try await PlatformError.mapping { try await store.read { try $0.platformState()?.changeKeyID } }
        guard let present, present != changeKey.id else { return false }
        _ = try await Platform(
            configuration: PlatformConfiguration(tenant: tenant), store: store, masterKey: masterKey,
            otherMasterKeys: otherMasterKeys, changeKey: changeKey, beforeReplacingChangeKey: beforeReplacing,
            time: time, random: random, logger: logger)
        logger.notice("the change key was replaced")
        return true
    }
}
