import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// A change of the password, as the platform sees it.
struct PasswordChangeTests {
    @Test func `each proven password gets an offer of its own, and the first use promotes it`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let offer = try #require(try await device.offeredChange(by: harness))
        #expect(offer.generation == 1 && offer.change.count == 32)
        #expect(offer.policy == PINPolicyForm(harness.configuration.pinPolicy))
        // A restart keeps the open offers.
        let later = try await harness.restarted()
        let second = try #require(try await device.offeredChange(by: later))
        #expect(second.generation == 2 && second.change != offer.change)
        var row = try #require(try await harness.device(device))
        #expect((row.generation, row.offeredGeneration) == (0, 2))
        let sealed = row.secrets

        device.take(offer)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        row = try #require(try await harness.device(device))
        #expect((row.generation, row.offeredGeneration) == (1, 2))
        #expect(row.secrets != sealed && row.secrets?.revision == 1)
        #expect(try await harness.events(.passwordChangeOffered).count == 2)
        #expect(try await harness.events(.passwordChanged).map(\.device) == [device.id])
        // The next change goes on from there, with a number that no offer had.
        let next = try #require(try await device.offeredChange(by: harness))
        #expect(next.generation == 3)
        device.take(next)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        #expect(try await harness.device(device)?.generation == 3)
    }

    @Test func `a repeated request gets the same offer`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let sent = try await device.seal(.passwordChange, proof: .password, to: harness)
        let answer = try await harness.platform.execute(sent.command)
        #expect(try await harness.platform.execute(sent.command) == answer)
        #expect(try await harness.device(device)?.offeredGeneration == 1)
    }

    @Test func `a copy that asks before the user changes the password has another secret afterwards`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let copy = try device.copy()
        // The person who had the store and the password for a while.
        copy.take(try #require(try await copy.offeredChange(by: harness)))
        device.take(try #require(try await device.offeredChange(by: harness)))
        #expect(copy.passwordSecret != device.passwordSecret)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        // Its codes are wrong, and its proofs are refused.
        #expect(try await harness.login(copy.code(at: harness.time.now())).reason == .wrongCredential)
        let report = try await harness.requestLogin()
        let approval = try await device.fetch(report, from: harness)
        let answer = try await copy.answer(approval, .approved, with: harness)
        #expect(try await copy.send(answer, to: harness).refusal == .generationOutdated)
        #expect(try await harness.status(of: report).status == .pending)
        let again = try await copy.send(.passwordProve, proof: .password, reread: true, to: harness)
        #expect(again.refusal == .cloneSuspected)
    }

    @Test func `three offers are open, a fourth replaces the oldest, and an event says so`() async throws {
        var configuration = PlatformConfiguration(postQuantum: .off)
        configuration.recordsEvents = true
        let harness = try await Harness(configuration)
        let device = try await harness.activate()
        var copies: [Authenticator] = []
        for number in 1...4 as ClosedRange<UInt64> {
            let offer = try #require(try await device.offeredChange(by: harness))
            #expect(offer.generation == number)
            copies.append(try device.copy(isAsking: true))
            copies.last?.take(offer)
        }
        #expect(try await harness.waitingEvents().map(\.kind).filter { $0 == .passwordOfferReplaced }.count == 1)
        // The oldest offer has ended, whatever the password. It is not counted.
        let first = try await copies[0].send(.passwordProve, proof: .password, to: harness)
        #expect(first.refusal == .generationOutdated)
        #expect(try await harness.device(device)?.passwordFailures == 0)
        // The others are open, also after a week, and the first one that is used erases the rest.
        harness.time.advance(seconds: 7 * 86_400)
        #expect(try await copies[1].send(.passwordProve, proof: .password, to: harness).refusal == nil)
        #expect(try await harness.device(device)?.generation == 2)
        for other in [copies[2], copies[3]] {
            #expect(
                try await other.send(.passwordProve, proof: .password, to: harness).refusal == .generationOutdated)
        }
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

    @Test func `a generation that was never offered is refused and not counted`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        device.generation = 1
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == .generationUnknown)
        let sync = RequestBody.synchronize(generation: 1, counters: [])
        #expect(try await device.send(sync, to: harness).refusal == .generationUnknown)
        #expect(try await harness.device(device)?.passwordFailures == 0)
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
        #expect(try await harness.device(device)?.state == .active)
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

    @Test func `a login compares the codes of all open generations`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let platform = harness.platform
        func candidates() async throws -> [CodeComparison.CandidateKey] {
            let now = harness.time.now()
            let account = try await harness.store.read { [hashes = platform.hashes] in
                try LoginAccount(Harness.account(), kind: .code, source: nil, hashes: hashes, now: now, in: $0)
            }
            return try CodeComparison(
                .app1, of: account, keys: account.keys(sealer: platform.sealer), tenant: "default",
                codes: TypedCodes(methods: [.password]), now: now
            ).candidates
        }
        func accepted(_ candidates: [CodeComparison.CandidateKey]) -> Set<UInt64?> {
            Set(candidates.map(\.generation))
        }
        let before = try await candidates()
        let offer = try #require(try await device.offeredChange(by: harness))
        _ = try await device.offeredChange(by: harness)
        let open = try await candidates()
        device.take(offer)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        let after = try await candidates()
        #expect(accepted(before) == [nil, 0] && accepted(open) == [nil, 0, 1, 2] && accepted(after) == [nil, 1])
    }
}
