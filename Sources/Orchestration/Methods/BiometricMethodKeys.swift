#if canImport(LocalAuthentication) && canImport(Security)
    internal import Crypto
    internal import Foundation
    internal import LocalAuthentication
    internal import Primitives
    internal import Security

    // This file is small and separate because it cannot be tested on Linux, where this package is developed.

    /// Keys of the method biometric that the operating system binds to its own biometric check.
    ///
    /// The signing key is in the Secure Enclave and the secret in the Keychain, both with the access control
    /// `biometryCurrentSet`: the system makes them unusable when a finger or a face is added or removed. They stay on this
    /// device and are not in a backup.
    ///
    /// The dialog of the system has no button of its own for a fallback, and its texts are those of the catalog:
    /// ``PromptText/biometricDescription`` and ``PromptText/biometricCancel``. The app needs `NSFaceIDUsageDescription` in its
    /// property list.
    public struct BiometricMethodKeys: MethodKeyProvider {
        private let service: String
        private let accessGroup: String?
        private let cancelText: String

        /// Creates a provider.
        ///
        /// - Parameters:
        ///   - service: The service of the items in the Keychain, a constant of the app.
        ///   - accessGroup: The access group of the items; `nil` for the default one of the app.
        ///   - texts: The texts of the app, for the button that cancels.
        public init(service: String, accessGroup: String? = nil, texts: PromptCatalog = .default) {
            self.service = service
            self.accessGroup = accessGroup
            cancelText = texts[.biometricCancel]
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
        public func beginEnrollment(for name: StoreName, _ prompt: Prompt) async throws -> any MethodEnrollment {
            BiometricEnrollment(keys: self, name: name, prompt: prompt)
        }

        /// Adds the secret to the Keychain.
        public func store(_ secret: SymmetricKey, handle: [UInt8]) async throws {
            let key = try MethodHandle(handle)
            var item = query(key.account)
            item[kSecAttrAccessControl] = try Self.accessControl(.biometryCurrentSet)
            item[kSecValueData] = unsafe secret.withUnsafeBytes { unsafe Data($0) }
            SecItemDelete(query(key.account) as CFDictionary)
            let status = unsafe SecItemAdd(item as CFDictionary, nil)
            guard status == errSecSuccess else { throw OrchestrationError(.storeUnavailable) }
        }

        /// Shows the dialog of the system, and releases both keys.
        public func open(handle: [UInt8], _ prompt: Prompt) async throws -> any OpenedMethodKey {
            let key = try MethodHandle(handle)
            let context = context()
            do {
                _ = try await context.evaluateAccessControl(
                    Self.accessControl(Self.keyUse), operation: .useKeySign, localizedReason: prompt.text)
            } catch {
                throw Self.userError(error)
            }
            var item = query(key.account)
            item[kSecReturnData] = true
            item[kSecUseAuthenticationContext] = context
            var found: CFTypeRef?
            let status = unsafe SecItemCopyMatching(item as CFDictionary, &found)
            switch status {
            case errSecSuccess: break
            case errSecItemNotFound, errSecAuthFailed: throw UserAuthenticationError.invalidated
            case errSecUserCanceled: throw UserAuthenticationError.aborted
            default: throw OrchestrationError(.storeUnavailable)
            }
            guard let data = found as? Data, data.count == 32,
                let signing = try? SecureEnclave.P256.Signing.PrivateKey(
                    dataRepresentation: Data(key.signing), authenticationContext: context)
            else { throw UserAuthenticationError.invalidated }
            return OpenedBiometricKey(secret: SymmetricKey(data: data), signing: signing)
        }

        /// Deletes the items of the name. A key of the Secure Enclave exists in its handle only.
        public func deleteKeys(of name: StoreName, except handle: [UInt8]?) async throws {
            let kept = try? handle.map { try MethodHandle($0).account }
            var item = query(nil)
            item[kSecReturnAttributes] = true
            item[kSecMatchLimit] = kSecMatchLimitAll
            item[kSecUseAuthenticationUI] = kSecUseAuthenticationUISkip
            var found: CFTypeRef?
            _ = unsafe SecItemCopyMatching(item as CFDictionary, &found)
            for attributes in found as? [[CFString: Any]] ?? [] {
                guard let account = attributes[kSecAttrAccount] as? String, account.hasPrefix(name.text + "."),
                    account != kept
                else { continue }
                SecItemDelete(query(account) as CFDictionary)
            }
        }

        fileprivate func makeKey(for name: StoreName, _ prompt: Prompt) throws -> any MethodKey {
            let context = context()
            context.localizedReason = prompt.text
            do {
                let signing = try SecureEnclave.P256.Signing.PrivateKey(
                    accessControl: Self.accessControl(Self.keyUse), authenticationContext: context)
                let account = "\(name.text).\(UUID().uuidString)"
                return BiometricKey(
                    handle: MethodHandle(account: account, signing: Array(signing.dataRepresentation)).encoded,
                    signing: signing)
            } catch let error as OrchestrationError {
                throw error
            } catch {
                throw OrchestrationError(.deviceKeyUnavailable, underlying: error)
            }
        }

        private func context() -> LAContext {
            let context = LAContext()
            // The app falls back to its own password, and says so to the platform.
            context.localizedFallbackTitle = ""
            context.localizedCancelTitle = cancelText
            return context
        }

        private func query(_ account: String?) -> [CFString: Any] {
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
            case .authenticationFailed, .biometryLockout, .userFallback: UserAuthenticationError.failed
            case .biometryNotEnrolled: UserAuthenticationError.invalidated
            default: OrchestrationError(.deviceKeyUnavailable, underlying: error)
            }
        }
    }

    private struct BiometricEnrollment: MethodEnrollment {
        let keys: BiometricMethodKeys
        let name: StoreName
        let prompt: Prompt

        func next() async throws -> EnrollmentProgress { .finished(try keys.makeKey(for: name, prompt)) }
    }

    private struct BiometricKey: MethodKey {
        let handle: [UInt8]
        let signing: SecureEnclave.P256.Signing.PrivateKey

        var publicKey: [UInt8] { Array(signing.publicKey.compressedRepresentation) }

        func sign(_ bytes: [UInt8]) async throws -> [UInt8] {
            do { return Array(try signing.signature(for: bytes).rawRepresentation) } catch {
                throw BiometricMethodKeys.userError(error)
            }
        }
    }

    private struct OpenedBiometricKey: OpenedMethodKey {
        let secret: SymmetricKey
        let signing: SecureEnclave.P256.Signing.PrivateKey

        func sign(_ bytes: [UInt8]) async throws -> [UInt8] {
            do { return Array(try signing.signature(for: bytes).rawRepresentation) } catch {
                throw BiometricMethodKeys.userError(error)
            }
        }
    }

    /// The handle of the keys: the account of the secret in the Keychain, a null byte, and the key of the Secure Enclave.
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
