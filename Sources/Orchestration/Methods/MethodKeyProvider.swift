public import Crypto
public import Primitives

/// A provider of the keys of biometric or face: it creates them, releases them after a check of the user, and deletes
/// them.
///
/// The keys are a signing key and a secret. Both must be unusable without the check that ``protection`` names. The
/// record of the user holds the handle and the public key only.
///
/// An orchestrator accepts one provider for each method. Every method may be called from several tasks and processes at
/// once. A flow that is canceled, or whose approval request expires, continues without waiting for a provider that does
/// not return. A later result of such a call has no effect.
public protocol MethodKeyProvider: UserAuthenticationProvider {
    /// The check that releases the keys. The device states it to the platform when the user enrolls the method.
    var protection: MethodProtection { get }

    /// Begins an enrollment, which creates a signing key.
    ///
    /// - Parameters:
    ///   - name: The name of the user's record. Keys of one name belong to one user.
    ///   - prompt: The question, with the texts of the app.
    /// - Throws: `deviceKeyUnavailable`; any other error when the provider cannot enroll.
    func beginEnrollment(for name: StoreName, _ prompt: Prompt) async throws -> MethodEnrollment

    /// Stores the secret of a method next to its signing key, durably, and under the same protection. It must not ask
    /// the user.
    ///
    /// - Parameters:
    ///   - secret: 32 bytes.
    ///   - handle: The handle of a key that an enrollment has created.
    /// - Throws: `storeUnavailable`, `deviceKeyUnavailable`.
    func store(_ secret: SymmetricKey, handle: [UInt8]) async throws

    /// Checks the user once, and releases the keys.
    ///
    /// - Throws: ``UserAuthenticationError/aborted`` when the user cancels, ``UserAuthenticationError/failed`` when the
    ///   check does not recognize the user, ``UserAuthenticationError/livenessFailed`` when it finds no living person,
    ///   ``UserAuthenticationError/unavailable`` when it cannot check now, ``UserAuthenticationError/invalidated`` when
    ///   the keys no longer exist; `CancellationError`, at once, when the task is canceled; any other error when
    ///   it cannot check.
    func open(handle: [UInt8], _ prompt: Prompt) async throws -> OpenedMethodKey

    /// Deletes one key with its secret. A key that does not exist is not an error.
    func deleteKey(handle: [UInt8]) async throws

    /// Deletes the keys of a name.
    ///
    /// - Parameters:
    ///   - name: The name of the record that the keys belong to.
    ///   - handle: The handle of the one key that stays; `nil` to delete all. Keys that do not exist are not an error.
    func deleteKeys(of name: StoreName, except handle: [UInt8]?) async throws
}

/// An enrollment that has begun. It ends with its last copy. A key that it has created and that no record names is
/// deleted later.
public struct MethodEnrollment: Sendable {
    package let next: @Sendable () async throws -> Progress

    /// Creates an enrollment.
    ///
    /// At most 64 steps are performed. A step whose number is not the next one, or is beyond its total, ends the flow
    /// with `deviceKeyUnavailable`.
    ///
    /// - Parameter next: Performs the next step. A flow calls it again after each step, but not while the app handles
    ///   the event of a step. It throws as ``MethodKeyProvider/open(handle:_:)``, except `invalidated`.
    public init(_ next: @escaping @Sendable () async throws -> Progress) { self.next = next }
}

extension MethodEnrollment {
    /// The result of one step of an enrollment.
    @nonexhaustive
    public enum Progress: Sendable {
        /// The step is done, and another one follows.
        case step(Step)
        /// The enrollment has ended with a signing key.
        case finished(MethodKey)
    }

    /// A completed step of an enrollment, such as one view of a face.
    public struct Step: Sendable, Hashable, CustomStringConvertible {
        /// The number of the step, from 1.
        public let number: Int
        /// The number of steps of the enrollment.
        public let total: Int

        /// Creates a step.
        ///
        /// - Parameters:
        ///   - number: The number of the step, from 1.
        ///   - total: The number of steps, at least `number`.
        public init(number: Int, total: Int) {
            self.number = number
            self.total = total
        }

        /// The number and the total, for example `2/5`.
        public var description: String { "\(number)/\(total)" }
    }
}

/// The signing key of a method.
public struct MethodKey: Sendable {
    package let handle: [UInt8]
    package let publicKey: [UInt8]
    package let sign: @Sendable ([UInt8]) async throws -> [UInt8]

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - handle: The bytes by which the provider finds the key again, at most 1,024. They are not secret.
    ///   - publicKey: The public key: a P-256 point, compressed (33 bytes, SEC 1 §2.3.3).
    ///   - sign: Signs a message with ECDSA over SHA-256 (ESP256, RFC 9864), and returns R and s, 32 bytes each. The key
    ///     hashes the message. The system may check the user before. It throws as
    ///     ``MethodKeyProvider/open(handle:_:)``.
    public init(handle: [UInt8], publicKey: [UInt8], sign: @escaping @Sendable ([UInt8]) async throws -> [UInt8]) {
        self.handle = handle
        self.publicKey = publicKey
        self.sign = sign
    }
}

/// The keys of a method, released by one check of the user. They are released with the last copy of the value.
public struct OpenedMethodKey: Sendable, Redacted {
    package let secret: SymmetricKey
    package let sign: @Sendable ([UInt8]) async throws -> [UInt8]

    /// Creates the keys.
    ///
    /// - Parameters:
    ///   - secret: The secret of the method, 32 bytes.
    ///   - sign: Signs a message as a ``MethodKey`` does, without another check.
    public init(secret: SymmetricKey, sign: @escaping @Sendable ([UInt8]) async throws -> [UInt8]) {
        self.secret = secret
        self.sign = sign
    }
}
