import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport

@testable import Orchestration

/// The platform's side of steps 1 and 2, made of the shared modules only, for tests of the device's side.
struct ActivationExchange {
    static let account: AccountName = {
        do { return try AccountName(text: "alice@master", defaultDomain: "master") } catch { fatalError("\(error)") }
    }()

    /// The platform's clock in answer 2.
    static let platformTime = Timestamp(secondsSinceEpoch: 1_800_000_000)

    let activationPassword: String
    let random: any RandomSource

    /// - Parameter activationPassword: The activation password that the platform knows.
    init(activationPassword: String, random: any RandomSource) {
        self.activationPassword = activationPassword
        self.random = random
    }

    /// Returns a new activation password of the right form.
    static func activationPassword(_ random: any RandomSource) -> String {
        ActivationPassword.make(random: random).formatted().withBytes { span in
            String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        }
    }

    /// Returns step 1 of a device with the activation password.
    func offer(suites: [Suite] = [.classic]) throws -> KeyOffer {
        try KeyOffer(
            ActivationPassword(parsing: activationPassword), of: Self.account, tenant: "default", suites: suites,
            random: random)
    }

    /// Runs step 1.
    ///
    /// - Returns: Step 2 of the device, its command, and the state of the platform.
    func stepTwo() throws -> (exchange: KeyExchange, command: OrchestrationCommand, state: ActivationResponderState) {
        let offer = try offer()
        let (answer, state) = try answer(offer.command)
        guard let exchange = try offer.exchange(in: answer) else { throw OrchestrationError(.internal) }
        return (exchange, try register(exchange), state)
    }

    /// Returns the command of step 2.
    func register(_ exchange: KeyExchange) throws -> OrchestrationCommand {
        try exchange.registration(of: Self.devicePublicKey(), deviceName: "test", random: random)
    }

    /// Answers request 1.
    func answer(
        _ command: OrchestrationCommand
    ) throws -> (answer: OrchestrationCommand, state: ActivationResponderState) {
        let request = try ActivationRequest(decoding: command.bytes)
        let activationPassword = try ActivationPassword(parsing: activationPassword)
        return try ActivationResponder.answer(
            request, secret: activationPassword.secret, account: Self.account, tenant: "default",
            suites: [.classic, .hybrid], minimum: .classic, capabilities: [], random: random)
    }

    /// Answers request 2.
    func provision(
        _ command: OrchestrationCommand, _ state: ActivationResponderState,
        minimumLength: Int = 6, sealingSuite: Suite? = nil, sealingKeyID: [UInt8]? = nil,
        statement: ((SigningKeyPair, PlatformPublicKey) throws -> SignatureList)? = nil
    ) throws -> (answer: OrchestrationCommand, secrets: ActivationSecrets) {
        let registration = try state.open(ActivationKeyRequest(decoding: command.bytes))
        let suite = sealingSuite ?? state.suite
        let sealingKey = PlatformPublicKey(suite: suite, bytes: random.bytes(suite == .classic ? 32 : 1216))
        let signing = try SigningKeyPair(privateRepresentation: random.secret(32))
        let provisioning = Provisioning(
            deviceID: random.bytes(16), passwordSerialNumber: "P1", otherSerialNumber: "N1",
            statement: try statement?(signing, sealingKey)
                ?? KeyStatement.first(
                    signing: signing,
                    sealing: [
                        PlatformPublicKey(kid: sealingKeyID ?? sealingKey.kid, suite: suite, bytes: sealingKey.bytes)
                    ]),
            pinPolicy: .init(minimumLength: minimumLength, maximumLength: 12, digitsOnly: true, tries: 5),
            applications: [.init(index: 1, kind: .totp, digits: 8, timeStep: 30, hostCode: true)],
            platformRandom: random.bytes(32), platformTime: Self.platformTime,
            pendingSeconds: 1_800)
        return (
            try state.seal(provisioning, random: random),
            state.secrets(registration: registration, provisioning: provisioning)
        )
    }

    /// A public key as a device makes it.
    static func devicePublicKey() -> [UInt8] {
        Array(P256.Signing.PrivateKey().publicKey.compressedRepresentation)
    }
}

extension SecretBox where Secret == Password {
    convenience init(_ text: String) { self.init(Password(SecretBytes(copying: text.utf8))) }
}
