import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

struct ActivationTests {
    @Test func `four steps activate a device and spend its activation password`() async throws {
        let harness = try await Harness()
        let code = try await harness.register()
        #expect(try await harness.status() == .pending)
        let device = try await Authenticator.exchangeKeys(code: code, with: harness)
        #expect(device.provisioning.pendingSeconds == 1_800)
        #expect(device.provisioning.applications.map(\.index) == [1, 2, 3, 4])
        #expect(try await harness.device(device)?.state == .pending)
        #expect(try await device.send(.activationPassword, proof: .password, to: harness).refusal == nil)
        #expect(try await harness.status() == .pending)
        let last = try await device.send(
            .activationComplete(receiptHash: device.receipt, registersPullChannel: false), proof: .possession,
            to: harness)
        #expect(last.result == .accepted(.activationComplete))
        #expect(try await harness.device(device)?.state == .pendingNotification)
        // The account is not finished before the device has registered a notification channel.
        #expect(try await harness.status() == .pending)
        try await device.registerNotifications(with: harness)
        #expect(try await harness.status() == .activated)
        let stored = try await harness.store.read { try $0.activationPassword(of: Harness.alice) }
        #expect(stored?.spentAt != nil && stored?.secret == nil && stored?.tries == 0)
        await #expect(throws: SecureChannelError(.wrongActivationPassword, blame: .user, "")) {
            _ = try await Authenticator.exchangeKeys(code: code, with: harness)
        }
    }

    @Test func `the hybrid suite activates and goes on with it`() async throws {
        let harness = try await Harness(.init(postQuantum: .preferred))
        let device = try await Authenticator.exchangeKeys(
            code: harness.register(), suites: [.classic, .hybrid], with: harness)
        #expect(device.suite == .hybrid)
        try await device.complete(with: harness)
        #expect(try await harness.device(device)?.suite == 2)
        let lower = try Authenticator(
            account: device.account, key: device.key, provisioning: device.provisioning, secrets: device.secrets,
            suite: .classic)
        await #expect(throws: PlatformError(.undecodableCommand)) {
            try await lower.send(.notificationsRegister(identifier: "x"), to: harness)
        }
    }

    @Test func `a platform that requires the hybrid suite refuses the classic one`() async throws {
        let harness = try await Harness(.init(postQuantum: .required))
        let code = try await harness.register()
        await #expect(throws: PlatformError(.undecodableCommand)) {
            _ = try await Authenticator.exchangeKeys(code: code, with: harness)
        }
    }

    @Test func `a classic device keeps its suite when the hybrid suite becomes required, and a new one is refused`()
        async throws
    {
        let harness = try await Harness()
        let device = try await harness.activate()
        var stricter = harness.configuration
        stricter.postQuantum = .required
        let later = try await Harness(stricter, store: harness.store, time: harness.time, random: harness.random)
        #expect(try await device.send(.notificationsRegister(identifier: "x"), to: later).refusal == nil)
        #expect(try await later.login(device.code(at: later.time.now())).status == .accepted)
        let report = try await later.platform.account(Harness.account())
        #expect(report?.devices.map(\.isPostQuantum) == [false], "an administrator sees which")
        await #expect(throws: PlatformError(.undecodableCommand)) { _ = try await later.activate("bob@master") }
    }

    @Test func `an unknown user and a wrong, expired or spent activation password get answers of one size`()
        async throws
    {
        let harness = try await Harness()
        let code = try await harness.register()
        var sizes: Set<Int> = []
        var rows = 0
        func attempt(_ user: String, _ code: String, isRight: Bool) async throws {
            let initiator = try Authenticator.initiator(user, code: code, random: harness.random)
            let answer = try await harness.platform.execute(initiator.command)
            sizes.insert(answer.bytes.count)
            rows += 1
            let stored = try await harness.store.write { try $0.activationSessionCount(of: "") }
            #expect(stored == rows)
            let again = try await harness.platform.execute(initiator.command)
            #expect(again == answer, "a repeat gets the same bytes")
            do {
                _ = try initiator.receive(answer)
                #expect(isRight)
            } catch {
                #expect(error.code == .wrongActivationPassword)
                #expect(!isRight)
            }
        }
        try await attempt("alice@master", code, isRight: true)
        try await attempt("alicf@master", code, isRight: false)
        let other = ActivationPassword.make(
            handle: try ActivationPassword(parsing: code).handle ^ 1, random: harness.random)
        let text = other.formatted().withBytes { span in String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        }
        try await attempt("alice@master", text, isRight: false)
        harness.time.advance(milliseconds: 600_000)
        // The others are ten minutes old.
        try await harness.sweep()
        rows = 0
        try await attempt("alice@master", code, isRight: false)
        #expect(sizes.count == 1)
    }

    @Test func `knowing a user id does not spend tries of an activation password`() async throws {
        let harness = try await Harness()
        let code = try await harness.register()
        let handle = try ActivationPassword(parsing: code).handle
        for number in 1...10 as ClosedRange<UInt16> {
            let wrong = ActivationPassword.make(handle: handle ^ number, random: harness.random)
            let initiator = try ActivationInitiator(
                secret: wrong.secret, handle: wrong.handle, account: Harness.account(), tenant: "default",
                suites: [.classic], capabilities: [], random: harness.random)
            _ = try await harness.platform.execute(initiator.command)
        }
        let stored = try await harness.store.read { try $0.activationPassword(of: Harness.alice) }
        #expect(stored?.tries == 0)
        _ = try await Authenticator.exchangeKeys(code: code, with: harness)
    }

    @Test func `the fifth wrong try spends the activation password, and repeats cost no further try`() async throws {
        let harness = try await Harness()
        let code = try await harness.register()
        let handle = try ActivationPassword(parsing: code).handle
        for number in 1...5 {
            let wrong = ActivationPassword.make(handle: handle, random: harness.random)
            let initiator = try ActivationInitiator(
                secret: wrong.secret, handle: handle, account: Harness.account(), tenant: "default",
                suites: [.classic], capabilities: [], random: harness.random)
            for _ in 0..<3 { _ = try await harness.platform.execute(initiator.command) }
            let stored = try await harness.store.read { try $0.activationPassword(of: Harness.alice) }
            #expect(stored?.tries == number)
        }
        await #expect(throws: SecureChannelError(.wrongActivationPassword, blame: .user, "")) {
            _ = try await Authenticator.exchangeKeys(code: code, with: harness)
        }
    }

    @Test func `a proven activation password gets its try back, once`() async throws {
        let harness = try await Harness()
        let code = try await harness.register()
        for _ in 0..<12 { _ = try await Authenticator.exchangeKeys(code: code, with: harness) }
        let (stored, devices) = try await harness.store.read {
            try ($0.activationPassword(of: Harness.alice), $0.devices(of: Harness.alice))
        }
        #expect(stored?.tries == 0)
        #expect(devices.count == 1, "starting again drops the pending device")
    }

    @Test func `256 parallel tries spend five`() async throws {
        let harness = try await Harness()
        let handle = try ActivationPassword(parsing: try await harness.register()).handle
        var commands: [OrchestrationCommand] = []
        for _ in 0..<256 {
            let wrong = ActivationPassword.make(handle: handle, random: harness.random)
            commands.append(
                try ActivationInitiator(
                    secret: wrong.secret, handle: handle, account: Harness.account(), tenant: "default",
                    suites: [.classic], capabilities: [], random: harness.random
                ).command)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for command in commands { group.addTask { _ = try await harness.platform.execute(command) } }
            try await group.waitForAll()
        }
        #expect(try await harness.events(.activationTried).count { $0.reason == "code" } == 5)
    }

    @Test func `lost answers cost nothing: repeats get the same bytes at every step, after a restart too`() async throws
    {
        let harness = try await Harness()
        let code = try await harness.register()
        let initiator = try Authenticator.initiator(code: code, random: harness.random)
        let first = try await harness.platform.execute(initiator.command)
        #expect(try await harness.restarted().platform.execute(initiator.command) == first)
        var session = try initiator.receive(first)
        let key = P256.Signing.PrivateKey(compactRepresentable: false)
        let registration = Authenticator.registration(key, random: harness.random)
        let request = try session.seal(registration, random: harness.random)
        let second = try await harness.platform.execute(request)
        #expect(try await harness.restarted().platform.execute(request) == second)
        let device = try Authenticator.finish(
            session, Harness.alice, key: key, registration: registration, answer: second)
        for (body, proof) in [
            (RequestBody.activationPassword, Instance.password), (.activationComplete(receiptHash: []), .possession),
        ] {
            var body = body
            if case .activationComplete = body { body = .activationComplete(receiptHash: device.receipt) }
            let sent = try await device.seal(body, proof: proof, to: harness)
            let answer = try await harness.platform.execute(sent.command)
            #expect(try await harness.restarted().platform.execute(sent.command) == answer)
            #expect(try device.open(answer, to: sent).refusal == nil)
        }
        let (stored, devices) = try await harness.store.read {
            try ($0.activationPassword(of: Harness.alice), $0.devices(of: Harness.alice))
        }
        #expect(stored?.tries == 0)
        #expect(devices.count == 1)
        #expect(try await harness.events(.activationCompleted).count == 1)
    }

    @Test func `a session id with other bytes is refused, and so are steps out of order`() async throws {
        let harness = try await Harness()
        let code = try await harness.register()
        let initiator = try Authenticator.initiator(code: code, random: harness.random)
        var bytes = initiator.command.bytes
        // The share begins after the array head, the kind, and the session id with its head.
        bytes[1 + 1 + 17 + 2] ^= 1
        let session = try ActivationRequest(decoding: initiator.command.bytes).sessionID
        let answer = try await harness.platform.execute(initiator.command)
        let reused = try await harness.platform.execute(OrchestrationCommand(bytes: bytes))
        #expect(try ActivationRefusal(decoding: reused.bytes).reason == .sessionReused)

        let key = P256.Signing.PrivateKey(compactRepresentable: false)
        var exchange = try initiator.receive(answer)
        let request = try exchange.seal(
            Authenticator.registration(key, random: harness.random), random: harness.random)
        let empty = try await Harness(random: harness.random)
        let refused = try await empty.platform.execute(request)
        #expect(try ActivationRefusal(decoding: refused.bytes) == .init(sessionID: session, reason: .refused))
    }

    @Test func `step 4 before step 3 is refused, and the activation goes on`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: harness.register(), with: harness)
        let early = try await device.send(
            .activationComplete(receiptHash: [UInt8](repeating: 0, count: 32)), proof: .possession, to: harness)
        #expect(early.refusal == .wrongReceipt)
        try await device.complete(with: harness)
        try await device.registerNotifications(with: harness)
        #expect(try await harness.status() == .activated)
    }

    @Test func `a repeat of step 3 that arrives late does not block step 4`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: harness.register(), with: harness)
        let delayed = try await device.seal(.activationPassword, proof: .password, to: harness)
        try await device.send(.activationPassword, proof: .password, to: harness)
        _ = try await harness.platform.execute(delayed.command)
        let last = try await device.send(
            .activationComplete(receiptHash: device.receipt), proof: .possession, to: harness)
        #expect(last.refusal == nil)
    }

    @Test func `wrong passwords at step 3 are counted, and the fifth drops the device`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: harness.register(), with: harness)
        for remaining in [4, 3, 2, 1, 0] as [UInt64] {
            let answer = try await device.send(.activationPassword, proof: .password, wrong: true, to: harness)
            #expect(answer.refused == Refusal(.wrongPassword, remainingTries: remaining))
        }
        #expect(try await harness.device(device) == nil)
        await #expect(throws: PlatformError(.undecodableCommand)) {
            try await device.send(.activationPassword, proof: .password, to: harness)
        }
    }

    @Test func `a pending device is gone after thirty minutes`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: harness.register(), with: harness)
        harness.time.advance(milliseconds: 1_800_000)
        #expect(try await device.send(.activationPassword, proof: .password, to: harness).refusal == .pendingExpired)
        #expect(try await harness.device(device) == nil)
        #expect(try await harness.status() == .timeout)
    }

    @Test func `the derived keys wait two minutes for request 2`() async throws {
        let harness = try await Harness()
        let initiator = try await Authenticator.initiator(code: harness.register(), random: harness.random)
        let first = try await harness.platform.execute(initiator.command)
        var session = try initiator.receive(first)
        harness.time.advance(milliseconds: 120_000)
        let request = try session.seal(
            Authenticator.registration(P256.Signing.PrivateKey(compactRepresentable: false), random: harness.random),
            random: harness.random)
        let answer = try await harness.platform.execute(request)
        #expect(try ActivationRefusal(decoding: answer.bytes).reason == .refused)
    }

    @Test func `a new registration ends a running activation`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: harness.register(), with: harness)
        _ = try await harness.register()
        #expect(try await harness.device(device) == nil)
        await #expect(throws: PlatformError(.undecodableCommand)) {
            try await device.send(.activationPassword, proof: .password, to: harness)
        }
    }

    @Test func `a sixth device is refused until one is revoked`() async throws {
        let harness = try await Harness()
        var devices: [Authenticator] = []
        for _ in 0..<5 { devices.append(try await harness.activate()) }
        let code = try await harness.register()
        await #expect(throws: ActivationRefused(reason: .deviceLimitReached)) {
            _ = try await Authenticator.exchangeKeys(code: code, with: harness)
        }
        try await devices[0].send(.userDelete, to: harness)
        let sixth = try await Authenticator.exchangeKeys(code: code, with: harness)
        try await sixth.complete(with: harness)
        try await sixth.registerNotifications(with: harness)
        #expect(try await harness.status() == .activated)
    }
}
