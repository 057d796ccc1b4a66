import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

struct ChannelTests {
    let register = RequestBody.notificationsRegister(identifier: "pull:1")

    @Test func `a repeat gets the same bytes and has no second effect`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let sent = try await device.seal(register, to: harness)
        let answer = try await harness.platform.execute(sent.command)
        let row = try await harness.device(device)
        for _ in 0..<3 { #expect(try await harness.platform.execute(sent.command) == answer) }
        #expect(try await harness.device(device) == row)
        #expect(try await harness.events(.notificationsRegistered).count == 1)
    }

    @Test func `64 concurrent copies of a request get one answer`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let command = try await device.seal(register, to: harness).command
        let answers = try await withThrowingTaskGroup(of: OrchestrationCommand.self) { group in
            for _ in 0..<64 { group.addTask { try await harness.platform.execute(command) } }
            return try await group.reduce(into: Set<OrchestrationCommand>()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
        #expect(try await harness.events(.notificationsRegistered).count == 1)
    }

    @Test func `other bytes under a known request id are refused`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let id = harness.random.bytes(16)
        let first = try await device.seal(register, requestID: id, to: harness)
        _ = try await harness.platform.execute(first.command)
        let second = try await device.seal(.userDelete, requestID: id, to: harness)
        await #expect(throws: PlatformError(.undecodableCommand)) {
            _ = try await harness.platform.execute(second.command)
        }
        #expect(try await harness.device(device)?.state == .active)
    }

    @Test func `extensions that the platform does not know are ignored, and critical ones are refused`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate(registersNotifications: false)
        let critical = try await device.seal(register, extensions: [0: .null, -1: .unsigned(1)], to: harness)
        await #expect(throws: PlatformError(.undecodableCommand)) {
            _ = try await harness.platform.execute(critical.command)
        }
        #expect(try await harness.device(device)?.state == .pendingNotification)
        let ignored: Extensions = [0: .null, 400: .array([.text("later")])]
        let answer = try await device.send(register, extensions: ignored, to: harness)
        #expect(answer.result == .accepted(.notificationsRegister))
        #expect(answer.extensions == .none)
        #expect(try await harness.device(device)?.state == .active)
    }

    @Test func `outside its time a request brings the platform's time and has no effect`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate(registersNotifications: false)
        for lifetime in [-1, -3_600_000, 300_001, 86_400_000] as [Int64] {
            let answer = try await device.send(register, lifetime: lifetime, to: harness)
            #expect(answer.refusal == .expired)
            #expect(answer.time == harness.time.now())
        }
        #expect(try await harness.device(device)?.state == .pendingNotification)
        for lifetime in [0, 300_000] as [Int64] {
            #expect(try await device.send(register, lifetime: lifetime, to: harness).refusal == nil)
        }
    }

    @Test(arguments: [-360_000, 360_000, -300_001, 300_001, -1_700_000_000_000, .max] as [Int64])
    func `a request whose signed time is too far off brings the platform's time and has no effect`(
        clockError: Int64
    ) async throws {
        let harness = try await Harness()
        let device = try await harness.activate(registersNotifications: false)
        let answer = try await device.send(register, clockError: clockError, to: harness)
        #expect(answer.refusal == .expired)
        #expect(answer.time == harness.time.now())
        #expect(try await harness.device(device)?.state == .pendingNotification)
        #expect(try await harness.events(.notificationsRegistered).isEmpty)
        // The device takes the time of the answer and asks once more.
        #expect(try await device.send(register, to: harness).refusal == nil)
    }

    @Test(arguments: [-240_000, 240_000, -300_000, 300_000] as [Int64])
    func `a signed time up to five minutes off is accepted`(clockError: Int64) async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        #expect(try await device.send(register, clockError: clockError, to: harness).refusal == nil)
        #expect(try await harness.device(device)?.state == .active)
    }

    @Test func `a wrong password with a wrong time is not counted`() async throws {
        let harness = try await Harness()
        let user = "alice@master"
        let device = try await Authenticator.exchangeKeys(user, code: try await harness.register(user), with: harness)
        let answer = try await device.send(
            .activationPassword, proof: .password, wrong: true, clockError: 360_000, to: harness)
        #expect(answer.refusal == .expired)
        #expect(try await harness.device(device)?.passwordFailures == 0)
    }

    @Test func `a request repeated after its answer was removed is refused as expired`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let sent = try await device.seal(register, to: harness)
        _ = try await harness.platform.execute(sent.command)
        harness.time.advance(milliseconds: 360_000)
        let again = try await harness.platform.execute(sent.command)
        #expect(try device.open(again, to: sent).refusal == .expired)
        #expect(try await harness.events(.notificationsRegistered).count == 1)
    }

    @Test func `a device over its limit gets a time to wait, and other devices do not`() async throws {
        let harness = try await Harness(.init(postQuantum: .off, requestsPerDevice: 10))
        let alice = try await harness.activate()
        let bob = try await harness.activate("bob@master")
        var refusal: Refusal?
        for _ in 0..<10 { refusal = try await alice.send(register, to: harness).refused ?? refusal }
        #expect(refusal?.code == .rateLimited)
        #expect(refusal?.retryAfter == 6_000)
        #expect(try await bob.send(register, to: harness).refusal == nil)
        harness.time.advance(milliseconds: 6_000)
        #expect(try await alice.send(register, to: harness).refusal == nil)
    }

    @Test func `invalid commands are limited by address and do not stop devices at that address`() async throws {
        let harness = try await Harness(.init(postQuantum: .off, requestsPerAddress: 5))
        let device = try await harness.activate()
        let rubbish = try OrchestrationCommand(bytes: [0x81, 0x01])
        for _ in 0..<5 {
            await #expect(throws: PlatformError(.undecodableCommand)) {
                _ = try await harness.platform.execute(rubbish, from: "192.0.2.1")
            }
        }
        await #expect(throws: PlatformError(.busy)) {
            _ = try await harness.platform.execute(rubbish, from: "192.0.2.1")
        }
        let sent = try await device.seal(register, to: harness)
        let answer = try await harness.platform.execute(sent.command, from: "192.0.2.1")
        #expect(try device.open(answer, to: sent).refusal == nil)
        await #expect(throws: PlatformError(.undecodableCommand)) {
            _ = try await harness.platform.execute(rubbish, from: "192.0.2.2")
        }
    }

    @Test func `a pointer and the answers of a platform are no requests, and are limited by address`() async throws {
        let harness = try await Harness(.init(postQuantum: .off, requestsPerAddress: 2))
        let pointer = ApprovalPointer(tenant: "default", id: [UInt8](repeating: 1, count: 16)).command
        let refusal = ActivationRefusal(sessionID: [UInt8](repeating: 1, count: 16), reason: .refused).command
        for command in [pointer, refusal] {
            await #expect(throws: PlatformError(.undecodableCommand)) {
                _ = try await harness.platform.execute(command, from: "192.0.2.1")
            }
        }
        await #expect(throws: PlatformError(.busy)) {
            _ = try await harness.platform.execute(pointer, from: "192.0.2.1")
        }
    }

    @Test func `a device that deletes its user is revoked, its keys are erased, and its last answer can be repeated`()
        async throws
    {
        let harness = try await Harness()
        let device = try await harness.activate()
        let sent = try await device.seal(.userDelete, to: harness)
        let answer = try await harness.platform.execute(sent.command)
        #expect(try device.open(answer, to: sent).result == .accepted(.userDelete))
        let row = try await harness.device(device)
        #expect(row?.state == .revoked)
        #expect(row?.secrets == nil && row?.ratchet == nil)
        #expect(try await harness.platform.execute(sent.command) == answer)
        #expect(try await device.send(register, to: harness).refusal == .revoked)
        #expect(try await harness.login(try device.code(at: harness.time.now())).status == .refused)
    }

    @Test func `a copied store that falls behind is a clone, and locks the device`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let copy = try device.copy()
        for _ in 0..<2 {
            harness.time.advance(milliseconds: RatchetState.overlap + 1)
            try await device.send(register, to: harness)
            try await device.send(register, to: harness)
        }
        #expect(device.index == 2)
        let first = try await copy.send(register, to: harness)
        #expect(first.refusal == .ratchetOutdated)
        #expect(try await harness.device(device)?.passwordFailures == 0)
        let second = try await copy.send(register, reread: true, to: harness)
        #expect(second.refusal == .cloneSuspected)
        #expect(try await harness.device(device)?.lockReason == .cloneSuspected)
        #expect(try await device.send(register, to: harness).refusal == .cloneSuspected)
        #expect(try await harness.login(try device.code(at: harness.time.now())).status == .refused)
        #expect(try await harness.events(.deviceLocked).map(\.reason) == ["cloneSuspected"])
    }

    @Test func `an answer reports the number of failed codes once`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        for _ in 0..<3 { _ = try await harness.login("00000000") }
        #expect(try await device.send(register, to: harness).failedCodes == 3)
        #expect(try await device.send(register, to: harness).failedCodes == 0)
    }
}

struct ChannelCountingTests {
    @Test func `a repeated decision has one effect`() async throws {
        let harness = try await Harness(.init(postQuantum: .off, requestsPerDevice: 40))
        let device = try await harness.activate()
        var commands: [OrchestrationCommand] = []
        for number in 0..<32 {
            commands.append(
                try await device.seal(.notificationsRegister(identifier: "pull:\(number)"), to: harness).command)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for command in commands { group.addTask { _ = try await harness.platform.execute(command) } }
            try await group.waitForAll()
        }
        #expect(try await harness.events(.notificationsRegistered).count == 32)
    }
}
