import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// Decisions whose rows change between reading and writing.
struct RetryingConflictsTests {
    let register = RequestBody.notificationsRegister(identifier: "pull:1")

    /// A platform on the store of a harness, in which something happens before the next write.
    func interrupted(
        _ harness: Harness, by interruption: @escaping Interruption
    ) async throws -> Platform {
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await harness.platform(on: store)
        store.interrupt { [rows = platform.store.check] in
            try interruption($0.checked(by: rows))
        }
        return platform
    }

    @Test func `a static password that was replaced while it was hashed is compared again`() async throws {
        let harness = try await Harness()
        _ = try await harness.register(staticPassword: "old horse")
        let other = try await harness.restarted(on: harness.snapshot())
        _ = try await other.register(staticPassword: "new horse")
        let replaced = try #require(try await other.store.read { try $0.account(Harness.alice)?.staticPassword })
        func login(_ password: String, hashes: Int) async throws -> LoginDecision {
            let platform = try await interrupted(harness) { store in
                var account = try #require(try store.account(Harness.alice))
                account.staticPassword = replaced
                try requireWritten(store.update(account))
            }
            let decision = try await platform.login(
                .init(account: Harness.account(), credential: .staticPassword(password)))
            #expect(await platform.hasher.computed == hashes)
            return decision
        }
        // One hash against the verifier that was read first, and one against its replacement.
        #expect(try await login("old horse", hashes: 2).reason == .wrongCredential)
        // The second conflict changes the row and not its verifier.
        #expect(try await login("new horse", hashes: 1).status == .accepted)
    }

    @Test func `a registration repeats its write and not its hash`() async throws {
        let harness = try await Harness()
        _ = try await harness.register()
        let platform = try await interrupted(harness) { store in
            try requireWritten(store.update(try #require(try store.account(Harness.alice))))
        }
        _ = try await platform.register(.init(account: Harness.account(), staticPassword: "a horse"))
        #expect(await platform.hasher.computed == 1)
        let decision = try await platform.login(
            .init(account: Harness.account(), credential: .staticPassword("a horse")))
        #expect(decision.status == .accepted)
    }

    @Test func `a request whose device was locked meanwhile is decided again`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let platform = try await interrupted(harness) { [id = device.id] store in
            var row = try #require(try store.device(id))
            row.lock(.wrongPassword)
            try requireWritten(store.update(row))
        }
        let sent = try await device.seal(register, to: harness)
        let answer = try await platform.execute(sent.command)
        #expect(try device.open(answer, to: sent).refusal == .locked)
        #expect(try await harness.device(device)?.state == .locked)
    }

    @Test func `a request that a restore overtakes is refused as expired`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let platform = try await interrupted(harness) {
            [now = harness.time.now(), rows = harness.platform.store.check] in
            let store = $0.checked(by: rows)
            var state = try store.currentState()
            state.restoredAt = now
            state.epoch += 1
            try requireWritten(store.update(state))
        }
        let sent = try await device.seal(register, to: harness)
        let answer = try await platform.execute(sent.command)
        #expect(try device.open(answer, to: sent).refusal == .expired)
        #expect(try await harness.events(.notificationsRegistered).isEmpty)
    }

    @Test func `a request 2 whose exchange changed meanwhile is opened again`() async throws {
        let harness = try await Harness()
        let initiator = try await Authenticator.initiator(code: harness.register(), random: harness.random)
        var session = try initiator.receive(try await harness.platform.execute(initiator.command))
        let id = try ActivationRequest(decoding: initiator.command.bytes).sessionID
        let platform = try await interrupted(harness) { store in
            try requireWritten(store.update(try #require(try store.activationSession(id))))
        }
        let key = P256.Signing.PrivateKey(compactRepresentable: false)
        let request = try session.seal(Authenticator.registration(key, random: harness.random), random: harness.random)
        let answer = try await platform.execute(request)
        #expect(try session.open(answer).deviceID.count == 16)
        #expect(try await platform.execute(request) == answer)
        #expect(try await harness.store.read { try $0.devices(of: Harness.alice) }.count == 1)
    }

    @Test func `a decision that stays the same after a conflict has one answer and one effect`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let platform = try await interrupted(harness) { [id = device.id] store in
            try requireWritten(store.update(try #require(try store.device(id))))
        }
        let sent = try await device.seal(register, to: harness)
        let answer = try await platform.execute(sent.command)
        #expect(try device.open(answer, to: sent).refusal == nil)
        #expect(try await platform.execute(sent.command) == answer)
        #expect(try await harness.events(.notificationsRegistered).count == 1)
    }

    @Test func `an exchange whose activation password was replaced meanwhile spends no try of the new one`()
        async throws
    {
        let harness = try await Harness()
        let code = try await harness.register()
        let first = try #require(try await harness.store.read { try $0.activationPassword(of: Harness.alice) })
        let platform = try await interrupted(harness) { store in
            var record = first
            record.registrationID = "another"
            record.handle ^= 1
            try store.put(record)
        }
        let initiator = try Authenticator.initiator(code: code, random: harness.random)
        _ = try await platform.execute(initiator.command)
        let record = try await harness.store.read { try $0.activationPassword(of: Harness.alice) }
        #expect(record?.registrationID == "another" && record?.tries == 0)
    }
}
