import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// Answers at the same time: from two devices, to two platforms on one database.
@Suite struct ApprovalRaceTests {
    static let count = 256

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `of 256 answers at once, from two devices through two platforms, one counts`() async throws {
        for round in 0..<TestDatabase.raceRounds {
            let store = try await SQLiteDatabase(path: folder.file("platform-\(round).sqlite"))
            let race = try await Race(on: store)
            #expect(try await race.run() == 1)
            try await store.close()
        }
    }

    @Test func `a store whose last write wins lets several answers count`() async throws {
        let race = try await Race(on: LastWriteStore())
        #expect(try await race.run() > 1)
    }

    #if PostgreSQL
        @Test(.enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed: apt-get install postgresql"))
        func `of 256 answers at once through two processes, one counts`() async throws {
            for _ in 0..<TestDatabase.raceRounds {
                let store = try await ServerDatabase()
                let other = try await store.another()
                let race = try await Race(on: store, and: other)
                #expect(try await race.run() == 1)
            }
        }

        @Test(.enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed: apt-get install postgresql"))
        func `a store whose updates compare nothing and lock nothing lets several answers count`() async throws {
            let store = try await ServerDatabase(isolation: "READ COMMITTED")
            let other = try await store.another()
            let race = try await Race(on: UnconditionalDatabase(base: store), and: UnconditionalDatabase(base: other))
            #expect(try await race.run() > 1)
        }
    #endif
}

/// An answer that is under way while the request expires.
@Suite struct ApprovalExpiryTests {
    let store: FaultInjectingDatabase
    let harness: Harness
    let phone: Authenticator

    init() async throws {
        let base = SQLiteDatabase.inMemory()
        store = FaultInjectingDatabase(base)
        harness = try await Harness(store: base, on: store)
        phone = try await harness.activate()
    }

    @Test func `a caller that got a timeout gets no receipt later`() async throws {
        let report = try await harness.requestLogin()
        let approval = try await phone.fetch(report, from: harness)
        let signed = try await phone.answer(approval, .approved, with: harness)
        let harness = harness
        // The platform has read the clock and the rows, and has not written its decision.
        store.beforeNextWrite {
            harness.time.advance(seconds: 120)
            let reported = try await harness.status(of: report).status
            #expect(reported == .timeout)
        }
        #expect(try await phone.send(signed, to: harness).refusal == .approvalExpired)
        #expect(!store.isArmed)
        let ended = try await harness.status(of: report)
        #expect(ended.status == .timeout && ended.receipt == nil)
        #expect(try await harness.events(.approvalEnded).map(\.reason) == ["expired"])
        #expect(try await harness.events(.approvalAnswered).isEmpty)
    }

    @Test func `an answer that was written first is reported to a caller after the expiry`() async throws {
        let report = try await harness.requestLogin()
        let approval = try await phone.fetch(report, from: harness)
        let signed = try await phone.answer(approval, .approved, with: harness)
        let command = try await phone.seal(.approvalAnswer(signed), proof: .password, to: harness).command
        let (harness, store) = (harness, store)
        let (begin, begins) = AsyncStream<Void>.makeStream()
        let (reading, reads) = AsyncStream<Void>.makeStream()
        let (written, writes) = AsyncStream<Void>.makeStream()
        let caller = Task {
            for await _ in begin {}
            return try await harness.status(of: report)
        }
        // The caller has read the expired request, and is about to end it, when the answer is written.
        store.beforeNextWrite {
            harness.time.advance(seconds: 120)
            store.beforeNextWrite {
                reads.finish()
                for await _ in written {}
            }
            begins.finish()
            for await _ in reading {}
        }
        _ = try await harness.platform.execute(command)
        writes.finish()
        #expect(try await caller.value.status == .accepted)
        #expect(try await harness.status(of: report).receipt != nil)
    }

    @Test func `a caller without a place to wait gets that cause, also when the cancellation fails`() async throws {
        let base = SQLiteDatabase.inMemory()
        let store = FaultInjectingDatabase(base)
        var configuration = PlatformConfiguration(postQuantum: .off)
        configuration.waitingCalls = 1
        let harness = try await Harness(configuration, store: base, on: store)
        let (platform, account) = (harness.platform, try Harness.account())
        _ = try await harness.register()
        let first = try await harness.requestLogin(source: "a")
        // Another caller takes the last place while the request is written, and the store fails afterwards.
        let (begin, begins) = AsyncStream<Void>.makeStream()
        let waiter = Task {
            for await _ in begin {}
            return try await platform.approval(requestID: first.requestID, waiting: .seconds(60))
        }
        let time = harness.time
        store.beforeNextWrite {
            begins.finish()
            await time.sleepers(1)
            store.beforeNextWrite { throw StoreError(.corrupt) }
        }
        await #expect(throws: PlatformError(.busy)) {
            _ = try await platform.requestApproval(
                ApprovalParameters(.login, of: account, risk: RiskInput(source: "b")), waiting: .seconds(60))
        }
        #expect(!store.isArmed)
        waiter.cancel()
    }

    @Test func `a wait that ends with the expiry ends the request for every device`() async throws {
        let report = try await harness.requestLogin()
        let approval = try await phone.fetch(report, from: harness)
        let platform = harness.platform
        async let waited = platform.approval(requestID: report.requestID, waiting: .seconds(300))
        await harness.time.sleepers(1)
        harness.time.advance(seconds: 120)
        #expect(try await waited.status == .timeout)
        // The clock of the machine is set back.
        harness.time.step(milliseconds: -60_000)
        let late = try await phone.answer(approval, .approved, with: harness)
        #expect(try await phone.send(late, to: harness).refusal == .approvalExpired)
        #expect(try await harness.status(of: report).status == .timeout)
    }
}

/// An answer that is under way while the keys of the platform are replaced.
@Suite struct ApprovalRotationTests {
    @Test func `a device can verify the receipt when the keys are replaced before the decision`() async throws {
        let base = SQLiteDatabase.inMemory()
        let store = FaultInjectingDatabase(base)
        let harness = try await Harness(store: base, on: store)
        let phone = try await harness.activate()
        let approval = try await phone.fetch(try await harness.requestLogin(), from: harness)
        let answer = try await phone.answer(approval, .approved, with: harness)
        harness.time.advance(seconds: 1)
        // The first read returns the rows for the verification. The rotation runs before the second one.
        store.beforeRead(after: 1) { _ = try await harness.platform.rotateKeys(.signing) }
        let receipt = try #require(try await phone.send(answer, to: harness).receipt)
        #expect(!store.isArmed && harness.platform.keys.latest.sequence == 2)
        #expect(phone.platformKeys.sequence == 1)
        #expect(try Receipt(receipt).verify(with: phone.platformKeys).decision == .approved)
        // A third party accepts it as well, with the keys that are published now.
        #expect(try Receipt(receipt).verify(with: harness.platform.publishedKeys()).outcome == .approved)
    }

    @Test func `an approval request outlives five replacements of the keys`() async throws {
        let harness = try await Harness()
        let phone = try await harness.activate()
        let reports = [try await harness.requestLogin(source: "a"), try await harness.requestLogin(source: "b")]
        let fetched = try await phone.fetch(reports[0], from: harness)
        let signer = harness.platform.keys.signingKey(at: harness.time.now()).kid
        for _ in 0..<5 {
            harness.time.advance(seconds: 20)
            try await harness.platform.rotateKeys(.all)
        }
        // One request was fetched before, and the other one is fetched now.
        for approval in [fetched, try await phone.fetch(reports[1], from: harness)] {
            let answer = try await phone.answer(approval, .approved, with: harness)
            let receipt = try #require(try await phone.send(answer, to: harness).receipt)
            #expect(receipt.request.header.keyID == signer)
            #expect(try Receipt(receipt).verify(with: phone.platformKeys).decision == .approved)
        }
        #expect(phone.platformKeys.keys.count { $0.use == .signing } == 6)
        // No request waits that long.
        harness.time.advance(seconds: 601)
        try await harness.platform.rotateKeys(.sealing)
        #expect(harness.platform.keys.latest.keys.count { $0.use == .signing } == 2)
    }
}

/// Two devices that answer one request again and again, each time with another answer.
private struct Race {
    let platforms: [Platform]
    let commands: [OrchestrationCommand]
    let openers: [@Sendable (OrchestrationCommand) throws -> AnswerMessage]

    /// - Parameter other: The same database as another process has it; `nil` for two platforms in one process.
    init(on store: any SQLDatabase, and other: (any SQLDatabase)? = nil) async throws {
        // The account and the devices are made on a platform in memory that shares the rows.
        let harness = try await Harness(.init(postQuantum: .off, requestsPerDevice: 6_000), on: store)
        let devices = [try await harness.activate(), try await harness.activate()]
        let report = try await harness.requestLogin()
        var commands: [OrchestrationCommand] = []
        var openers: [@Sendable (OrchestrationCommand) throws -> AnswerMessage] = []
        let approvals = [
            try await devices[0].fetch(report, from: harness), try await devices[1].fetch(report, from: harness),
        ]
        for number in 0..<ApprovalRaceTests.count {
            let device = devices[number % 2]
            // The time makes each answer another one.
            let decision: ApprovalDecision = number.isMultiple(of: 3) ? .rejected(.canceled) : .approved
            let answer = try await device.answer(
                approvals[number % 2], decision, clockError: Int64(-number - 1), with: harness)
            let proof: Instance = decision == .approved ? .password : .possession
            let sent = try await device.seal(.approvalAnswer(answer), proof: proof, to: harness)
            let (keys, address) = (device.platformKeys, device.address)
            commands.append(sent.command)
            openers.append { answer in
                let sealed = try SealedAnswer(decoding: sent.opener.open(answer))
                return try AnswerMessage.verified(
                    sealed.message, keys: keys, type: ApprovalAnswerMessage.type,
                    binding: MessageBinding(device: address, requestID: sent.message.requestID)
                ).message
            }
        }
        self.commands = commands
        self.openers = openers
        platforms = [harness.platform, try await harness.platform(on: other ?? store)]
    }

    /// Sends all answers at once.
    ///
    /// - Returns: The number of answers that got a receipt.
    func run() async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for (number, command) in commands.enumerated() {
                let (platform, open) = (platforms[(number / 2) % 2], openers[number])
                group.addTask { try open(await platform.execute(command)).receipt != nil }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}
