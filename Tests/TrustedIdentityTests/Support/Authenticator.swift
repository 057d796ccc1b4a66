import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport

@testable import TrustedIdentity

/// The authenticator's side of the protocol, step by step, so that a test can make a mistake in each of them.
final class Authenticator {
    let account: AccountName
    let id: [UInt8]
    let key: P256.Signing.PrivateKey
    let provisioning: Provisioning
    let secrets: ActivationSecrets
    let suite: Suite
    var ratchet: SymmetricKey
    var index: UInt64 = 0
    /// The input for the next state of the ratchet, which is drawn before it is first sent.
    var input: SymmetricKey?
    /// The input of the platform that came with the latest answer.
    var platformInput: SymmetricKey?
    var receipt: [UInt8] = []
    /// K₁ of ``generation``.
    var passwordSecret: SymmetricKey
    var generation: UInt64 = 0
    /// The keys of the methods that the user has enrolled.
    var methods: [AuthenticationMethod: MethodKeys] = [:]
    /// The latest key statement that the device has verified.
    var platformKeys: KeyStatement
    /// The key statements that came with the latest answer.
    var received: [SignatureList] = []

    init(
        account: AccountName, key: P256.Signing.PrivateKey, provisioning: Provisioning, secrets: ActivationSecrets,
        suite: Suite
    ) throws {
        platformKeys = try KeyStatement.verified(first: provisioning.statement, suite: suite)
        self.account = account
        self.key = key
        self.provisioning = provisioning
        self.secrets = secrets
        self.suite = suite
        id = provisioning.deviceID
        ratchet = secrets.ratchet
        passwordSecret = secrets.passwordInstance
    }

    /// Request 1.
    static func initiator(
        _ user: String = Harness.alice, code: String, suites: [Suite] = [.classic],
        capabilities: Set<Capability> = Capability.device, random: any RandomSource
    ) throws -> ActivationInitiator {
        let code = try ActivationPassword(parsing: code)
        return try ActivationInitiator(
            secret: code.secret, handle: code.handle, account: Harness.account(user), tenant: "default",
            suites: suites, capabilities: capabilities, random: random)
    }

    /// The content of request 2.
    static func registration(_ key: P256.Signing.PrivateKey, random: any RandomSource) -> DeviceRegistration {
        DeviceRegistration(
            deviceKey: Array(key.publicKey.compressedRepresentation), clientRandom: random.bytes(32),
            deviceName: "phone", sdkVersion: "1.0", methods: [1])
    }

    /// Steps 1 and 2.
    static func exchangeKeys(
        _ user: String = Harness.alice, code: String, suites: [Suite] = [.classic],
        capabilities: Set<Capability> = Capability.device, with harness: Harness
    ) async throws -> Authenticator {
        let initiator = try initiator(
            user, code: code, suites: suites, capabilities: capabilities, random: harness.random)
        let first = try await harness.platform.execute(initiator.command)
        var session = try initiator.receive(first)
        let key = P256.Signing.PrivateKey(compactRepresentable: false)
        let registration = registration(key, random: harness.random)
        let answer = try await harness.platform.execute(session.seal(registration, random: harness.random))
        return try finish(session, user, key: key, registration: registration, answer: answer)
    }

    static func finish(
        _ session: consuming ActivationSession, _ user: String, key: P256.Signing.PrivateKey,
        registration: DeviceRegistration, answer: OrchestrationCommand
    ) throws -> Authenticator {
        let provisioning = try session.open(answer)
        let suite = session.suite
        return try Authenticator(
            account: try Harness.account(user), key: key, provisioning: provisioning,
            secrets: session.secrets(registration: registration, provisioning: provisioning), suite: suite)
    }

    /// Steps 3 and 4.
    func complete(with harness: Harness, registersNotifications: Bool = true) async throws {
        _ = try await send(.activationPassword, proof: .password, to: harness)
        let complete = RequestBody.activationComplete(
            receiptHash: receipt, registersPullChannel: registersNotifications)
        _ = try await send(complete, proof: .possession, to: harness)
    }

    /// Registers the pull channel, which finishes the account.
    func registerNotifications(with harness: Harness) async throws {
        _ = try await send(.notificationsRegister(identifier: "pull:1"), to: harness)
    }

    /// A sealed request and the opener of its answer.
    struct Sent {
        let command: OrchestrationCommand
        let opener: AnswerOpener
        let message: RequestMessage
    }

    /// Seals a request.
    ///
    /// - Parameters:
    ///   - proof: The instance to prove; `nil` for no proof.
    ///   - wrong: Whether the proof uses another secret, as a wrong password does.
    ///   - asks: Whether the request asks for the next state of the ratchet.
    ///   - brings: Whether the request brings the state of the ratchet.
    ///   - clockError: The milliseconds by which the signed time is ahead of the platform's clock.
    func seal(
        _ body: RequestBody, proof instance: Instance? = nil, wrong: Bool = false, reread: Bool = false,
        asks: Bool = true, brings: Bool = false, lifetime: Int64 = 300_000, clockError: Int64 = 0,
        requestID: [UInt8]? = nil, extensions: Extensions = .none,
        to harness: Harness
    ) async throws -> Sent {
        let now = harness.time.now()
        let message = RequestMessage(
            MessageHead(
                device: address, requestID: requestID ?? harness.random.bytes(16),
                time: now.advanced(milliseconds: clockError), ratchetIndex: index, extensions: extensions),
            reread: reread, body: body)
        let signed = try await message.signed { bytes in Array(try self.key.signature(for: bytes).rawRepresentation) }
        if asks, input == nil { input = SymmetricKey(harness.random.secret(32)) }
        let part = RatchetPart(
            of: signed.encoded, state: ratchet, input: asks ? input : nil, brings: brings, device: address)
        let proof = instance.map { instance in
            let (right, method) = (secret(of: instance), instance.method.rawValue)
            return InstanceProof(
                instance: instance, method: method, generation: generation,
                tag: InstanceKeys.proof(
                    of: signed.encoded, secret: wrong ? SymmetricKey(size: .bits256) : right, ratchet: ratchet,
                    instance: instance, method: method, generation: generation, device: address))
        }
        let (command, opener) = try ChannelClient.seal(
            SealedRequest(message: signed, ratchet: part, proof: proof).encoded,
            to: platformKeys.sealingKey(of: suite, at: now),
            as: ChannelIdentity(
                device: address, suite: suite, presharedKey: secrets.channel),
            requestID: message.requestID, expiry: now.advanced(milliseconds: lifetime), random: harness.random)
        return Sent(command: command, opener: opener, message: message)
    }

    /// Opens and verifies an answer.
    func open(_ answer: OrchestrationCommand, to sent: Sent) throws -> AnswerMessage {
        let sealed = try SealedAnswer(decoding: sent.opener.open(answer))
        received = sealed.statements
        platformInput = sealed.ratchetInput?.key
        platformKeys = try platformKeys.verified(following: sealed.statements, suite: suite)
        let verified = try AnswerMessage.verified(
            sealed.message, keys: platformKeys, type: sent.message.type,
            binding: MessageBinding(device: address, requestID: sent.message.requestID))
        if verified.message.result == .accepted(.activationPassword) { receipt = verified.receiptHash }
        return verified.message
    }

    /// Sends a request, and moves the ratchet where the answer has an input of the platform.
    @discardableResult
    func send(
        _ body: RequestBody, proof: Instance? = nil, wrong: Bool = false, reread: Bool = false, moves: Bool = true,
        asks: Bool = true, brings: Bool = false, lifetime: Int64 = 300_000, clockError: Int64 = 0,
        extensions: Extensions = .none, to harness: Harness
    ) async throws -> AnswerMessage {
        let sent = try await seal(
            body, proof: proof, wrong: wrong, reread: reread, asks: asks, brings: brings, lifetime: lifetime,
            clockError: clockError,
            extensions: extensions, to: harness)
        let answer = try open(try await harness.platform.execute(sent.command), to: sent)
        if moves { move() }
        return answer
    }

    /// Begins a change of the password.
    ///
    /// - Returns: The offer.
    func offeredChange(by harness: Harness) async throws -> PasswordChangeMessage.Answer? {
        let answer = try await send(.passwordChange, proof: .password, to: harness)
        guard case .accepted(let body) = answer.result else { return nil }
        return body.answer(to: PasswordChangeMessage.self)
    }

    /// Begins a move.
    ///
    /// - Returns: The activation password for the new device.
    func beginMove(with harness: Harness) async throws -> String? {
        let answer = try await send(.moveBegin, proof: .password, to: harness)
        guard case .accepted(let body) = answer.result else { return nil }
        return body.answer(to: MoveBeginMessage.self)?.activationPassword.withBytes {
            String(decoding: [UInt8]($0), as: UTF8.self)
        }
    }

    /// Takes an offered change, as a device that stores its new password does.
    func take(_ offer: PasswordChangeMessage.Answer) {
        passwordSecret = PasswordGenerations.applying(offer.change.key, to: passwordSecret)
        generation = offer.generation
    }

    /// Moves the ratchet, where the latest answer has an input of the platform.
    func move() {
        guard let input, let platformInput else { return }
        index += 1
        ratchet = KeyRatchet.next(ratchet, to: index, deviceInput: input, platformInput: platformInput)
        self.input = nil
        self.platformInput = nil
    }

    /// A second device with all secrets and keys of this one, as a copied store with its device key is.
    ///
    /// - Parameter isAsking: Whether the store has an input for the next state of the ratchet.
    func copy(isAsking: Bool = false) throws -> Authenticator {
        let copy = try Authenticator(
            account: account, key: key, provisioning: provisioning, secrets: secrets, suite: suite)
        copy.ratchet = ratchet
        copy.index = index
        copy.input = isAsking ? input : nil
        copy.passwordSecret = passwordSecret
        copy.generation = generation
        copy.methods = methods
        copy.platformKeys = platformKeys
        return copy
    }

    var address: DeviceAddress { DeviceAddress(tenant: "default", account: account, id: id) }

    func codeKey(application: UInt8, instance: Instance) -> SymmetricKey {
        InstanceKeys.codeKey(
            secret: secret(of: instance), ratchet: ratchet,
            application: application, instance: instance, device: address)
    }
}

extension AnswerMessage {
    /// The code of the refusal; `nil` when accepted.
    var refusal: RefusalCode? {
        if case .refused(let refusal) = result { refusal.code } else { nil }
    }

    /// The refusal; `nil` when accepted.
    var refused: Refusal? {
        if case .refused(let refusal) = result { refusal } else { nil }
    }
}
