import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import Orchestration

/// Activations with a key statement that the device must not store.
@Suite struct ActivationStatementTests {
    /// Makes the statement of answer 2 for the signing key and the sealing key of a platform.
    private typealias Making = @Sendable (SigningKeyPair, PlatformPublicKey) throws -> SignatureList

    private static let now = ActivationExchange.platformTime.millisecondsSinceEpoch
    private static let day: Int64 = 86_400_000

    /// Runs an activation with a platform that knows steps 1 and 2 only.
    ///
    /// - Returns: The code of its error, the record that it has stored, and the number of commands that were sent.
    private func activate(
        _ making: @escaping Making
    ) async throws -> (code: OrchestrationError.Code, record: UserRecord?, sent: Int) {
        let stage = try await Stage()
        let random = SeededRandomSource(seed: 7)
        let exchange = ActivationExchange(
            activationPassword: ActivationExchange.activationPassword(random), random: random)
        let wire = Wiretap(TwoSteps(exchange, making))
        let orchestrator = try stage.orchestrator(transport: wire)
        let error = try await #require(throws: OrchestrationError.self) {
            try await orchestrator.activate("alice", with: exchange.activationPassword).result()
        }
        return (
            error.code, try await orchestrator.environment.vault.record(ActivationExchange.account), wire.sent.count
        )
    }

    @Test func `a bad key statement ends the activation before anything is stored`() async throws {
        let other = try SigningKeyPair(privateRepresentation: SecretBytes(copying: [UInt8](repeating: 9, count: 32)))
        let rows: [(String, Making)] = [
            (
                "signed by a key that is not listed",
                { try KeyStatement.first([.init($0), .init($1)]).signed(with: [other]) }
            ),
            (
                "a signature of another key under the id of the listed one",
                { signing, sealing in
                    let payload = KeyStatement.first([.init(signing), .init(sealing)]).encoded
                    let header = COSEHeader(algorithm: .ed25519, keyID: signing.kid)
                    let forged = try Sign1.signing(payload, header: header, externalAAD: KeyStatement.externalAAD) {
                        (_: [UInt8]) in [UInt8](repeating: 7, count: 64)
                    }
                    return try SignatureList([forged])
                }
            ),
            (
                "a sealing key under the id of another",
                { signing, sealing in
                    var key = StatedKey(sealing)
                    key.kid[0] ^= 1
                    return try KeyStatement.first([.init(signing), key]).signed(with: [signing])
                }
            ),
            ("no sealing key", { signing, _ in try KeyStatement.first([.init(signing)]).signed(with: [signing]) }),
            (
                "no sealing key of the suite",
                { signing, _ in
                    let hybrid = PlatformPublicKey(suite: .hybrid, bytes: [UInt8](repeating: 3, count: 1_216))
                    return try KeyStatement.first(signing: signing, sealing: [hybrid])
                }
            ),
            (
                "signed before the beginning of the key",
                { try KeyStatement.first([.init($0, from: 1), .init($1)]).signed(with: [$0]) }
            ),
            ("an old statement, whose sealing key has ended", Self.ending(Self.now - Self.day - 1)),
            ("a sealing key that is not in use yet", Self.beginning(Self.now + Self.day + 1)),
        ]
        for (name, making) in rows {
            let (code, record, sent) = try await activate(making)
            #expect(code == .invalidAnswer && sent == 2, "\(name)")
            #expect(record == nil, "\(name)")
        }
    }

    @Test func `a sealing key that ended or begins within 24 hours is stored, and the activation goes on`() async throws
    {
        for making in [Self.ending(Self.now - Self.day), Self.beginning(Self.now + Self.day)] {
            let (code, record, sent) = try await activate(making)
            // The platform of this test answers no more.
            #expect(code == .transport && sent > 2)
            #expect(record?.state == .pending && record?.platformKeys.sequence == 1)
        }
    }

    private static func ending(_ end: Int64) -> Making {
        { try KeyStatement.first([.init($0), .init($1, until: end)]).signed(with: [$0]) }
    }

    private static func beginning(_ start: Int64) -> Making {
        { try KeyStatement.first([.init($0), .init($1, from: start)]).signed(with: [$0]) }
    }

    /// A platform that answers steps 1 and 2, and nothing else.
    private final class TwoSteps: Transport {
        private let exchange: ActivationExchange
        private let making: Making
        private let state = Mutex(ActivationResponderState?.none)

        init(_ exchange: ActivationExchange, _ making: @escaping Making) {
            self.exchange = exchange
            self.making = making
        }

        func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
            switch try Envelope(decoding: command) {
            case .activationRequest:
                let (answer, state) = try exchange.answer(command)
                self.state.withLock { $0 = state }
                return answer
            case .activationKeyRequest:
                guard let state = state.withLock({ $0 }) else { throw OrchestrationError(.internal) }
                return try exchange.provision(command, state, statement: making).answer
            default: throw OrchestrationError(.transport)
            }
        }
    }
}
