import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

/// An activation between two sides that know the activation password. A test may change one side.
struct ActivationFixture {
    var code = "A2B3C4D5"
    var platformCode = "A2B3C4D5"
    var tenant = "default"
    var platformTenant = "default"
    var user = "alice"
    var platformUser = "alice"
    var offered: [Suite] = [.classic]
    var allowed: [Suite] = [.classic, .hybrid]
    var minimum = Suite.classic
    var capabilities: Set<Capability> = []
    var platformCapabilities: Set<Capability> = []
    var seed: UInt64 = 1

    private func account(_ user: String) throws -> AccountName { try AccountName(userID: user, domain: "master") }

    func initiator() throws -> ActivationInitiator {
        try ActivationInitiator(
            secret: SecretBytes(copying: code.utf8), handle: 0x1234, account: account(user), tenant: tenant,
            suites: offered, capabilities: capabilities, random: SeededRandom(seed))
    }

    func request(_ command: OrchestrationCommand) throws -> ActivationRequest {
        try ActivationRequest(decoding: command.bytes)
    }

    func respond(
        to command: OrchestrationCommand
    ) throws -> (answer: OrchestrationCommand, state: ActivationResponderState) {
        try ActivationResponder.answer(
            request(command), secret: SecretBytes(copying: platformCode.utf8), account: account(platformUser),
            tenant: platformTenant, suites: allowed, minimum: minimum, capabilities: platformCapabilities,
            random: SeededRandom(seed + 100))
    }

    static let registration = DeviceRegistration(
        deviceKey: [UInt8](P256.Signing.PrivateKey().publicKey.compressedRepresentation),
        clientRandom: [UInt8](repeating: 0xC1, count: 32), deviceName: "phone", sdkVersion: "1.0", methods: [1])

    private static let statement: SignatureList = {
        do {
            let signing = try SigningKeyPair(
                privateRepresentation: SecretBytes(copying: [UInt8](repeating: 2, count: 32)))
            return try KeyStatement.first(
                signing: signing, sealing: [PlatformPublicKey(suite: .classic, bytes: [UInt8](repeating: 4, count: 32))]
            )
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    static let provisioning = Provisioning(
        deviceID: [UInt8](repeating: 0xD1, count: 16), passwordSerialNumber: "P-1", otherSerialNumber: "O-1",
        statement: statement, pinPolicy: .init(minimumLength: 6, maximumLength: 8, digitsOnly: true, tries: 5),
        applications: [],
        platformRandom: [UInt8](repeating: 0xB1, count: 32), platformTime: Timestamp(secondsSinceEpoch: 1_700_000_000),
        pendingSeconds: 1800)
}

extension ActivationSecrets {
    var all: [[UInt8]] {
        [passwordInstance, possessionInstance, ratchet, channel].map { key in key.withSpan { [UInt8]($0) } }
    }
}

/// Returns the code of the error that a closure throws; nil for no error or another type.
func refusal<R: ~Copyable>(_ body: () throws -> R) -> SecureChannelError.Code? {
    do {
        _ = try body()
        return nil
    } catch let error as SecureChannelError {
        return error.code
    } catch {
        return nil
    }
}

/// Returns the code of the error that the initiator throws for an answer, or nil.
func refusal(of initiator: consuming ActivationInitiator, receiving answer: OrchestrationCommand)
    -> SecureChannelError.Code?
{
    do {
        _ = try initiator.receive(answer)
        return nil
    } catch {
        return error.code
    }
}
