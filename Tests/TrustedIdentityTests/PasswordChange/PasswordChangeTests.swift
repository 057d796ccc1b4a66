import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// A change of the password, as the platform sees it.
struct PasswordChangeTests {
    @Test func `a proven password gets an offer, which is the same each time, and the first use promotes it`()
        async throws
    {
        let harness = try await Harness()
        let device = try await harness.activate()
        let offer = try #require(try await device.offeredChange(by: harness))
        #expect(offer.generation == 1 && offer.change.count == 32)
        #expect(offer.policy == PINPolicyForm(harness.configuration.pinPolicy))
        #expect(try await device.offeredChange(by: harness) == offer)
        // A restart changes nothing, because the change key is the same.
        let later = try await harness.restarted()
        #expect(try await device.offeredChange(by: later) == offer)
        var row = try #require(try await harness.device(device))
        #expect((row.generation, row.offeredGeneration) == (0, 1))
        let sealed = row.secrets

        device.take(offer)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        row = try #require(try await harness.device(device))
        #expect((row.generation, row.offeredGeneration) == (1, 1))
        #expect(row.secrets != sealed && row.secrets?.revision == 1)
        #expect(try await harness.events(.passwordChangeOffered).count == 3)
        #expect(try await harness.events(.passwordChanged).map(\.device) == [device.id])
        // The next change goes on from there.
        let next = try #require(try await device.offeredChange(by: harness))
        #expect(next.generation == 2 && next.change != offer.change)
    }

    @Test func `both passwords are valid until the first use of the new one`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let offer = try #require(try await device.offeredChange(by: harness))
        func login() async throws -> LoginDecision {
            harness.time.advance(milliseconds: 30_000)
            return try await harness.login(device.code(at: harness.time.now()))
        }
        #expect(try await login().status == .accepted)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        let (present, generation) = (device.passwordSecret, device.generation)
        device.take(offer)
        #expect(try await login().status == .accepted)
        #expect(try await harness.device(device)?.generation == 1)
        #expect(try await harness.events(.passwordChanged).count == 1)
        // The earlier password is gone.
        let changed = (device.passwordSecret, device.generation)
        (device.passwordSecret, device.generation) = (present, generation)
        #expect(try await login().reason == .wrongCredential)
        (device.passwordSecret, device.generation) = changed
        #expect(try await login().status == .accepted)
    }

    @Test(arguments: CryptoApplicationIndex.allCases.prefix(4))
    func `a code of each application is found under the new password, and promotes it`(
        _ application: CryptoApplicationIndex
    ) async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        device.take(try #require(try await device.offeredChange(by: harness)))
        let decision: LoginDecision
        switch application {
        case .app1: decision = try await harness.login(device.code(at: harness.time.now()))
        case .app2: decision = try await harness.login(device.code(counter: 0), application: .app2)
        case .app3:
            let challenge = try await harness.platform.generateChallenge(for: Harness.account())
            let code = try device.code(challenge: challenge.digits)
            decision = try await harness.platform.login(
                LoginRequest(
                    account: Harness.account(),
                    credential: .challengeResponse(code, requestID: challenge.requestID)))
        default:
            let fields = [DataField(label: "Amount", value: "10")]
            decision = try await harness.platform.validate(
                LocalTransaction(
                    account: Harness.account(), fields: fields, signature: device.signature(fields, counter: 0)))
        }
        #expect(decision.status == .accepted, "\(decision)")
        #expect(try await harness.device(device)?.generation == 1)
    }

    @Test func `a wrong password gets no offer and is counted, and the fifth locks the device`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        for remaining in [4, 3, 2, 1, 0] as [UInt64] {
            let answer = try await device.send(.passwordChange, proof: .password, wrong: true, to: harness)
            #expect(answer.refused == Refusal(.wrongPassword, remainingTries: remaining))
        }
        let row = try #require(try await harness.device(device))
        #expect(row.state == .locked && row.lockReason == .wrongPassword)
        #expect((row.generation, row.offeredGeneration) == (0, 0))
        #expect(try await device.send(.passwordChange, proof: .password, to: harness).refusal == .locked)
    }

    @Test func `a right password ends the count of wrong ones, for the offer and for the proof`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        for body in [RequestBody.passwordChange, .passwordProve] {
            let wrong = try await device.send(body, proof: .password, wrong: true, to: harness)
            #expect(wrong.refused?.remainingTries == 4)
            #expect(try await device.send(body, proof: .password, to: harness).refusal == nil)
            #expect(try await harness.device(device)?.passwordFailures == 0)
        }
    }

    @Test func `a change without a proof of the password is malformed and not counted`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        for body in [RequestBody.passwordChange, .passwordProve] {
            #expect(try await device.send(body, to: harness).refusal == .malformed)
            #expect(try await device.send(body, proof: .possession, to: harness).refusal == .malformed)
        }
        let row = try #require(try await harness.device(device))
        #expect(row.passwordFailures == 0 && row.offeredGeneration == 0)
    }

    @Test func `a pending device changes no password`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: try await harness.register(), with: harness)
        #expect(try await device.send(.passwordChange, proof: .password, to: harness).refusal == .notPermitted)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == .notPermitted)
    }

    @Test func `a generation that was never offered is refused, and a guess of its secret is counted`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        device.generation = 9
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == .generationUnknown)
        let sync = RequestBody.synchronize(generation: 1, counters: [])
        #expect(try await device.send(sync, to: harness).refusal == .generationUnknown)
        #expect(try await harness.device(device)?.passwordFailures == 0)
        // Up to eight generations ahead, the platform derives the secret: it may have been offered before a restore.
        device.generation = 8
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == .wrongPassword)
        #expect(try await harness.device(device)?.passwordFailures == 1)
    }

    @Test func `a copy with the earlier password is detected by its generation, and not counted`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let present = device.passwordSecret
        device.take(try #require(try await device.offeredChange(by: harness)))
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        (device.passwordSecret, device.generation) = (present, 0)
        let first = try await device.send(.passwordProve, proof: .password, to: harness)
        #expect(first.refusal == .generationOutdated)
        #expect(try await harness.device(device)?.state == .pendingNotification)
        let second = try await device.send(.passwordProve, proof: .password, reread: true, to: harness)
        #expect(second.refusal == .cloneSuspected)
        let row = try #require(try await harness.device(device))
        #expect(row.lockReason == .cloneSuspected && row.passwordFailures == 0)
    }

    @Test func `a proof of possession names the generation and promotes none`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        device.take(try #require(try await device.offeredChange(by: harness)))
        let complete = RequestBody.activationComplete(receiptHash: device.receipt)
        #expect(try await device.send(complete, proof: .possession, to: harness).refusal == nil)
        #expect(try await harness.device(device)?.generation == 0)
        let code = try device.code(instance: .possession, at: harness.time.now())
        #expect(try await harness.login(code).reason == .methodNotAllowed)
        #expect(try await harness.device(device)?.generation == 0)
    }

    @Test func `a wrong password at the offered generation is counted and promotes nothing`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        device.take(try #require(try await device.offeredChange(by: harness)))
        let wrong = try await device.send(.passwordProve, proof: .password, wrong: true, to: harness)
        #expect(wrong.refused == Refusal(.wrongPassword, remainingTries: 4))
        #expect(try await harness.device(device)?.generation == 0)
    }

    @Test func `a login compares the codes of both generations while a change is open`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let platform = harness.platform
        func candidates() async throws -> [CodeComparison.CandidateKey] {
            let now = harness.time.now()
            let account = try await harness.store.read { [hashes = platform.hashes] in
                try LoginAccount(Harness.account(), kind: .code, source: nil, hashes: hashes, now: now, in: $0)
            }
            return try CodeComparison(
                .app1, of: account, keys: account.keys(sealer: platform.sealer),
                changeKey: platform.changeKey, tenant: "default", codes: TypedCodes(methods: [.password]), now: now
            ).candidates
        }
        func accepted(_ candidates: [CodeComparison.CandidateKey]) -> Set<UInt64?> {
            Set(candidates.map(\.generation))
        }
        let before = try await candidates()
        let offer = try #require(try await device.offeredChange(by: harness))
        let open = try await candidates()
        device.take(offer)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        let after = try await candidates()
        #expect(accepted(before) == [nil, 0] && accepted(open) == [nil, 0, 1] && accepted(after) == [nil, 1])
    }

    @Test func `an offer belongs to its device, its generation, its secret and its change key`() async throws {
        let harness = try await Harness()
        let (first, second) = (try await harness.activate(), try await harness.activate("bob@master"))
        let (key, other) = (harness.platform.changeKey, ChangeKey(key: SymmetricKey(size: .bits256)))
        func change(
            _ key: ChangeKey, to generation: UInt64 = 1, _ secret: SymmetricKey? = nil, of device: Authenticator
        ) -> SymmetricKey {
            key.change(to: generation, from: secret ?? first.passwordSecret, device: device.address)
        }
        let changes = [
            change(key, of: first), change(key, of: second), change(key, to: 2, of: first),
            change(key, second.passwordSecret, of: first), change(other, of: first),
        ]
        #expect(Set(changes.map { $0.withSpan { [UInt8]($0) } }).count == changes.count)
    }
}
