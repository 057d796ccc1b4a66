import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The errors of other modules, as the methods of the platform throw them.
struct ErrorMappingTests {
    @Test func `stored keys that are no exchange are an internal error with the place where it was created`()
        async throws
    {
        let harness = try await Harness()
        let initiator = try await Authenticator.initiator(code: harness.register(), random: harness.random)
        var session = try initiator.receive(try await harness.platform.execute(initiator.command))
        let id = try ActivationRequest(decoding: initiator.command.bytes).sessionID
        let stored = try #require(try await harness.store.read { try $0.activationSession(id) })
        let damaged = try harness.platform.sealer.seal(
            SecretBytes(copying: [1, 2, 3]), .activationSession, row: id,
            owner: RowOwner(exchangeOf: stored.account, registrationID: stored.registrationID), revision: 0)
        try await harness.store.write { store in
            var row = try #require(try store.activationSession(id))
            row.keys = damaged
            try requireWritten(store.update(row))
        }
        let key = P256.Signing.PrivateKey(compactRepresentable: false)
        let request = try session.seal(Authenticator.registration(key, random: harness.random), random: harness.random)
        let error = try await #require(throws: PlatformError(.internal)) {
            _ = try await harness.platform.execute(request)
        }
        #expect(error.underlying is SecureChannelError)
        #expect(error.location.fileID.hasPrefix("OrchestrationProtocol/"))
    }

    @Test func `a stored answer that is no command is an internal error`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let sent = try await device.seal(.notificationsRegister(identifier: "x"), to: harness)
        let request = try ChannelRequest(decoding: sent.command)
        let replay = ReplayRecord(
            device: device.id, request: request.header.requestID, requestHash: request.hash, answer: [],
            keptUntil: harness.time.now().advanced(seconds: 60))
        try await harness.store.write { try requireWritten($0.insert(replay)) }
        let error = try await #require(throws: PlatformError(.internal)) {
            _ = try await harness.platform.execute(sent.command)
        }
        #expect(error.underlying is WireError)
    }

    @Test func `a canceled start of a platform is canceled and not a failure of the store`() async throws {
        let harness = try await Harness()
        let store = FaultInjectingDatabase(harness.store)
        store.fail(with: CancellationError())
        await #expect(throws: CancellationError.self) { _ = try await harness.platform(on: store) }
    }
}
