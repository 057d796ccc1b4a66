internal import Crypto
internal import Primitives

/// A device key in the memory of the process. Signatures are randomized, as in a Secure Enclave.
struct SoftwareDeviceKey: DeviceKey {
    let handle: [UInt8]
    private let key: P256.Signing.PrivateKey
    private let root: SoftwareDeviceRoot
    /// The claim of a key that was just created. It ends with the last copy of the key: by then a record names the key,
    /// or no record ever will.
    private let claim: KeyFileClaim?

    init(handle: [UInt8], key: P256.Signing.PrivateKey, root: SoftwareDeviceRoot, claim: KeyFileClaim? = nil) {
        self.handle = handle
        self.key = key
        self.root = root
        self.claim = claim
    }

    var publicKey: [UInt8] { Array(key.publicKey.compressedRepresentation) }

    func sign(_ bytes: [UInt8]) async throws -> [UInt8] {
        do {
            return Array(try key.signature(for: bytes).rawRepresentation)
        } catch {
            throw OrchestrationError(.deviceKeyUnavailable, underlying: error)
        }
    }

    func secret(_ purpose: DeviceSecretPurpose) async throws -> SymmetricKey { root.secret(purpose) }
}

extension SoftwareDeviceKey: Redacted {
    var description: String { "device key" }
}
