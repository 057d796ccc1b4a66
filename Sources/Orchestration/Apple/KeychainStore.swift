#if canImport(Security)
    public import Foundation
    public import Primitives
    internal import Security

    /// A store in the Keychain of Apple platforms, with an item for each name.
    ///
    /// Items can be read only on this device while it is unlocked, and are not part of backups. The system replaces an
    /// item in one step. The Keychain has no locks, so a lock file in a folder makes changes exclusive between
    /// processes, as in ``FileStore``. An app with extensions uses a folder of its app group. Items may outlive the
    /// app; deleting a user removes them.
    ///
    /// Run `SecureStoreConformance` in the tests of the app.
    public struct KeychainStore: SecureStore, KeyKeepingStore {
        private let service: String
        private let accessGroup: String?
        private let folder: DiskFolder
        private let time: any TimeSource

        /// Creates a store for one app.
        ///
        /// - Parameters:
        ///   - service: The service of the app's items, for example its bundle identifier.
        ///   - accessGroup: The Keychain access group; `nil` for the app's own.
        ///   - lockDirectory: A folder that all processes with access to the items share. It also holds the key files
        ///     of a device without a Secure Enclave, and the keys of a ``UserCheckProvider``.
        ///   - time: The clock for the wait for a lock.
        /// - Throws: `invalidConfiguration` for a URL that is not a file URL; `storeUnavailable` when the folder cannot
        ///   be created or used.
        public init(
            service: String, accessGroup: String? = nil, lockDirectory: URL,
            time: any TimeSource = SystemTimeSource()
        ) throws(OrchestrationError) {
            guard lockDirectory.isFileURL else { throw OrchestrationError(.invalidConfiguration) }
            self.service = service
            self.accessGroup = accessGroup
            folder = try DiskFolder(path: lockDirectory.path)
            try BackupExclusion.apply(toFolder: lockDirectory.path)
            self.time = time
        }

        /// Returns keys in the Secure Enclave, or software keys in the lock folder on a device without one.
        package func defaultDeviceKeys(
            salts: Salts, random: any RandomSource
        ) throws(OrchestrationError) -> any DeviceKeyProvider {
            if SecureEnclaveDeviceKeys.isAvailable { return SecureEnclaveDeviceKeys(salts: salts) }
            return SoftwareDeviceKeys(folder: folder, salts: salts, machine: .current(), random: random)
        }

        package var methodKeyFolder: any StorageFolder { folder }

        /// Returns the accounts of the items of this app.
        @concurrent public func names() async throws -> [StoreName] {
            var query = query(nil)
            query[kSecMatchLimit] = kSecMatchLimitAll
            query[kSecReturnAttributes] = true
            var result: CFTypeRef?
            let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
            if status == errSecItemNotFound { return [] }
            try Self.check(status)
            let items = result as? [[CFString: Any]] ?? []
            return items.compactMap { ($0[kSecAttrAccount] as? String).flatMap { StoreName($0) } }
        }

        /// Reads an item. On a locked device it throws `storeLocked`.
        @concurrent public func read(_ name: StoreName) async throws -> [UInt8]? {
            try item(name)
        }

        /// Changes an item under the lock file of its name, for which it waits up to 5 seconds.
        @concurrent public func update<R: Sendable>(
            _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
        ) async throws -> R {
            try change(name, holding: try await FileStore.lock(name, in: folder, time: time), body)
        }

        private func change<R>(
            _ name: StoreName, holding lock: borrowing FolderLock,
            _ body: (_ current: [UInt8]?) throws -> (StoreChange, R)
        ) throws -> R {
            let current = try item(name)
            let (change, result) = try body(current)
            switch change {
            case .keep: break
            case .replace(let bytes):
                guard bytes.count <= maximumStoredBytes else { throw OrchestrationError(.invalidArgument) }
                try replace(name, bytes, exists: current != nil)
            case .delete:
                let status = SecItemDelete(query(name) as CFDictionary)
                if status != errSecItemNotFound { try Self.check(status) }
            }
            return result
        }

        private func item(_ name: StoreName) throws(OrchestrationError) -> [UInt8]? {
            var query = query(name)
            query[kSecReturnData] = true
            var result: CFTypeRef?
            let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
            if status == errSecItemNotFound { return nil }
            try Self.check(status)
            guard let data = result as? Data, data.count <= maximumStoredBytes else {
                throw OrchestrationError(.storeCorrupt)
            }
            return Array(data)
        }

        private func replace(_ name: StoreName, _ bytes: [UInt8], exists: Bool) throws(OrchestrationError) {
            let value: [CFString: Any] = [
                kSecValueData: Data(bytes),
                kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            ]
            if exists {
                try Self.check(SecItemUpdate(query(name) as CFDictionary, value as CFDictionary))
            } else {
                let item = query(name).merging(value) { _, new in new }
                try Self.check(SecItemAdd(item as CFDictionary, nil))
            }
        }

        private func query(_ name: StoreName?) -> [CFString: Any] {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: service,
                kSecUseDataProtectionKeychain: true,
            ]
            if let name { query[kSecAttrAccount] = name.text }
            if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
            return query
        }

        private static func check(_ status: OSStatus) throws(OrchestrationError) {
            guard status != errSecSuccess else { return }
            let code: OrchestrationError.Code =
                status == errSecInteractionNotAllowed ? .storeLocked : .storeUnavailable
            throw OrchestrationError(code, underlying: SystemFailure("SecItem", status))
        }
    }
#endif
