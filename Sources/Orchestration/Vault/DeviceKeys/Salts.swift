internal import Crypto
internal import Primitives

/// Two constants of an app that separate its keys from the keys of other apps on the same device.
///
/// They are not secret, because every copy of the app holds them. Derive them from the name of the app, or create each
/// once with `authenticator salts` or another random generator. Never change them: data that is sealed under other salts
/// cannot be opened.
public struct Salts: Sendable, Hashable {
    /// The salt of the device key and of the password instance's wrap, 16 to 64 bytes.
    package let authenticator: [UInt8]

    /// The salt of the keys and names of stored data, 16 to 64 bytes.
    package let storage: [UInt8]

    /// Creates the salts of an app.
    ///
    /// - Parameters:
    ///   - authenticator: 16 to 64 bytes.
    ///   - storage: 16 to 64 bytes that differ from `authenticator`.
    /// - Throws: `invalidConfiguration` when a salt is shorter or longer, or both are equal.
    package init(authenticator: [UInt8], storage: [UInt8]) throws(OrchestrationError) {
        guard (16...64).contains(authenticator.count), (16...64).contains(storage.count), authenticator != storage
        else { throw OrchestrationError(.invalidConfiguration) }
        self.authenticator = authenticator
        self.storage = storage
    }

    /// Derives the salts of an app from its name.
    ///
    /// Both are 32 bytes of HKDF with SHA-256 (RFC 5869): the name is the input key material, there is no salt, and the
    /// info is `swift-orchestration app salts`.
    ///
    /// - Parameter app: The name of the app, 1 to 128 printable ASCII characters without spaces, for example the bundle
    ///   identifier `com.example.bank`. A different spelling is a different app.
    /// - Throws: `invalidConfiguration` for another name.
    package init(app: String) throws(OrchestrationError) {
        guard (1...128).contains(app.utf8.count), app.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw OrchestrationError(
                .invalidConfiguration(
                    "the name of the app must be 1 to 128 printable ASCII characters without spaces, "
                        + "for example com.example.bank"))
        }
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array(app.utf8)), info: Array("swift-orchestration app salts".utf8),
            outputByteCount: 64
        ).withSpan { [UInt8]($0) }
        try self.init(authenticator: Array(derived[..<32]), storage: Array(derived[32...]))
    }

    /// Creates the salts of an app from hexadecimal text, as `authenticator salts` prints it.
    ///
    /// - Parameters:
    ///   - authenticator: 32 to 128 hexadecimal digits.
    ///   - storage: 32 to 128 hexadecimal digits, different from `authenticator`.
    /// - Throws: `invalidConfiguration` when a text has other characters, is shorter or longer, or when both are equal.
    public init(authenticator: String, storage: String) throws(OrchestrationError) {
        let (first, second): ([UInt8], [UInt8])
        do {
            (first, second) = (try Hex.decode(authenticator, limit: 128), try Hex.decode(storage, limit: 128))
        } catch {
            throw OrchestrationError(.invalidConfiguration, underlying: error)
        }
        try self.init(authenticator: first, storage: second)
    }
}
