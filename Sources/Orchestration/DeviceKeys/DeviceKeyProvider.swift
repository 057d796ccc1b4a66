/// Makes and finds device keys.
///
/// Shipped are ``SoftwareDeviceKeys`` and, on Apple devices that have it, `SecureEnclaveDeviceKeys`. Every method may be
/// called from any task and any process at once.
public protocol DeviceKeyProvider: Sendable {
    /// Makes a fresh key.
    ///
    /// - Parameter name: the name of the data that the key will belong to, for providers that keep a list.
    /// - Returns: a key whose ``DeviceKey/handle`` survives a restart of the device.
    /// - Throws: `deviceKeyUnavailable`.
    func makeKey(for name: StoreName) async throws -> any DeviceKey

    /// Finds a key again.
    ///
    /// - Parameter handle: the handle of a key that ``makeKey(for:)`` returned.
    /// - Throws: `storeRestoredElsewhere` when the key belongs to another device, `storeCorrupt` when the handle is
    ///   damaged, `storeNewerVersion` when a newer version made it, `storeLocked` and `deviceKeyUnavailable` when the
    ///   key cannot be used now.
    func key(handle: [UInt8]) async throws -> any DeviceKey

    /// Makes a key unusable for good, as far as the provider can. A key that is not there is no error.
    func delete(handle: [UInt8]) async throws
}
