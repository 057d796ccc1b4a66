import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Random walks of both sides. `WALK_SEED=n swift test --filter WalkTests` repeats one of them.
@Suite(.serialized) struct WalkTests {
    @Test func `activations end active, locked or cleanly failed, with every kind of fault`()
        async throws
    {
        let seeds = WalkRunner.seeds(from: 1, count: 10_000)
        let tally = WalkTally()
        let failures = await WalkRunner.run(seeds) { seed in
            let world = try WalkWorld(
                seed: seed, tally: tally, weakness: WalkUser.Weakness(mistypes: seed % 4 == 0 ? 90 : 0),
                faults: seed % 3 == 0 ? 45 : 20, isHybrid: seed % 50 == 0,
                // Device data make such a walk longer. All walks of the other tests send them.
                sendsDeviceData: seed % 4 == 1)
            let end = try await world.walk { try await ActivationWalk(world: world).run() }
            tally.count("end.\(end)")
            guard end == .active else { return }
            // Every walk goes on, most of them to a single login. The next test has longer walks.
            let operations = seed % 10 == 0 ? 3 : 0
            try await world.walk { try await LoginWalk(world).run(operations: operations, isShort: true) }
        }
        for failure in failures { Issue.record("\(failure)") }
        guard seeds.count >= WalkRunner.least else { return }
        #expect(tally["end.active"] > seeds.count / 4)
        guard seeds.count >= 1_000 else { return }
        // A walk without faults shows nothing.
        for end in ActivationWalk.End.allCases { #expect(tally["end.\(end)"] > 0, "no walk ended \(end)") }
        #expect(tally["end.active"] > seeds.count / 2)
        for step in 1...4 {
            for fault in WalkFault.allCases {
                #expect(tally["fault.step \(step).\(fault)"] >= 5, "\(fault) is missing at step \(step)")
            }
        }
        #expect(tally["probe"] > 100)
        print(tally.summary)
    }

    @Test func `a device with the right password stays usable and is not suspected as a clone`() async throws {
        let seeds = WalkRunner.seeds(from: 1_000_000, count: 100)
        let tally = WalkTally()
        let failures = await WalkRunner.run(seeds) { seed in
            let world = try WalkWorld(seed: seed, tally: tally, weakness: WalkUser.Weakness(), faults: 25)
            try await world.walk { try await ActivationWalk(world: world).runWithoutFaults() }
            try await world.walk { try await LoginWalk(world).run(operations: 40) }
        }
        for failure in failures { Issue.record("\(failure)") }
        guard seeds.count >= WalkRunner.least else { return }
        let least = seeds.count >= 100 ? 50 : 0
        for what in [
            "login.app1.accepted", "login.app2.accepted", "login.app3.accepted", "login.app4.accepted",
            "again.usedCode",
            "restore", "interleaved", "overtaken",
        ] {
            #expect(tally[what] > least, "\(what) is missing")
        }
        print(tally.summary)
    }

    @Test func `a copied store is detected on both sides`() async throws {
        let seeds = WalkRunner.seeds(from: 2_000_000, count: 200)
        let tally = WalkTally()
        let failures = await WalkRunner.run(seeds) { seed in
            let world = try WalkWorld(seed: seed, tally: tally, weakness: WalkUser.Weakness(), faults: 25)
            try await world.walk { try await ActivationWalk(world: world).runWithoutFaults() }
            try await world.walk { try await CloneWalk(world).run() }
        }
        for failure in failures { Issue.record("\(failure)") }
        guard seeds.count >= WalkRunner.least else { return }
        #expect(tally["alternate"] > 0 && tally.sum("idle.") > 0)
        guard seeds.count >= 100 else { return }
        #expect(tally["idle.original"] > 20 && tally["idle.copy"] > 20)
        #expect(tally["alternate"] > 50)
    }

    @Test func `approval requests are each answered once at most, by one of two devices`() async throws {
        let seeds = WalkRunner.seeds(from: 4_000_000, count: 400)
        let tally = WalkTally()
        let failures = await WalkRunner.run(seeds) { seed in
            let world = try WalkWorld(
                seed: seed, tally: tally, weakness: WalkUser.Weakness(), faults: seed % 3 == 0 ? 40 : 20,
                isHybrid: seed % 50 == 0)
            try await world.walk { try await ActivationWalk(world: world).runWithoutFaults() }
            try await world.walk {
                try await ApprovalWalk(world, isInterrupted: true).run(
                    requests: 25, weakness: WalkUser.Weakness(choosesBadly: 0, confirmsWrongly: 0))
            }
        }
        for failure in failures { Issue.record("\(failure)") }
        guard seeds.count >= WalkRunner.least else { return }
        #expect(tally["end.settled"] == seeds.count)
        #expect(tally["end.\(ApprovalState.approved)"] >= seeds.count)
        guard seeds.count >= 400 else { return }
        #expect(tally["asked.pending"] >= 10_000)
        for state in [ApprovalState.approved, .rejected, .wrongNumber, .replaced, .canceled] {
            #expect(tally["end.\(state)"] > 50, "no request is \(state)")
        }
        for what in ["flow.outdated approvalAnswered", "flow.outdated approvalExpired", "raced", "restore"] {
            #expect(tally[what] > 50, "\(what) is missing")
        }
        // All rejections are by possession, so none starts the strict mode.
        #expect(tally["asked.refused.policy"] == 0)
        print(tally.summary)
    }

    @Test func `wrong passwords of approvals are counted exactly, for each device`() async throws {
        let seeds = WalkRunner.seeds(from: 5_000_000, count: 60)
        let tally = WalkTally()
        let failures = await WalkRunner.run(seeds) { seed in
            let world = try WalkWorld(
                seed: seed, tally: tally, weakness: WalkUser.Weakness(), faults: 0, crashes: 0)
            try await world.walk { try await ActivationWalk(world: world).runWithoutFaults() }
            try await world.walk {
                try await ApprovalWalk(world, isInterrupted: false).run(
                    requests: 20,
                    weakness: WalkUser.Weakness(
                        choosesBadly: 0, confirmsWrongly: 0, mistypes: seed % 3 == 0 ? 75 : 35, givesUp: 5, leaves: 0))
            }
        }
        for failure in failures { Issue.record("\(failure)") }
        guard seeds.count >= WalkRunner.least else { return }
        #expect(tally["end.locked"] + tally["end.settled"] == seeds.count && tally["wrong password"] > 0)
        guard seeds.count >= 60 else { return }
        #expect(tally["wrong password"] > 100)
        #expect(tally["end.locked"] > 2 && tally["end.settled"] > 10)
    }

    @Test func `walks change passwords, and one password is always valid`() async throws {
        let seeds = WalkRunner.seeds(from: 6_000_000, count: 10_000)
        let tally = WalkTally()
        let failures = try await changePasswords(seeds, tally)
        for failure in failures { Issue.record("\(failure)") }
        guard seeds.count >= WalkRunner.least else { return }
        #expect(tally["change.succeeded"] > 0)
        guard seeds.count >= 10_000 else { return }
        for what in [
            "change.succeeded", "change.left", "change.threw CancellationError", "change.aborted canceled",
            "unconfirmed",
            "interleaved", "overtaken", "meanwhile.succeeded", "restore", "open change",
            "same generation", "promoted", "login.accepted", "login.notSynchronized", "approval.succeeded",
            "wrong.change", "wrong.change.given up", "wrong.approval", "wrong.approval.given up", "wrong.code",
            "wrong.earlier code", "copy.valid", "copy.earlier generation", "copy.earlier index", "locked", "unlocked",
            "files",
        ] {
            #expect(tally[what] > 20, "\(what) is missing")
        }
        #expect(tally["operations.1"] < seeds.count * 2 / 5 && tally["operations.11"] > seeds.count / 100)
        print(tally.summary)
    }

    @Test func `a method is enrolled, used, removed and lost, and the password always works`() async throws {
        let seeds = WalkRunner.seeds(from: 7_000_000, count: 400)
        let tally = WalkTally()
        let origin = try await activated(tally)
        let policy = try MethodWalk.policy()
        let failures = await WalkRunner.run(seeds) { seed in
            let world = try WalkWorld(
                seed: seed, tally: tally, weakness: WalkUser.Weakness(), faults: seed % 2 == 0 ? 40 : 10,
                crashes: seed % 3 == 0 ? 20 : 5, continuing: origin, policy: policy)
            world.chance.disableFaults()
            try await world.walk {
                try await world.startPlatform()
                try await MethodWalk(world).run(operations: 10)
            }
        }
        for failure in failures { Issue.record("\(failure)") }
        guard seeds.count >= WalkRunner.least else { return }
        #expect(tally["enroll.succeeded"] > 0 && tally["remove.succeeded"] > 0)
        #expect(tally["approved.biometric"] > 0 && tally["approved.password"] > 0)
        guard seeds.count >= 400 else { return }
        for what in [
            "enroll.succeeded", "enroll.left", "remove.succeeded", "approved.biometric", "approved.password", "restore",
            "code.biometric.accepted", "code.password.accepted", "probed", "enrolled",
        ] {
            #expect(tally[what] > 10, "\(what) is missing")
        }
        print(tally.summary)
    }

    @Test(arguments: PasswordWalk.Mistake.allCases)
    func `a store that loses writes is found by walks that change passwords`(_ mistake: PasswordWalk.Mistake)
        async throws
    {
        let failures = try await changePasswords(Array(6_100_000..<6_100_200), WalkTally(), mistake: mistake)
        #expect(failures.count >= 3)
        #expect(failures.allSatisfy { $0 is WalkFailure })
    }

    /// Runs walks that change passwords, and returns their failures.
    private func changePasswords(
        _ seeds: [UInt64], _ tally: WalkTally, mistake: PasswordWalk.Mistake? = nil
    ) async throws -> [any Error] {
        let origin = try await activated(tally)
        return await WalkRunner.run(seeds) { seed in
            let world = try WalkWorld(
                seed: seed, tally: tally, weakness: WalkUser.Weakness(), faults: seed % 2 == 0 ? 40 : 10,
                crashes: seed % 3 == 0 ? 20 : 5, continuing: origin)
            world.chance.disableFaults()
            try await world.walk {
                try await world.startPlatform()
                let walk = try await PasswordWalk(world, usesFiles: seed % 40 == 0, mistake: mistake)
                try await walk.run(operations: PasswordWalk.operations(world.chance))
            }
        }
    }

    /// Returns a world with an activated device. It serves all walks: each goes on with a copy of the device and of the
    /// platform.
    private func activated(_ tally: WalkTally) async throws -> WalkWorld {
        let keys = CachingDeviceKeys(
            base: SoftwareDeviceKeys(
                inMemory: try WalkWorld.configuration(isHybrid: false).salts, random: SystemRandomSource()))
        let origin = try WalkWorld(
            seed: 6_999_999, tally: tally, weakness: WalkUser.Weakness(), faults: 0, crashes: 0, deviceKeys: keys)
        try await origin.walk { try await ActivationWalk(world: origin).runWithoutFaults() }
        return origin
    }

    @Test func `wrong passwords are counted exactly, and block typed codes at the fifth`() async throws {
        let seeds = WalkRunner.seeds(from: 3_000_000, count: 40)
        let tally = WalkTally()
        let failures = await WalkRunner.run(seeds) { seed in
            let world = try WalkWorld(
                seed: seed, tally: tally, weakness: WalkUser.Weakness(), faults: 0, crashes: 0)
            try await world.walk { try await ActivationWalk(world: world).runWithoutFaults() }
            try await world.walk { try await WrongPasswordWalk(world).run(operations: 60) }
        }
        for failure in failures { Issue.record("\(failure)") }
        guard seeds.count >= WalkRunner.least else { return }
        #expect(tally["right.accepted"] > 0 && tally["wrong.counted"] > 0)
        guard seeds.count >= 40 else { return }
        for what in ["wrong.blocked", "right.blocked", "right.accepted", "wrong.counted", "reported", "lifted"] {
            #expect(tally[what] > 5, "\(what) is missing")
        }
        #expect(tally["limit"] > 2, "no walk reached the limit")
    }
}

extension WalkWorld {
    /// Runs a part of a walk. An error becomes a failure with seed and trace.
    func walk<R>(_ part: () async throws -> R) async throws -> R {
        do {
            return try await part()
        } catch let failure as WalkFailure {
            throw failure
        } catch {
            throw self.failure("\(error)")
        }
    }
}
