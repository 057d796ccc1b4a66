import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

struct LoginTests {
    @Test func `a code logs in once, with a host code that the device expects`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let now = harness.time.now()
        let code = try device.code(at: now)
        let accepted = try await harness.login(code)
        #expect(accepted.status == .accepted && accepted.method == .password)
        #expect(accepted.device == device.id)
        let step = UInt64(now.secondsSinceEpoch / 30)
        #expect(accepted.hostCode == (try device.hostCode(application: 1, instance: .password, counter: step)))
        let again = try await harness.login(code)
        #expect(again.status == .refused && again.reason == .usedCode && again.hostCode == nil)
        let report = try await harness.platform.account(Harness.account())
        #expect(report?.failures.isEmpty == true, "a double click is no guess")
    }

    @Test func `of 256 concurrent logins with one code, one is accepted`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let code = try device.code(at: harness.time.now())
        let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<256 { group.addTask { try await harness.login(code).status == .accepted } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(accepted == 1)
        #expect(try await harness.events(.loginAccepted).count == 1)
    }

    @Test(arguments: [-30, 0, 30] as [Int64])
    func `a clock that is off by a step logs in`(clock: Int64) async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        #expect(try await harness.login(device.code(clock: clock, at: harness.time.now())).status == .accepted)
    }

    @Test(arguments: [-90, 90] as [Int64])
    func `a clock that is off by three steps is refused until two codes synchronize it`(clock: Int64) async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        #expect(try await harness.login(device.code(clock: clock, at: harness.time.now())).reason == .wrongCredential)
        let first = try device.code(clock: clock, at: harness.time.now())
        harness.time.advance(milliseconds: 30_000)
        let second = try device.code(clock: clock, at: harness.time.now())
        try await harness.platform.synchronizeAuthenticator(Harness.account(), codes: (first, second))
        harness.time.advance(milliseconds: 30_000)
        #expect(try await harness.login(device.code(clock: clock, at: harness.time.now())).status == .accepted)
    }

    @Test func `counter codes log in, in order, and are brought together again by two`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        #expect(try await harness.login(device.code(counter: 3), application: .app2).status == .accepted)
        #expect(try await harness.login(device.code(counter: 3), application: .app2).reason == .usedCode)
        #expect(try await harness.login(device.code(counter: 2), application: .app2).reason == .usedCode)
        #expect(try await harness.login(device.code(counter: 40), application: .app2).reason == .wrongCredential)
        try await harness.platform.synchronizeAuthenticator(
            Harness.account(), codes: (device.code(counter: 40), device.code(counter: 41)), application: .app2)
        #expect(try await harness.login(device.code(counter: 41), application: .app2).reason == .usedCode)
        #expect(try await harness.login(device.code(counter: 42), application: .app2).status == .accepted)
    }

    @Test func `a device has one counter for both instances`() async throws {
        let harness = try await Harness(.init(postQuantum: .off, policy: .accepting([.password, .possession])))
        let device = try await harness.activate()
        func login(_ counter: UInt64, _ instance: Instance) async throws -> LoginDecision {
            try await harness.login(device.code(counter: counter, instance: instance), application: .app2)
        }
        for counter in [10, 20, 30] as [UInt64] { #expect(try await login(counter, .password).status == .accepted) }
        // The possession instance has made no code so far. Its codes are expected from 31 on, as those of the password.
        #expect(try await login(42, .possession).reason == .wrongCredential)
        #expect(try await login(41, .possession).status == .accepted)
        #expect(try await login(41, .possession).reason == .usedCode)
        // A code that was made before another one and is typed after it is not used up.
        #expect(try await login(40, .password).status == .accepted)
        #expect(try await login(40, .possession).reason == .usedCode)
        #expect(try await login(40, .password).reason == .usedCode)
        try await harness.platform.synchronizeAuthenticator(
            Harness.account(),
            codes: (
                device.code(counter: 90, instance: .possession),
                device.code(counter: 91, instance: .possession)
            ), application: .app2)
        #expect(try await login(92, .password).status == .accepted)
    }

    @Test(arguments: [[.password], [.password, .possession]] as [Set<AuthenticationMethod>])
    func `a copied store without the password does not exclude the counter codes of the password`(
        methods: Set<AuthenticationMethod>
    ) async throws {
        let harness = try await Harness(.init(postQuantum: .off, policy: .accepting(methods)))
        let device = try await harness.activate()
        func login(_ counter: UInt64, _ instance: Instance) async throws -> LoginDecision.Reason {
            try await harness.login(device.code(counter: counter, instance: instance), application: .app2).reason
        }
        #expect(try await login(3, .password) == .accepted)
        let isAllowed = methods.contains(.possession)
        for counter in stride(from: 10 as UInt64, to: 400, by: 9) {
            #expect(try await login(counter, .possession) == (isAllowed ? .accepted : .methodNotAllowed))
        }
        #expect(try await login(4, .password) == .accepted)
        #expect(try await login(4, .password) == .usedCode)
        #expect(try await login(14, .password) == .accepted)
        // Two codes are found after the latest one of the password, too.
        try await harness.platform.synchronizeAuthenticator(
            Harness.account(), codes: (device.code(counter: 60), device.code(counter: 61)), application: .app2)
        #expect(try await login(62, .password) == .accepted)
        // The counter of an instance that may not log in starts no search for codes of the other.
        let ahead = try await login(400, .password)
        #expect(ahead == (isAllowed ? .accepted : .wrongCredential))
    }

    @Test func `two codes that do not follow each other are refused, counted, and say nothing of the user`()
        async throws
    {
        let harness = try await Harness()
        _ = try await harness.activate()
        for user in [Harness.alice, "nobody@master"] {
            await #expect(throws: PlatformError(.codesRefused)) {
                try await harness.platform.synchronizeAuthenticator(
                    Harness.account(user), codes: ("00000000", "00000001"))
            }
        }
        #expect(try await harness.platform.account(Harness.account())?.failures.map(\.total) == [1])
    }

    @Test func `the fifth wrong code blocks the right one too, for growing times, until it is over`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        for block in [60_000, 120_000, 240_000] as [Int64] {
            for _ in 0..<5 {
                let code = wrong(try device.code(at: harness.time.now()))
                #expect(try await harness.login(code).reason == .wrongCredential)
            }
            let right = try device.code(at: harness.time.now())
            #expect(try await harness.login(right).reason == .blocked)
            harness.time.advance(milliseconds: block - 1)
            #expect(try await harness.login(device.code(at: harness.time.now())).reason == .blocked)
            harness.time.advance(milliseconds: 1)
        }
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
    }

    @Test func `a block counts nothing, so it cannot be prolonged`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        for _ in 0..<100 { _ = try await harness.login("00000000") }
        #expect(try await harness.platform.account(Harness.account())?.failures.map(\.total) == [5])
        harness.time.advance(milliseconds: 60_000)
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
    }

    @Test func `fifty failures block until an administrator lifts it`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        for _ in 0..<10 {
            for _ in 0..<5 { _ = try await harness.login("00000000") }
            harness.time.advance(milliseconds: 86_400_000)
        }
        #expect(try await harness.login(device.code(at: harness.time.now())).reason == .blocked)
        #expect(try await harness.platform.account(Harness.account())?.failures.first?.isBlockedUntilLifted == true)
        try await harness.platform.liftBlocks(of: Harness.account())
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
    }

    @Test func `a login opens the keys of the devices that exist`() async throws {
        let harness = try await Harness()
        func candidates(_ user: String) async throws -> Int {
            let (sealer, hashes, now) = (harness.platform.sealer, harness.platform.hashes, harness.time.now())
            let account = try await harness.store.read {
                try LoginAccount(Harness.account(user), kind: .code, source: nil, hashes: hashes, now: now, in: $0)
            }
            return try CodeComparison(
                .app1, of: account, keys: account.keys(sealer: sealer),
                tenant: "default", codes: TypedCodes(methods: [.password]), now: now
            ).candidates.count
        }
        #expect(try await candidates("nobody@master") == 0)
        _ = try await harness.register()
        #expect(try await candidates(Harness.alice) == 0)
        _ = try await harness.activate()
        #expect(try await candidates(Harness.alice) == 2, "of the password and of possession")
        _ = try await harness.activate()
        #expect(try await candidates(Harness.alice) == 4)
    }

    @Test func `during a block no key is opened`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        for _ in 0..<5 { _ = try await harness.login("00000000") }
        try await harness.platform.store.write { [id = device.id] store in
            guard var row = try store.device(id), let sealed = row.secrets else { return }
            row.secrets = SealedValue(
                revision: sealed.revision, bytes: [UInt8](repeating: 0, count: sealed.bytes.count))
            try requireWritten(store.update(row))
        }
        #expect(try await harness.login(device.code(at: harness.time.now())).reason == .blocked)
        try await harness.platform.liftBlocks(of: Harness.account())
        await #expect(throws: PlatformError(.wrongMasterKey)) { try await harness.login("00000000") }
    }

    @Test func `a block that is lifted during a login makes the platform compare the code`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        for _ in 0..<5 { _ = try await harness.login("00000000") }
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await Platform(
            configuration: harness.configuration, database: store, masterKey: harness.masterKey, time: harness.time,
            random: harness.random)
        let now = harness.time.now()
        store.interrupt { store in
            for throttle in try store.throttles(of: Harness.alice) {
                try requireWritten(store.update(Throttle.lifted(throttle, now: now)))
            }
        }
        let code = try device.code(at: now)
        let decision = try await platform.login(
            .init(account: Harness.account(), credential: .oneTimePassword(code)))
        #expect(decision.status == .accepted)
    }

    @Test func `an administrator lifts a block that is under way`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        for _ in 0..<5 { _ = try await harness.login("00000000") }
        let code = try device.code(at: harness.time.now())
        #expect(try await harness.login(code).reason == .blocked)
        try await harness.platform.liftBlocks(of: Harness.account())
        #expect(try await harness.login(code).status == .accepted, "a code typed in a block was not used up")
    }

    @Test func `strangers do not block a browser that logged in before`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        #expect(try await harness.login(device.code(at: harness.time.now()), source: "mine").status == .accepted)
        for _ in 0..<5 { _ = try await harness.login("00000000", source: "theirs") }
        harness.time.advance(milliseconds: 30_000)
        let code = try device.code(at: harness.time.now())
        #expect(try await harness.login(code, source: "theirs").reason == .blocked)
        #expect(try await harness.login(code, source: "mine").status == .accepted)
    }

    @Test func `possession alone does not log in, unless the policy allows it`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let code = try device.code(instance: .possession, at: harness.time.now())
        #expect(try await harness.login(code).reason == .methodNotAllowed)
        #expect(try await harness.login(code).reason == .usedCode)
        let lenient = try await Harness(.init(postQuantum: .off, policy: .accepting([.possession])))
        let other = try await lenient.activate()
        let now = lenient.time.now()
        let accepted = try await lenient.login(other.code(instance: .possession, at: now))
        #expect(accepted.method == AuthenticationMethod.possession)
        let step = UInt64(now.secondsSinceEpoch / 30)
        #expect(accepted.hostCode == (try other.hostCode(application: 1, instance: .possession, counter: step)))
    }

    @Test func `unknown user, wrong code and blocked user give one answer to the application server`() async throws {
        let harness = try await Harness()
        _ = try await harness.activate()
        let unknown = try await harness.login("00000000", "nobody@master")
        let wrong = try await harness.login("00000000")
        for _ in 0..<5 { _ = try await harness.login("00000000") }
        let blocked = try await harness.login("00000000")
        #expect(Set([unknown.reason, wrong.reason, blocked.reason]).count == 3)
        for decision in [unknown, wrong, blocked] {
            #expect(decision.status == .refused)
            #expect(decision.method == nil && decision.device == nil && decision.hostCode == nil)
        }
    }

    @Test func `logins of unknown users leave no count of failures`() async throws {
        let harness = try await Harness()
        for number in 0..<50 {
            let name = "user\(number)@master"
            _ = try await harness.login("00000000", name, source: "s")
            #expect(try await harness.store.read { try $0.throttles(of: name) }.isEmpty)
        }
        let entries = try await harness.events(.loginRefused)
        #expect(entries.count == 50 && entries.allSatisfy { $0.account == nil && $0.subject == nil })
    }

    @Test(arguments: [.app3, .app4, .app5, .app8] as [CryptoApplicationIndex])
    func `a login takes no code of another application`(application: CryptoApplicationIndex) async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let code = try device.code(at: harness.time.now())
        #expect(try await harness.login(code, application: application).reason == .applicationNotAllowed)
        #expect(try await harness.platform.account(Harness.account())?.failures.isEmpty == true)
        // Of an unknown and of a blocked user, too: the reply must not show which users exist.
        #expect(
            try await harness.login(code, "nobody@master", application: application).reason == .applicationNotAllowed)
        for _ in 0..<5 { _ = try await harness.login("00000000") }
        #expect(try await harness.login(code).reason == .blocked)
        #expect(try await harness.login(code, application: application).reason == .applicationNotAllowed)
    }

    @Test func `codes count before the first notification and not before the activation is complete`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: harness.register(), with: harness)
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .refused)
        try await device.complete(with: harness)
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
    }

    @Test func `codes at the offered index promote it, and the index before is good for five minutes`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        harness.time.advance(milliseconds: RatchetState.overlap + 1)
        let old = try device.code(counter: 1)
        try await device.send(.notificationsRegister(identifier: "x"), to: harness)
        #expect(device.index == 1)
        #expect(try await harness.login(device.code(counter: 1), application: .app2).status == .accepted)
        #expect(try await harness.device(device)?.ratchetIndex == 1)
        #expect(try await harness.login(old, application: .app2).reason == .usedCode, "found at the index before")
        harness.time.advance(milliseconds: RatchetState.overlap + 1)
        #expect(try await harness.login(old, application: .app2).reason == .wrongCredential)
        #expect(try await device.send(.notificationsRegister(identifier: "x"), to: harness).refusal == nil)
    }

    @Test func `a static password logs in, is throttled apart from codes, and says nothing of the user`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        _ = try await harness.register(staticPassword: "correct horse")
        func login(_ password: String, _ user: String = Harness.alice) async throws -> LoginDecision {
            try await harness.platform.login(
                .init(account: Harness.account(user), credential: .staticPassword(password)))
        }
        #expect(try await login("correct horse").status == .accepted)
        #expect(try await login("correct horse", "nobody@master").reason == .unknownAccount)
        for _ in 0..<5 { #expect(try await login("wrong horse").reason == .wrongCredential) }
        #expect(try await login("correct horse").reason == .blocked)
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
        harness.time.advance(milliseconds: 60_000)
        #expect(try await login("correct horse").status == .accepted)
        _ = try await harness.register("bob@master")
        #expect(try await login("anything", "bob@master").reason == .wrongCredential)
    }
}
