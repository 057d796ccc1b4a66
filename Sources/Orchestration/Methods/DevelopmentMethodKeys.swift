public import Crypto
internal import OrchestrationProtocol
internal import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Keys of biometric or face in plain files, for development and tests. **No person is checked.**
///
/// A computer without a biometric sensor shows the flows of an enrolled method with this provider. Its keys are as safe
/// as the files are: a process with the rights of the user can read them. It states the protection
/// `MethodProtection.development`, and the platform takes its method for possession unless its policy names development
/// providers.
///
/// The keys of one user are a file of mode 0600 for each enrollment: the P-256 key and the secret. Do not ship this
/// provider in an app.
public struct DevelopmentMethodKeys: MethodKeyProvider {
    /// Biometric or face.
    public let method: AuthenticationMethod

    private let folder: any StorageFolder
    private let random: any RandomSource
    private let ask: @Sendable (Prompt) async throws -> Void

    /// Creates a provider that keeps its keys in a folder.
    ///
    /// - Parameters:
    ///   - method: Biometric or face.
    ///   - directory: The folder, which is created where it does not exist. It must belong to the user that runs the
    ///     process and be no symbolic link.
    ///   - random: The source of the keys.
    ///   - ask: Stands in for the check of a person: it returns to release the keys, and throws a
    ///     ``UserAuthenticationError`` otherwise. By default it returns.
    /// - Throws: `invalidConfiguration` for a URL that is no file URL; `storeUnavailable`.
    public init(
        _ method: AuthenticationMethod, directory: URL, random: any RandomSource = SystemRandomSource(),
        ask: @escaping @Sendable (Prompt) async throws -> Void = { _ in }
    ) throws(OrchestrationError) {
        guard directory.isFileURL else { throw OrchestrationError(.invalidConfiguration) }
        self.init(method, folder: try DiskFolder(path: directory.path), random: random, ask: ask)
    }

    /// Creates a provider that keeps its keys in memory. They end with the last copy of this value.
    public init(
        inMemory method: AuthenticationMethod, random: any RandomSource = SystemRandomSource(),
        ask: @escaping @Sendable (Prompt) async throws -> Void = { _ in }
    ) {
        self.init(method, folder: MemoryFolder(), random: random, ask: ask)
    }

    package init(
        _ method: AuthenticationMethod, folder: any StorageFolder, random: any RandomSource,
        ask: @escaping @Sendable (Prompt) async throws -> Void
    ) {
        self.method = method
        self.folder = folder
        self.random = random
        self.ask = ask
    }

    /// `.development`.
    public var protection: MethodProtection { .development }

    /// Always available.
    public func availability() async -> Availability { .available }

    /// Begins an enrollment of one step.
    public func beginEnrollment(for name: StoreName, _ prompt: Prompt) async throws -> any MethodEnrollment {
        DevelopmentEnrollment(keys: self, name: name, prompt: prompt)
    }

    /// Stores the secret in the file of the key.
    public func store(_ secret: SymmetricKey, handle: [UInt8]) async throws {
        var file = try read(handle)
        file.secret = secret.withSpan { [UInt8]($0) }
        try write(file, handle)
    }

    /// Calls `ask` and reads the file. Without it, the keys are `invalidated`.
    public func open(handle: [UInt8], _ prompt: Prompt) async throws -> any OpenedMethodKey {
        let file = try read(handle)
        guard let secret = file.secret, let key = try? P256.Signing.PrivateKey(rawRepresentation: file.key) else {
            throw UserAuthenticationError.invalidated
        }
        try await ask(prompt)
        return OpenedDevelopmentKey(key: key, secret: SymmetricKey(data: secret))
    }

    /// Removes the file of the key.
    public func deleteKey(handle: [UInt8]) async throws {
        let file = String(decoding: handle, as: UTF8.self)
        guard file.hasPrefix("development-\(method)-"), !file.contains("/") else { return }
        try folder.remove(file)
        try folder.synchronize()
    }

    /// Removes the files of the name.
    public func deleteKeys(of name: StoreName, except handle: [UInt8]?) async throws {
        let kept = handle.map { String(decoding: $0, as: UTF8.self) }
        for file in try folder.files() where file.hasPrefix(prefix(of: name)) && file != kept {
            try folder.remove(file)
        }
        try folder.synchronize()
    }

    /// Creates a key and its file, which is durable when this method returns.
    fileprivate func makeKey(for name: StoreName, _ prompt: Prompt) async throws -> any MethodKey {
        try await ask(prompt)
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: random.bytes(32)) else {
            throw OrchestrationError(.deviceKeyUnavailable)
        }
        let handle = Array("\(prefix(of: name))\(Hex.encode(random.bytes(8)))".utf8)
        try write(Content(key: [UInt8](key.rawRepresentation), secret: nil), handle)
        return DevelopmentMethodKey(handle: handle, key: key)
    }

    private func prefix(of name: StoreName) -> String { "development-\(method)-\(name.text)-" }

    /// The content of a file.
    private struct Content {
        var key: [UInt8]
        var secret: [UInt8]?
    }

    private func read(_ handle: [UInt8]) throws -> Content {
        let file = String(decoding: handle, as: UTF8.self)
        guard file.hasPrefix("development-"), !file.contains("/") else { throw UserAuthenticationError.invalidated }
        guard let bytes = try folder.read(file, limit: 128) else { throw UserAuthenticationError.invalidated }
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

    private func write(_ content: Content, _ handle: [UInt8]) throws {
        let file = String(decoding: handle, as: UTF8.self)
        var writer = CBORWriter(capacity: 128)
        writer.array(2)
        writer.bytes(content.key)
        if let secret = content.secret { writer.bytes(secret) } else { writer.null() }
        let temporary = file + ".new"
        try folder.remove(temporary)
        try folder.create(temporary, writer.finish())
        try folder.synchronize(temporary)
        try folder.rename(temporary, to: file)
        try folder.synchronize()
    }
}

private struct DevelopmentEnrollment: MethodEnrollment {
    let keys: DevelopmentMethodKeys
    let name: StoreName
    let prompt: Prompt

    func next() async throws -> EnrollmentProgress { .finished(try await keys.makeKey(for: name, prompt)) }
}

private struct DevelopmentMethodKey: MethodKey {
    let handle: [UInt8]
    let key: P256.Signing.PrivateKey

    var publicKey: [UInt8] { [UInt8](key.publicKey.compressedRepresentation) }

    func sign(_ bytes: [UInt8]) async throws -> [UInt8] { try key.signed(bytes) }
}

private struct OpenedDevelopmentKey: OpenedMethodKey {
    let key: P256.Signing.PrivateKey
    let secret: SymmetricKey

    func sign(_ bytes: [UInt8]) async throws -> [UInt8] { try key.signed(bytes) }
}

extension P256.Signing.PrivateKey {
    fileprivate func signed(_ bytes: [UInt8]) throws(OrchestrationError) -> [UInt8] {
        do { return [UInt8](try signature(for: bytes).rawRepresentation) } catch {
            throw OrchestrationError(.deviceKeyUnavailable, underlying: error)
        }
    }
}
