package import Crypto
internal import OrchestrationProtocol
internal import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Keys of biometric or face in files, which a ``UserCheckProvider`` releases.
///
/// The keys of a user are a file of mode 0600 for each enrollment: the P-256 key and the secret.
package struct SoftwareMethodKeys: MethodKeyProvider {
    private let provider: any UserCheckProvider
    private let folder: any StorageFolder
    private let random: any RandomSource

    package init(
        _ provider: any UserCheckProvider, folder: any StorageFolder, random: any RandomSource = SystemRandomSource()
    ) {
        self.provider = provider
        self.folder = folder
        self.random = random
    }

    package var method: AuthenticationMethod { provider.method }

    package var protection: MethodProtection { .software }

    package func availability() async -> Availability { await provider.availability() }

    /// Begins an enrollment of one step, which checks the user.
    package func beginEnrollment(for name: StoreName, _ prompt: Prompt) async throws -> MethodEnrollment {
        MethodEnrollment { .finished(try await makeKey(for: name, prompt)) }
    }

    /// Stores the secret in the file of the key.
    package func store(_ secret: SymmetricKey, handle: [UInt8]) async throws {
        guard let file = file(of: handle) else { throw UserAuthenticationError.invalidated }
        var content = try read(file)
        content.secret = secret.withSpan { [UInt8]($0) }
        try write(content, to: file)
    }

    /// Reads the file and checks the user. Without the file, the keys are `invalidated`.
    package func open(handle: [UInt8], _ prompt: Prompt) async throws -> OpenedMethodKey {
        let content = try read(file(of: handle))
        guard let secret = content.secret, let key = try? P256.Signing.PrivateKey(rawRepresentation: content.key) else {
            throw UserAuthenticationError.invalidated
        }
        try await provider.requireRecognized(prompt)
        return OpenedMethodKey(secret: SymmetricKey(data: secret)) { try key.signed($0) }
    }

    /// Removes the file of the key.
    package func deleteKey(handle: [UInt8]) async throws {
        guard let file = file(of: handle) else { return }
        try folder.remove(file)
        try folder.synchronize()
    }

    /// Removes the files of the name.
    package func deleteKeys(of name: StoreName, except handle: [UInt8]?) async throws {
        let kept = handle.map { String(decoding: $0, as: UTF8.self) }
        for file in try folder.files() where file.hasPrefix(prefix(of: name)) && file != kept {
            // A crash leaves a temporary file. Files of other kinds in the folder do not belong to this provider.
            guard file.hasSuffix(Self.suffix) || file.hasSuffix(Self.suffix + Self.temporarySuffix) else { continue }
            try folder.remove(file)
        }
        try folder.synchronize()
    }

    /// Creates a key and its file, which is durable when this method returns.
    private func makeKey(for name: StoreName, _ prompt: Prompt) async throws -> MethodKey {
        try await provider.requireRecognized(prompt)
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: random.bytes(32)) else {
            throw OrchestrationError(.deviceKeyUnavailable)
        }
        let file = "\(prefix(of: name))\(Hex.encode(random.bytes(8)))\(Self.suffix)"
        try write(Content(key: [UInt8](key.rawRepresentation), secret: nil), to: file)
        return MethodKey(
            handle: Array(file.utf8), publicKey: [UInt8](key.publicKey.compressedRepresentation)
        ) { try key.signed($0) }
    }

    // The dot before the end of a temporary file distinguishes it from the files of records in the same folder.
    private static let suffix = ".method"
    private static let temporarySuffix = ".new"

    private func prefix(of name: StoreName) -> String { "\(method)-\(name.text)-" }

    /// Returns the file of a handle; `nil` for a handle that this provider has not created.
    private func file(of handle: [UInt8]) -> String? {
        let file = String(decoding: handle, as: UTF8.self)
        return file.hasPrefix("\(method)-") && file.hasSuffix(Self.suffix) && !file.contains("/") ? file : nil
    }

    /// The content of a file.
    private struct Content {
        var key: [UInt8]
        var secret: [UInt8]?
    }

    private func read(_ file: String?) throws -> Content {
        guard let file, let bytes = try folder.read(file, limit: 128) else {
            throw UserAuthenticationError.invalidated
        }
        do throws(WireError) {
            var reader = CBORReader(bytes)
            try reader.readArray(count: 2)
            let key = try reader.readBytes(count: 32)
            let secret = try reader.readIfNull() ? nil : reader.readBytes(count: 32)
            try reader.finish()
            return Content(key: key, secret: secret)
        } catch {
            throw OrchestrationError(.storeCorrupt, underlying: error)
        }
    }

    private func write(_ content: Content, to file: String) throws {
        var writer = CBORWriter(capacity: 128)
        writer.array(2)
        writer.bytes(content.key)
        if let secret = content.secret { writer.bytes(secret) } else { writer.null() }
        let temporary = file + Self.temporarySuffix
        try folder.remove(temporary)
        try folder.create(temporary, writer.finish())
        try folder.synchronize(temporary)
        try folder.rename(temporary, to: file)
        try folder.synchronize()
    }
}

extension UserCheckProvider {
    /// Returns a provider that keeps the keys of the method in files of a folder, for a store that cannot keep them.
    ///
    /// The system does not bind the keys to the check: a process with the rights of the user can read them.
    ///
    /// - Parameter directory: The folder, which is created where it does not exist. It must belong to the user that
    ///   runs the process and must not be a symbolic link. On Apple platforms it is excluded from backups.
    /// - Throws: `invalidConfiguration` for a URL that is not a file URL; `storeUnavailable`.
    public func keepingKeys(in directory: URL) throws(OrchestrationError) -> any MethodKeyProvider {
        guard directory.isFileURL else { throw OrchestrationError(.invalidConfiguration) }
        let folder = try DiskFolder(path: directory.path)
        try BackupExclusion.apply(toFolder: directory.path)
        return SoftwareMethodKeys(self, folder: folder)
    }
}

extension P256.Signing.PrivateKey {
    fileprivate func signed(_ bytes: [UInt8]) throws(OrchestrationError) -> [UInt8] {
        do { return [UInt8](try signature(for: bytes).rawRepresentation) } catch {
            throw OrchestrationError(.deviceKeyUnavailable, underlying: error)
        }
    }
}
