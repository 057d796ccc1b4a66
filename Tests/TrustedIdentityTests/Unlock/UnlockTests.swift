import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// An unlock, as the platform sees it.
struct UnlockTests {
    /// A platform with a device that is locked after wrong passwords.
    private static func locked() async throws -> (harness: Harness, device: Authenticator) {
        var configuration = PlatformConfiguration(postQuantum: .off, requestsPerDevice: 6_000)
        configuration.recordsEvents = true
        let harness = try await Harness(configuration)
        let device = try await harness.activate()
        try await device.lock(at: harness)
        #expect(try await harness.device(device)?.state == .locked)
        return (harness, device)
    }

    @Test func `a locked device gets a fresh secret for its code, and the proof of it ends the lock`() async throws {
        let (harness, device) = try await Self.locked()
        let earlier = try device.copy()
        let code = try await harness.unlockCode()
        let answer = try await device.send(device.unlock(code), to: harness)
        #expect(answer.failedPasswords == 5)
        let offer = try #require(try await device.offeredUnlock(code, by: harness))
        #expect(offer.generation == 1 && offer.secret.count == 32)
        #expect(offer.policy == PINPolicyForm(harness.configuration.pinPolicy))
        var row = try #require(try await harness.device(device))
        #expect(row.state == .locked && row.passwordFailures == 0 && row.failuresEndAt == nil)

        device.take(offer)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        row = try #require(try await harness.device(device))
        #expect(row.state == .active && row.lockReason == nil && row.stateBeforeLock == nil && row.generation == 1)
        harness.time.advance(milliseconds: 30_000)
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
        // The earlier password is of no use.
        #expect(try await earlier.send(.passwordProve, proof: .password, to: harness).refusal == .generationOutdated)
        #expect(try await harness.events(.unlockIssued).map(\.device) == [device.id])
        #expect(try await harness.events(.unlockUsed).count == 1)
        #expect(try await harness.events(.deviceUnlocked).map(\.device) == [device.id])
        let kinds = try await harness.waitingEvents().map(\.kind)
        for kind in [PlatformEvent.Kind.deviceLocked, .unlockIssued, .unlockUsed, .deviceUnlocked] {
            #expect(kinds.filter { $0 == kind }.count == 1, "\(kind.rawValue)")
        }
        // The code is used.
        #expect(try await device.send(device.unlock(code), to: harness).refused == Refusal(.unlockCodeRefused))
    }

    @Test func `the same code gets the same offer until the offer is proven, also after a restart`() async throws {
        let (harness, device) = try await Self.locked()
        let code = try await harness.unlockCode()
        let offer = try #require(try await device.offeredUnlock(code, by: harness))
        let later = try await harness.restarted()
        #expect(try await device.offeredUnlock(code, by: later) == offer)
        #expect(try await harness.events(.unlockUsed).count == 1)
        #expect(try await harness.device(device)?.offeredGeneration == offer.generation)
    }

    @Test func `a wrong code spends a try, and five end the code`() async throws {
        let (harness, device) = try await Self.locked()
        let code = try await harness.unlockCode()
        let right = try ActivationPassword(parsing: code)
        let wrong = RequestBody.unlock(
            handle: right.handle, secret: MessageSecret(SecretBytes(copying: "ZZZZZZZZ".utf8)), generation: 0)
        for tries in [4, 3, 2, 1, 0] as [UInt64] {
            #expect(
                try await device.send(wrong, to: harness).refused
                    == Refusal(.unlockCodeRefused, remainingTries: tries))
        }
        #expect(try await device.send(device.unlock(code), to: harness).refused == Refusal(.unlockCodeRefused))
        #expect(try await harness.events(.unlockRefused).count == 5)
        #expect(try await harness.device(device)?.state == .locked)
    }

    @Test func `a code of another device, of another handle, expired or replaced spends no try`() async throws {
        let (harness, device) = try await Self.locked()
        let other = try await harness.activate("bob@master")
        let ofBob = try await harness.unlockCode("bob@master")
        let first = try await harness.unlockCode()
        let second = try await harness.unlockCode()
        for code in [ofBob, first] {
            #expect(try await device.send(device.unlock(code), to: harness).refused == Refusal(.unlockCodeRefused))
        }
        #expect(try await other.send(other.unlock(second), to: harness).refused == Refusal(.unlockCodeRefused))
        harness.time.advance(milliseconds: UnlockLimits.lifetime)
        #expect(try await device.send(device.unlock(second), to: harness).refused == Refusal(.unlockCodeRefused))
        #expect(try await harness.events(.unlockRefused).isEmpty)
    }

    @Test func `five codes are issued for an account in a day`() async throws {
        let (harness, _) = try await Self.locked()
        for _ in 0..<5 { _ = try await harness.unlockCode() }
        await #expect(throws: PlatformError(.tooManyUnlockCodes)) { try await harness.unlockCode() }
        harness.time.advance(milliseconds: UnlockLimits.countedTime)
        try await harness.sweep()
        _ = try await harness.unlockCode()
    }

    @Test func `a code is for the only locked device, or the only one, unless the caller names it`() async throws {
        let harness = try await Harness()
        await #expect(throws: PlatformError(.unknownUser)) { try await harness.unlockCode() }
        let first = try await harness.activate()
        #expect(try await harness.platform.issueUnlockCode(for: Harness.account()).device == first.id)
        let second = try await harness.activate()
        await #expect(throws: PlatformError(.deviceRequired)) { try await harness.unlockCode() }
        try await second.lock(at: harness)
        #expect(try await harness.platform.issueUnlockCode(for: Harness.account()).device == second.id)
        let named = try await harness.platform.issueUnlockCode(for: Harness.account(), device: first.id)
        #expect(named.device == first.id)
        let stranger = try await harness.activate("bob@master")
        await #expect(throws: PlatformError(.unknownDevice)) { try await harness.unlockCode(device: stranger.id) }
        try await harness.platform.revokeDevice(first.id, of: Harness.account())
        await #expect(throws: PlatformError(.alreadyRevoked)) { try await harness.unlockCode(device: first.id) }
    }

    @Test func `a device that is locked as a copy is never unlocked`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let code = try await harness.unlockCode()
        var row = try #require(try await harness.device(device))
        row.lock(.cloneSuspected)
        try await harness.platform.store.write { [row] in try requireWritten($0.update(row)) }
        await #expect(throws: PlatformError(.deviceNotUnlockable)) { try await harness.unlockCode(device: device.id) }
        await #expect(throws: PlatformError(.deviceNotUnlockable)) { try await harness.unlockCode() }
        #expect(try await device.send(device.unlock(code), to: harness).refusal == .cloneSuspected)
    }

    @Test func `a locked device is served nothing else, and no proof of another generation`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let (changing, unlocking) = (try device.copy(isAsking: true), try device.copy(isAsking: true))
        changing.take(try #require(try await changing.offeredChange(by: harness)))
        try await unlocking.lock(at: harness)
        unlocking.take(
            try #require(try await unlocking.offeredUnlock(try await harness.unlockCode(), by: harness)))
        for body in [RequestBody.approvalList, .passwordChange, .synchronize(generation: 2, counters: [])] {
            #expect(try await unlocking.send(body, to: harness).refusal == .locked, "\(body.type)")
        }
        // The open offer of a change, whose password the user may not know.
        #expect(try await changing.send(.passwordProve, proof: .password, to: harness).refusal == .locked)
        #expect(try await unlocking.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        #expect(
            try await changing.send(.passwordProve, proof: .password, to: harness).refusal == .generationOutdated)
    }

    @Test
    func `wrong proofs of the new password lock the device again, and a repeat of the code does not end the count`()
        async throws
    {
        let (harness, device) = try await Self.locked()
        let code = try await harness.unlockCode()
        let offer = try #require(try await device.offeredUnlock(code, by: harness))
        device.take(offer)
        var guesses = 0
        for _ in 0..<3 {
            _ = try await device.send(device.unlock(code), to: harness)
            for _ in 0..<5 {
                let answer = try await device.send(.passwordProve, proof: .password, wrong: true, to: harness)
                if answer.refusal == .wrongPassword { guesses += 1 }
            }
        }
        #expect(guesses == 5)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == .locked)
        #expect(try await harness.device(device)?.stateBeforeLock == .active)
        // Another code helps.
        let next = try #require(try await device.offeredUnlock(try await harness.unlockCode(), by: harness))
        #expect(next.generation > offer.generation)
        device.take(next)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        #expect(try await harness.device(device)?.state == .active)
    }

    @Test func `a device that is not locked keeps its password until the new one is proven`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let earlier = try device.copy(isAsking: true)
        let offer = try #require(try await device.offeredUnlock(try await harness.unlockCode(), by: harness))
        #expect(try await earlier.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        device.take(offer)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        #expect(try await earlier.send(.passwordProve, proof: .password, to: harness).refusal == .generationOutdated)
        #expect(try await harness.events(.passwordChanged).count == 1)
        #expect(try await harness.events(.deviceUnlocked).isEmpty)
    }

    @Test func `a device whose generation a restored platform does not know is unlocked`() async throws {
        let (harness, device) = try await Self.locked()
        device.generation = 7
        let offer = try #require(try await device.offeredUnlock(try await harness.unlockCode(), by: harness))
        #expect(offer.generation == 8)
    }

    @Test func `the offer that a device has stored is not replaced`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        device.take(try #require(try await device.offeredUnlock(try await harness.unlockCode(), by: harness)))
        // Codes that the user gives up.
        for _ in 0..<3 { #expect(try await device.offeredUnlock(try await harness.unlockCode(), by: harness) != nil) }
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).refusal == nil)
        #expect(try await harness.device(device)?.generation == 1)
    }

    @Test func `a code is of no use in the row of another device`() async throws {
        let (harness, device) = try await Self.locked()
        let other = try await harness.activate("bob@master")
        let code = try await harness.unlockCode("bob@master")
        _ = try await harness.unlockCode()
        try await harness.store.write { [mine = device.id, other = other.id] store in
            var row = try #require(try store.unlockCode(of: mine))
            let copied = try #require(try store.unlockCode(of: other))
            (row.handle, row.secretHash) = (copied.handle, copied.secretHash)
            try requireWritten(store.update(row))
        }
        #expect(
            try await device.send(device.unlock(code), to: harness).refused
                == Refusal(.unlockCodeRefused, remainingTries: 4))
    }

    @Test func `256 tries with one code by tasks make one offer`() async throws {
        let (harness, device) = try await Self.locked()
        let code = try await harness.unlockCode()
        var sent: [Authenticator.Sent] = []
        for _ in 0..<256 { sent.append(try await device.seal(device.unlock(code), to: harness)) }
        let answers = try await withThrowingTaskGroup(of: (Int, OrchestrationCommand).self) { group in
            for (place, command) in sent.map(\.command).enumerated() {
                group.addTask { (place, try await harness.platform.execute(command)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let offers = try answers.compactMap { place, answer -> UnlockMessage.Answer? in
            guard case .accepted(let body) = try device.open(answer, to: sent[place]).result else { return nil }
            return body.answer(to: UnlockMessage.self)
        }
        #expect(offers.count == 256 && Set(offers.map(\.generation)) == [1])
        #expect(offers.allSatisfy { $0 == offers[0] })
        #expect(try await harness.events(.unlockUsed).count == 1)
    }
}
