#if canImport(LocalAuthentication) && canImport(Security)
    public import Crypto
    internal import Dispatch
    internal import Foundation
    internal import LocalAuthentication
    internal import Primitives
    internal import Security

    // This file is small and separate because it cannot be tested on Linux, where this package is developed.

    /// Keys of the method biometric that the operating system binds to its own biometric check.
    ///
    /// The signing key is in the Secure Enclave and the secret in the Keychain, both with the access control
    /// `biometryCurrentSet`: the system makes them unusable when a finger or a face is added or removed. They stay on
    /// this device and are not in a backup.
    ///
    /// The dialog of the system has no button of its own for a fallback, and its texts are those of the prompt, from
    /// the catalog of the app: `orch_biometric_description` and `orch_biometric_btn_cancel`. The app needs
    /// `NSFaceIDUsageDescription` in its property list.
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

        /// Adds the secret to the Keychain, and before it an entry in the index, which needs no check to be read.
        public func store(_ secret: SymmetricKey, handle: [UInt8]) async throws {
            let key = try MethodHandle(handle)
            var entry = query(key.account, in: index)
            entry[kSecAttrAccessible] = kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
            entry[kSecValueData] = Data()
            var item = query(key.account, in: service)
            item[kSecAttrAccessControl] = try Self.accessControl(.biometryCurrentSet)
            item[kSecValueData] = unsafe secret.withUnsafeBytes { unsafe Data($0) }
            try Self.delete(query(key.account, in: service))
            let indexed = unsafe SecItemAdd(entry as CFDictionary, nil)
            guard [errSecSuccess, errSecDuplicateItem].contains(indexed) else { throw Self.storeError(indexed) }
            let status = unsafe SecItemAdd(item as CFDictionary, nil)
            guard status == errSecSuccess else { throw Self.storeError(status) }
        }

        /// Shows the dialog of the system, and releases both keys. A task that is canceled closes the dialog.
        public func open(handle: [UInt8], _ prompt: Prompt) async throws -> OpenedMethodKey {
            let key = try MethodHandle(handle)
            let dialog = Dialog(context(prompt))
            let access = try Self.accessControl(Self.keyUse)
            do {
                _ = try await withTaskCancellationHandler {
                    try await dialog.context.evaluateAccessControl(
                        access, operation: .useKeySign, localizedReason: prompt.text)
                } onCancel: {
                    dialog.close()
                }
            } catch {
                try Task.checkCancellation()
                throw Self.userError(error)
            }
            var item = query(key.account, in: service)
            item[kSecReturnData] = true
            item[kSecUseAuthenticationContext] = dialog.context
            var found: CFTypeRef?
            let status = unsafe SecItemCopyMatching(item as CFDictionary, &found)
            switch status {
            case errSecSuccess: break
            // The system withholds an item whose access control has ended as one that is not there.
            case errSecItemNotFound: throw UserAuthenticationError.invalidated
            // This may be passing. The user authenticates by the password, and the enrollment stays.
            case errSecAuthFailed: throw UserAuthenticationError.failed
            case errSecInteractionNotAllowed: throw UserAuthenticationError.unavailable
            case errSecUserCanceled: throw UserAuthenticationError.aborted
            default: throw Self.storeError(status)
            }
            guard let data = found as? Data, data.count == 32,
                let signing = try? SecureEnclave.P256.Signing.PrivateKey(
                    dataRepresentation: Data(key.signing), authenticationContext: dialog.context)
            else { throw UserAuthenticationError.invalidated }
            return OpenedMethodKey(secret: SymmetricKey(data: data)) { try await signing.signed($0, closing: dialog) }
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

        /// Deletes the secret first: without its entry in the index nothing would find it.
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
            let dialog = Dialog(context(prompt))
            dialog.context.localizedReason = prompt.text
            do {
                let signing = try SecureEnclave.P256.Signing.PrivateKey(
                    accessControl: Self.accessControl(Self.keyUse), authenticationContext: dialog.context)
                let account = "\(name.text).\(UUID().uuidString)"
                return MethodKey(
                    handle: MethodHandle(account: account, signing: Array(signing.dataRepresentation)).encoded,
                    publicKey: Array(signing.publicKey.compressedRepresentation)
                ) { try await signing.signed($0, closing: dialog) }
            } catch let error as OrchestrationError {
                throw error
            } catch {
                throw OrchestrationError(.deviceKeyUnavailable, underlying: error)
            }
        }

        private func context(_ prompt: Prompt) -> LAContext {
            let context = LAContext()
            // The app falls back to its own password, and states so to the platform.
            context.localizedFallbackTitle = ""
            context.localizedCancelTitle = prompt.cancelText
            return context
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

        private static let keyUse: SecAccessControlCreateFlags = [.privateKeyUsage, .biometryCurrentSet]

        private static func accessControl(
            _ flags: SecAccessControlCreateFlags
        ) throws(OrchestrationError) -> SecAccessControl {
            let control = unsafe SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, flags, nil)
            guard let control else { throw OrchestrationError(.deviceKeyUnavailable) }
            return control
        }

        /// Returns what an error of the system says about the user.
        fileprivate static func userError(_ error: any Error) -> any Error {
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

    /// A context of the system, which may show one dialog.
    private final class Dialog: @unchecked Sendable {  // SAFETY: set up by one task; `invalidate` is safe on any thread
        let context: LAContext

        init(_ context: LAContext) { self.context = context }

        func close() { context.invalidate() }
    }

    extension SecureEnclave.P256.Signing.PrivateKey {
        /// Signs on a thread of its own, because the system blocks it while it shows its dialog. A task that is
        /// canceled closes the dialog.
        fileprivate func signed(_ bytes: [UInt8], closing dialog: Dialog) async throws -> [UInt8] {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    DispatchQueue.global(qos: .userInitiated).async {
                        continuation.resume(
                            with: Result { Array(try signature(for: bytes).rawRepresentation) }
                                .mapError(BiometricMethodKeys.userError))
                    }
                }
            } onCancel: {
                dialog.close()
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
