internal import Crypto

/// A provider of device keys from a preferred provider, with software keys where that provider cannot create one.
///
/// Use it in an app that accepts software keys on a device whose Secure Enclave fails:
///
/// ```swift
/// let keys = PreferredDeviceKeys(
///     SecureEnclaveDeviceKeys(salts: salts), otherwise: try SoftwareDeviceKeys(directory: folder, salts: salts))
/// ```
///
/// Only an activation falls back. It then sends the event ``FlowEvent/warning(_:)`` with ``Warning/Code/softwareKeys``
/// and the error of the preferred provider. A key of the preferred provider that cannot be used later causes an error,
/// as without this type, and no other key replaces it.
public struct PreferredDeviceKeys: DeviceKeyProvider {
    private let preferred: any DeviceKeyProvider
    private let software: SoftwareDeviceKeys

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - preferred: The provider that is asked first. Its handles must not have the form of the handles of
    ///     ``SoftwareDeviceKeys``.
    ///   - software: The provider of the keys that `preferred` cannot create.
    public init(_ preferred: any DeviceKeyProvider, otherwise software: SoftwareDeviceKeys) {
        self.preferred = preferred
        self.software = software
    }

    /// The warnings about the preferred provider.
    public var warnings: [Warning] { preferred.warnings }

    /// Creates a key of the preferred provider. When the provider throws `deviceKeyUnavailable`, or its new key does at
    /// the first use, creates a software key.
    public func makeKey(for name: StoreName) async throws -> any DeviceKey {
        do {
            return try await makePreferredKey(for: name)
        } catch let error as OrchestrationError where error.code == .deviceKeyUnavailable {
            let key = try await software.makeKey(for: name)
            return SubstituteKey(base: key, warnings: [Warning(.softwareKeys, cause: error)])
        }
    }

    /// Opens a key of the provider that created it.
    public func key(handle: [UInt8]) async throws -> any DeviceKey {
        try await provider(of: handle).key(handle: handle)
    }

    /// Deletes a key of the provider that created it.
    public func delete(handle: [UInt8]) async throws { try await provider(of: handle).delete(handle: handle) }

    /// Creates a key and uses it once, because a Secure Enclave may create a key that it cannot use.
    private func makePreferredKey(for name: StoreName) async throws -> any DeviceKey {
        let key = try await preferred.makeKey(for: name)
        do {
            _ = try await key.sign([])
            _ = try await key.secret(.storage)
        } catch {
            try? await preferred.delete(handle: key.handle)
            throw error
        }
        return key
    }

    /// The handle of a software key has a form that no other handle has.
    private func provider(of handle: [UInt8]) -> any DeviceKeyProvider {
        (try? SoftwareKeyHandle(decoding: handle)) == nil ? preferred : software
    }
}

/// A software key that was created instead of a preferred one.
private struct SubstituteKey: DeviceKey {
    let base: any DeviceKey
    let warnings: [Warning]

    var handle: [UInt8] { base.handle }

    var publicKey: [UInt8] { base.publicKey }

    func sign(_ bytes: [UInt8]) async throws -> [UInt8] { try await base.sign(bytes) }

    func secret(_ purpose: DeviceSecretPurpose) async throws -> SymmetricKey { try await base.secret(purpose) }
}
