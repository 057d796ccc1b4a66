import Orchestration
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

/// A code logs in once, also when many logins use it at the same time.
@Suite struct SingleUseTests {
    @Test(arguments: [CryptoApplicationIndex.app1, .app2])
    func `of 256 logins with one code at once exactly one is accepted`(_ application: CryptoApplicationIndex)
        async throws
    {
        let world = try WalkWorld(
            seed: 4_000_000, tally: WalkTally(), weakness: WalkUser.Weakness(), faults: 0, crashes: 0)
        world.chance.disableFaults()
        try await ActivationWalk(world: world).runWithoutFaults()
        // Two platforms use one store, so that the store alone prevents the second use.
        let platforms = [try world.platform, try await world.makePlatform(on: world.platformStore)]
        for _ in 0..<2 {
            world.time.advance(seconds: 60)
            let run = try await FlowRun.of(
                world.process().oneTimePassword(for: world.account.text, application: application))
            let code = try #require(run.code?.oneTimePassword)
            let account = world.account
            let decisions = try await withThrowingTaskGroup(of: LoginDecision.self) { group in
                for number in 0..<256 {
                    group.addTask {
                        try await platforms[number % 2].login(
                            LoginRequest(
                                account: account,
                                credential: .oneTimePassword(code, application: application)))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(decisions.count == 256)
            #expect(decisions.count { $0.status == .accepted } == 1)
            #expect(decisions.count { $0.reason == .usedCode } == 255)
            #expect(decisions.count { $0.hostCode != nil } == 1)
            #expect(try await world.throttles().allSatisfy { $0.total == 0 })
        }
    }
}
