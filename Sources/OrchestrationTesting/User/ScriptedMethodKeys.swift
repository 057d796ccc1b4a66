public import Crypto
public import Orchestration
internal import Primitives
internal import Synchronization

/// Keys of biometric or face in memory, released by a script instead of a check of a person.
///
/// ```swift
/// let finger = ScriptedMethodKeys(.biometric)
/// finger.willAnswer(.failed)                           // the next check fails, and all later ones succeed
/// ```
///
/// It states the protection that a test specifies, which means that a platform treats the method like a real one.
public final class ScriptedMethodKeys: MethodKeyProvider {
    /// The answer to one check.
    public enum Answer: Sendable {
        /// The keys are released.
        case recognized
        /// The check throws an error.
        case refused(UserAuthenticationError)
        /// The provider throws its own error.
        case broken
        /// The provider does not return, and ignores cancellation.
        case hangs
        /// The provider first runs a closure, which may throw.
        case after(@Sendable () async throws -> Void)
    }

    /// An error of a provider.
    public struct Broken: Error, Hashable {
        /// Creates the error.
        public init() {}
    }

    /// Biometric or face.
    public let method: AuthenticationMethod

    /// The protection that the provider states.
    public let protection: MethodProtection

    /// A call of the provider that is not a check.
    public enum Call: Sendable, CaseIterable {
        /// The question whether the user can be checked.
        case availability
        /// The beginning of an enrollment.
        case beginEnrollment
        /// The signature over a registration.
        case signRegistration
        /// The store of the secret.
        case store
        /// The deletion of the keys of a user.
        case deleteKeys
        /// The signature over an answer.
        case signAnswer
    }

    private let steps: Int
    private let keys: SoftwareMethodKeys
    private let script = Mutex(Script())

    private struct Script {
        var answers: ArraySlice<Answer> = []
        var availability = Availability.available
        var prompts: [Prompt] = []
        /// The answers to the next calls that are not checks.
        var troubles: [Call: Answer] = [:]
        /// The calls so far.
        var calls: [Call] = []
        /// The continuations of checks that do not return. They are kept until the provider is released.
        var hanging: [CheckedContinuation<Void, Never>] = []
    }

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - method: Biometric or face.
    ///   - protection: The protection that the provider states.
    ///   - steps: The number of steps of an enrollment before its end.
    public init(_ method: AuthenticationMethod, protection: MethodProtection = .system, steps: Int = 0) {
        self.method = method
        self.protection = protection
        self.steps = steps
        keys = SoftwareMethodKeys(RecognizedUser(method), folder: MemoryFolder())
    }

    /// Appends answers to the script. After its end, every check succeeds.
    public func willAnswer(_ answers: Answer...) {
        script.withLock { $0.answers.append(contentsOf: answers) }
    }

    /// Sets whether the user can be checked.
    public func become(_ availability: Availability) {
        script.withLock { $0.availability = availability }
    }

    /// Sets the end of the next call of a kind.
    public func willAnswer(_ call: Call, _ answer: Answer) {
        script.withLock { $0.troubles[call] = answer }
    }

    /// The calls so far that are not checks, in order.
    public var calls: [Call] { script.withLock { $0.calls } }

    /// The prompts so far, in order.
    public var prompts: [Prompt] { script.withLock { $0.prompts } }

    /// The availability that was set last.
    public func availability() async -> Availability {
        try? await pass(.availability)
        return script.withLock { $0.availability }
    }

    /// Begins an enrollment with the steps of the initializer. Each step takes an answer of the script.
    public func beginEnrollment(for name: StoreName, _ prompt: Prompt) async throws -> MethodEnrollment {
        try await pass(.beginEnrollment)
        let enrollment = try await keys.beginEnrollment(for: name, prompt)
        let done = Atomic(0)
        return MethodEnrollment { [self] in
            try await answer(prompt)
            let number = done.add(1, ordering: .relaxed).newValue
            guard number > steps else { return .step(MethodEnrollment.Step(number: number, total: steps)) }
            guard case .finished(let key) = try await enrollment.next() else { throw Broken() }
            return .finished(
                MethodKey(handle: key.handle, publicKey: key.publicKey) { [self] bytes in
                    try await pass(.signRegistration)
                    return try await key.sign(bytes)
                })
        }
    }

    /// Stores the secret.
    public func store(_ secret: SymmetricKey, handle: [UInt8]) async throws {
        try await pass(.store)
        try await keys.store(secret, handle: handle)
    }

    /// Takes an answer of the script, and releases the keys.
    public func open(handle: [UInt8], _ prompt: Prompt) async throws -> OpenedMethodKey {
        try await answer(prompt)
        let opened = try await keys.open(handle: handle, prompt)
        return OpenedMethodKey(secret: opened.secret) { [self] bytes in
            try await pass(.signAnswer)
            return try await opened.sign(bytes)
        }
    }

    /// Deletes one key.
    public func deleteKey(handle: [UInt8]) async throws {
        try await keys.deleteKey(handle: handle)
    }

    /// Deletes the keys of a name.
    public func deleteKeys(of name: StoreName, except handle: [UInt8]?) async throws {
        try await pass(.deleteKeys)
        try await keys.deleteKeys(of: name, except: handle)
    }

    private func answer(_ prompt: Prompt) async throws {
        let answer = script.withLock { script in
            script.prompts.append(prompt)
            return script.answers.popFirst() ?? .recognized
        }
        try await perform(answer)
    }

    private func pass(_ call: Call) async throws {
        let answer = script.withLock { script in
            script.calls.append(call)
            return script.troubles.removeValue(forKey: call) ?? .recognized
        }
        try await perform(answer)
    }

    private func perform(_ answer: Answer) async throws {
        switch answer {
        case .recognized: return
        case .refused(let error): throw error
        case .broken: throw Broken()
        case .after(let act): try await act()
        case .hangs: await withCheckedContinuation { hanging in script.withLock { $0.hanging.append(hanging) } }
        }
    }

    deinit {
        // A continuation that is dropped without a resumption is reported as a leak.
        for hanging in script.withLock({ $0.hanging }) { hanging.resume() }
    }
}

/// A user that every check recognizes.
package struct RecognizedUser: UserCheckProvider {
    package let method: AuthenticationMethod

    package init(_ method: AuthenticationMethod) { self.method = method }

    package func availability() async -> Availability { .available }

    package func check(_ prompt: Prompt) async throws -> UserCheck { .recognized }
}
