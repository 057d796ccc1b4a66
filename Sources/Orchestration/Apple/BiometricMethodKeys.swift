#if canImport(LocalAuthentication) && canImport(Security)
    public import Crypto
    internal import CryptoKit
    internal import Dispatch
    internal import Foundation
    internal import LocalAuthentication
    internal import Primitives
    internal import Security
    internal import Synchronization

    /// Keys of the method biometric that the operating system binds to its own biometric check.
    ///
    /// The signing key is in the Secure Enclave and the secret in the Keychain, both with the access control
    /// `biometryCurrentSet`: the system makes them unusable when a finger or a face is added or removed. They stay on
    /// this device and are not in a backup.
    ///
    /// The system's dialog has no separate button for a fallback. Its texts are the texts of the prompt, from the app's
    /// catalog: `orch_biometric_description` and `orch_biometric_btn_cancel`. The app needs `NSFaceIDUsageDescription`
    /// in its property list.
    public struct BiometricMethodKeys: MethodKeyProvider {
        private let service: String
        private let accessGroup: String?

        /// Creates a provider.
        ///
        /// - Parameters:
        ///   - service: The service of the items in the Keychain, a constant of the app.
        ///   - accessGroup: The access group of the items; `nil` for the default one of the app.
        public init(service: String, accessGroup: String? = nil) {
            self.service = service
            self.accessGroup = accessGroup
        }

        /// Biometric.
        public var method: AuthenticationMethod { .biometric }

        /// `.system`.
        public var protection: MethodProtection { .system }

        /// Whether the system can check the user now.
        public func availability() async -> Availability {
            guard SecureEnclave.isAvailable else { return .unavailable }
            var error: NSError?
            if unsafe LAContext().canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error) {
                return .available
            }
            return error?.code == LAError.biometryNotEnrolled.rawValue ? .notEnrolled : .unavailable
        }

        /// Begins an enrollment of one step. The system checks the user when the key signs its registration.
        public func beginEnrollment(for name: StoreName, _ prompt: Prompt) async throws -> MethodEnrollment {
            MethodEnrollment { .finished(try makeKey(for: name, prompt)) }
        }

        /// Adds the secret to the Keychain. First it adds an entry to the index, which can be read without a check.
        public func store(_ secret: SymmetricKey, handle: [UInt8]) async throws {
            let key = try MethodHandle(handle)
            var entry = query(key.account, in: index)
            entry[kSecAttrAccessible] = kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
            entry[kSecValueData] = Data()
            var item = query(key.account, in: service)
            item[kSecAttrAccessControl] = try Self.accessControl(.biometryCurrentSet)
            item[kSecValueData] = unsafe secret.withUnsafeBytes { unsafe Data($0) }
            try Self.delete(query(key.account, in: service))
            let indexed = SecItemAdd(entry as CFDictionary, nil)
            guard [errSecSuccess, errSecDuplicateItem].contains(indexed) else { throw Self.storeError(indexed) }
            let status = SecItemAdd(item as CFDictionary, nil)
            guard status == errSecSuccess else { throw Self.storeError(status) }
        }

        /// Shows the dialog of the system, and releases both keys. A task that is canceled closes the dialog.
        public func open(handle: [UInt8], _ prompt: Prompt) async throws -> OpenedMethodKey {
            let key = try MethodHandle(handle)
            let dialog = Dialog(prompt)
            try await dialog.evaluate()
            let (status, data) = dialog.withContext { context in
                var item = query(key.account, in: service)
                item[kSecReturnData] = true
                item[kSecUseAuthenticationContext] = context
                var found: CFTypeRef?
                let status = unsafe SecItemCopyMatching(item as CFDictionary, &found)
                return (status, found as? Data)
            }
            switch status {
            case errSecSuccess: break
            // For an item whose access control has ended, the system reports that the item does not exist.
            case errSecItemNotFound: throw UserAuthenticationError.invalidated
            // This failure may be temporary. The user authenticates by the password, and the enrollment stays.
            case errSecAuthFailed: throw UserAuthenticationError.failed
            case errSecInteractionNotAllowed: throw UserAuthenticationError.unavailable
            case errSecUserCanceled: throw UserAuthenticationError.aborted
            default: throw Self.storeError(status)
            }
            let signing = dialog.withContext {
                try? SecureEnclave.P256.Signing.PrivateKey(
                    dataRepresentation: Data(key.signing), authenticationContext: $0)
            }
            guard let data, data.count == 32, let signing else { throw UserAuthenticationError.invalidated }
            return OpenedMethodKey(secret: SymmetricKey(data: data)) { try await dialog.signature(of: $0, by: signing) }
        }

        /// Deletes the items of the handle. A key of the Secure Enclave exists in its handle only.
        public func deleteKey(handle: [UInt8]) async throws {
            guard let key = try? MethodHandle(handle) else { return }
            try delete(account: key.account)
        }

        /// Deletes the items of the name that the index lists.
        public func deleteKeys(of name: StoreName, except handle: [UInt8]?) async throws {
            let kept = try? handle.map { try MethodHandle($0).account }
            var item = query(nil, in: index)
            item[kSecReturnAttributes] = true
            item[kSecMatchLimit] = kSecMatchLimitAll
            var found: CFTypeRef?
            let status = unsafe SecItemCopyMatching(item as CFDictionary, &found)
            if status == errSecItemNotFound { return }
            guard status == errSecSuccess else { throw Self.storeError(status) }
            for attributes in found as? [[CFString: Any]] ?? [] {
                guard let account = attributes[kSecAttrAccount] as? String, account.hasPrefix(name.text + "."),
                    account != kept
                else { continue }
                try delete(account: account)
            }
        }

        /// Deletes the secret first, because it could not be found without its entry in the index.
        private func delete(account: String) throws {
            try Self.delete(query(account, in: service))
            try Self.delete(query(account, in: index))
        }

        private static func delete(_ query: [CFString: Any]) throws {
            let status = SecItemDelete(query as CFDictionary)
            guard [errSecSuccess, errSecItemNotFound].contains(status) else { throw storeError(status) }
        }

        private static func storeError(_ status: OSStatus) -> OrchestrationError {
            OrchestrationError(
                .storeUnavailable, underlying: NSError(domain: NSOSStatusErrorDomain, code: Int(status)))
        }

        private func makeKey(for name: StoreName, _ prompt: Prompt) throws -> MethodKey {
            let dialog = Dialog(prompt)
            do {
                let signing = try dialog.withContext {
                    try SecureEnclave.P256.Signing.PrivateKey(
                        accessControl: Self.accessControl(Self.keyUse), authenticationContext: $0)
                }
                let account = "\(name.text).\(UUID().uuidString)"
                return MethodKey(
                    handle: MethodHandle(account: account, signing: Array(signing.dataRepresentation)).encoded,
                    publicKey: Array(signing.publicKey.compressedRepresentation)
                ) { try await dialog.signature(of: $0, by: signing) }
            } catch let error as OrchestrationError {
                throw error
            } catch {
                throw OrchestrationError(.deviceKeyUnavailable, underlying: error)
            }
        }

        /// The service of the index, which has an item without access control for each key.
        private var index: String { service + ".index" }

        private func query(_ account: String?, in service: String) -> [CFString: Any] {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecUseDataProtectionKeychain: true,
            ]
            if let account { query[kSecAttrAccount] = account }
            if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
            return query
        }

        fileprivate static let keyUse: SecAccessControlCreateFlags = [.privateKeyUsage, .biometryCurrentSet]

        fileprivate static func accessControl(
            _ flags: SecAccessControlCreateFlags
        ) throws(OrchestrationError) -> SecAccessControl {
            let control = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, flags, nil)
            guard let control else { throw OrchestrationError(.deviceKeyUnavailable) }
            return control
        }
    }

    /// A context of the system, which may show one dialog. A task that is canceled closes the dialog.
    private final class Dialog: Sendable {
        private let context: Mutex<LAContext>
        private let reason: String

        init(_ prompt: Prompt) {
            let context = LAContext()
            // The app falls back to its own password, and states this to the platform.
            context.localizedFallbackTitle = ""
            context.localizedCancelTitle = prompt.cancelText
            context.localizedReason = prompt.text
            self.context = Mutex(context)
            reason = prompt.text
        }

        /// Performs a call with the context. The call must not wait for the user.
        func withContext<R: Sendable>(_ body: @Sendable (LAContext) throws -> R) rethrows -> R {
            try context.withLock { try body($0) }
        }

        /// Shows the dialog, and returns when the system has recognized the user.
        func evaluate() async throws {
            try await closing {
                try await withCheckedThrowingContinuation { continuation in
                    do {
                        try withContext { context in
                            context.evaluateAccessControl(
                                try BiometricMethodKeys.accessControl(BiometricMethodKeys.keyUse),
                                operation: .useKeySign, localizedReason: reason
                            ) { _, error in
                                continuation.resume(with: error.map { .failure($0) } ?? .success(()))
                            }
                        }
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            }
        }

        /// Signs on a separate thread, because the system blocks it while it shows its dialog.
        func signature(of bytes: [UInt8], by key: SecureEnclave.P256.Signing.PrivateKey) async throws -> [UInt8] {
            try await closing {
                try await withCheckedThrowingContinuation { continuation in
                    DispatchQueue.global(qos: .userInitiated).async {
                        continuation.resume(with: Result { Array(try key.signature(for: bytes).rawRepresentation) })
                    }
                }
            }
        }

        /// Closes the dialog when the task is canceled, and converts an error of the system to an error about the user.
        private func closing<R>(_ body: () async throws -> R) async throws -> R {
            do {
                return try await withTaskCancellationHandler(operation: body) { context.withLock { $0.invalidate() } }
            } catch let error as OrchestrationError {
                throw error
            } catch {
                try Task.checkCancellation()
                throw Self.userError(error)
            }
        }

        private static func userError(_ error: any Error) -> any Error {
            switch (error as? LAError)?.code {
            case .userCancel, .appCancel, .systemCancel: UserAuthenticationError.aborted
            case .authenticationFailed, .userFallback: UserAuthenticationError.failed
            case .biometryLockout, .biometryNotAvailable, .passcodeNotSet, .notInteractive:
                UserAuthenticationError.unavailable
            case .biometryNotEnrolled: UserAuthenticationError.invalidated
            default: OrchestrationError(.deviceKeyUnavailable, underlying: error)
            }
        }
    }

    /// The handle of the keys: the account of the secret in the Keychain, a null byte, and the key of the Secure
    /// Enclave.
    private struct MethodHandle {
        let account: String
        let signing: [UInt8]

        init(account: String, signing: [UInt8]) {
            self.account = account
            self.signing = signing
        }

        init(_ handle: [UInt8]) throws {
            guard let end = handle.firstIndex(of: 0) else { throw UserAuthenticationError.invalidated }
            account = String(decoding: handle[..<end], as: UTF8.self)
            signing = Array(handle[(end + 1)...])
        }

        var encoded: [UInt8] { Array(account.utf8) + [0] + signing }
    }
#endif
