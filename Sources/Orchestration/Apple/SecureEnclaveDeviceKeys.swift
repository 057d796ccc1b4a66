#if canImport(Darwin)
    internal import Crypto
    internal import CryptoKit
    internal import Foundation
    internal import Primitives
    internal import OrchestrationProtocol

    /// Device keys in the Secure Enclave of Apple devices: they sign there and cannot leave it.
    ///
    /// Each activation has two separate keys: one signs, and one agrees with a public key in the handle on the device's
    /// secrets. A handle opens only on the device that created it. Elsewhere it causes `storeRestoredElsewhere`. For a
    /// device without a Secure Enclave, such as some simulators, use ``SoftwareDeviceKeys``; for one whose Secure
    /// Enclave fails, ``PreferredDeviceKeys``.
    public struct SecureEnclaveDeviceKeys: DeviceKeyProvider {
        private let salts: Salts

        /// Whether this device has a Secure Enclave.
        public static var isAvailable: Bool { SecureEnclave.isAvailable }

        /// Creates a provider.
        ///
        /// - Parameter salts: The constants of the app.
        public init(salts: Salts) {
            self.salts = salts
        }

        /// Creates two keys in the Secure Enclave.
        public func makeKey(for name: StoreName) async throws -> any DeviceKey {
            do {
                let signing = try SecureEnclave.P256.Signing.PrivateKey()
                let agreement = try SecureEnclave.P256.KeyAgreement.PrivateKey()
                // The private half is dropped, which means that only the enclave can repeat the agreement.
                let peer = P256.KeyAgreement.PrivateKey().publicKey
                var writer = CBORWriter(capacity: 768)
                writer.array(4)
                writer.unsigned(1)
                writer.bytes(Array(signing.dataRepresentation))
                writer.bytes(Array(agreement.dataRepresentation))
                writer.bytes(Array(peer.compressedRepresentation))
                return SecureEnclaveDeviceKey(
                    handle: writer.finish(), signing: signing, agreement: agreement, peer: peer, salts: salts)
            } catch {
                throw OrchestrationError(.deviceKeyUnavailable, underlying: error)
            }
        }

        /// Opens the keys of a handle. On another device it throws `storeRestoredElsewhere`.
        public func key(handle: [UInt8]) async throws -> any DeviceKey {
            let (signing, agreement, peer): ([UInt8], [UInt8], [UInt8])
            do throws(WireError) {
                var reader = CBORReader(handle)
                try reader.readArray(count: 4)
                guard try reader.readUnsigned() == 1 else { throw WireError(.unsupportedVersion) }
                signing = try reader.readBytes(maximum: 450)
                agreement = try reader.readBytes(maximum: 450)
                peer = try reader.readBytes(count: 33)
                try reader.finish()
            } catch {
                let code: OrchestrationError.Code =
                    error.code == .unsupportedVersion ? .storeNewerVersion : .storeCorrupt
                throw OrchestrationError(code, underlying: error)
            }
            do {
                return SecureEnclaveDeviceKey(
                    handle: handle, signing: try .init(dataRepresentation: Data(signing)),
                    agreement: try .init(dataRepresentation: Data(agreement)),
                    peer: try .init(compressedRepresentation: peer), salts: salts)
            } catch {
                throw OrchestrationError(.storeRestoredElsewhere, underlying: error)
            }
        }

        /// Does nothing, because a key in the Secure Enclave exists in its handle only.
        public func delete(handle: [UInt8]) async throws {}
    }

    private struct SecureEnclaveDeviceKey: DeviceKey {
        let handle: [UInt8]
        let signing: SecureEnclave.P256.Signing.PrivateKey
        let agreement: SecureEnclave.P256.KeyAgreement.PrivateKey
        let peer: P256.KeyAgreement.PublicKey
        let salts: Salts

        var publicKey: [UInt8] { Array(signing.publicKey.compressedRepresentation) }

        func sign(_ bytes: [UInt8]) async throws -> [UInt8] {
            do { return Array(try signing.signature(for: bytes).rawRepresentation) } catch {
                throw OrchestrationError(.deviceKeyUnavailable, underlying: error)
            }
        }

        func secret(_ purpose: DeviceSecretPurpose) async throws -> SymmetricKey {
            do {
                let shared = try agreement.sharedSecretFromKeyAgreement(with: peer)
                let (salt, label) =
                    switch purpose {
                    case .storage: (salts.storage, Label.deviceStorageSecret)
                    case .password: (salts.authenticator, Label.devicePasswordSecret)
                    }
                return shared.hkdfDerivedSymmetricKey(
                    using: SHA256.self, salt: salt, sharedInfo: label.bytes, outputByteCount: 32)
            } catch {
                throw OrchestrationError(.deviceKeyUnavailable, underlying: error)
            }
        }
    }
#endif
