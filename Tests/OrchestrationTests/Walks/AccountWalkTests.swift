import Testing

/// Random walks of one account with three devices. `WALK_SEED=n swift test --filter AccountWalkTests` repeats one of
/// them.
@Suite struct AccountWalkTests {
    /// The transitions of the table of account states, those with several causes by each of them.
    ///
    /// A device that is locked as a copy asks no more, and does not learn that it was revoked.
    private static let transitions = [
        "activate: notProvisioned → ready",
        "wrong: ready → wrongPassword",
        "ready → cloneSuspected",
        "ready → deleted",
        "delete: ready → notProvisioned",
        "unlock: wrongPassword → ready",
        "activate: wrongPassword → ready",
        "wrongPassword → deleted",
        "delete: wrongPassword → notProvisioned",
        "activate: cloneSuspected → ready",
        "delete: cloneSuspected → notProvisioned",
        "activate: deleted → ready",
        "delete: deleted → notProvisioned",
    ]

    /// What the steps must also have met.
    private static let encounters = [
        "outages", "unlock: used", "unlock: ended", "unlock: wrong", "issue: alreadyRevoked",
        "issue: deviceNotUnlockable", "move: completed", "move: expired", "move: over", "end: replaced",
        "several notices",
    ]

    /// What is rare.
    private static let rareEncounters = [
        "unconfirmed", "issue: tooManyUnlockCodes", "move: copied", "delete: not informed",
        "synchronize: wrongPassword → deleted",
    ]

    @Test func `the states and events of an account are those of its model after each step`() async throws {
        let seeds = WalkRunner.seeds(from: 9_000_000, count: 10_000)
        let tally = WalkTally()
        let failures = await WalkRunner.run(seeds) { seed in
            let world = try WalkWorld(
                seed: seed, tally: tally, weakness: WalkUser.Weakness(), faults: 0, crashes: 0, sendsDeviceData: false,
                recordsEvents: true)
            try await world.walk { try await AccountWalk(world).run(steps: 24) }
        }
        for failure in failures { Issue.record("\(failure)") }
        guard failures.isEmpty, seeds.count >= 200 else { return }
        let rare = seeds.count >= 2_000 ? Self.rareEncounters : []
        for what in Self.transitions + Self.encounters + rare { #expect(tally[what] > 0, "\(what) is missing") }
        print(tally.summary)
    }
}
