import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The key ratchet between a device and the platform: an honest device is never left behind, and a copy is found.
struct RatchetTests {
    let harness: Harness
    let device: Authenticator

    init() async throws {
        harness = try await Harness()
        device = try await harness.activate()
    }

    private let register = RequestBody.notificationsRegister(identifier: "pull:1")

    /// Waits until the platform offers the next index.
    private func wait() { harness.time.advance(milliseconds: RatchetState.overlap + 1) }

    /// Moves the device to the next index, and lets the platform confirm it.
    private func move() async throws {
        wait()
        try await device.send(register, to: harness)
        try await device.send(register, to: harness)
    }

    private func expectLocked() async throws {
        let row = try #require(try await harness.device(device))
        #expect(row.state == .locked && row.lockReason == .cloneSuspected)
        #expect(row.passwordFailures == 0, "a fork is no wrong password")
        #expect(try await harness.events(.deviceLocked).map(\.reason) == ["cloneSuspected"])
    }

    @Test func `the platform answers the input of the device after five minutes, and the next request promotes`()
        async throws
    {
        try await device.send(register, to: harness)
        #expect(device.index == 0)
        wait()
        try await device.send(register, to: harness)
        #expect(device.index == 1)
        #expect(try await harness.device(device)?.ratchetIndex == 0, "an offer is not a move")
        try await device.send(register, to: harness)
        #expect(try await harness.device(device)?.ratchetIndex == 1)
        #expect(device.index == 1, "the time since the promotion counts")
        wait()
        try await device.send(register, to: harness)
        #expect(device.index == 2)
    }

    @Test func `a lost answer is given again with the same input, and a doubled one moves nothing`() async throws {
        wait()
        var inputs: [SymmetricKey?] = []
        for _ in 0..<3 {
            try await device.send(register, moves: false, to: harness)
            inputs.append(device.platformInput)
            wait()
        }
        #expect(inputs[0] != nil && Set(inputs.map { $0?.withSpan { [UInt8]($0) } }).count == 1)
        device.move()
        device.move()
        #expect(device.index == 1)
        #expect(try await device.send(register, to: harness).refusal == nil)
        #expect(try await harness.device(device)?.ratchetIndex == 1)
    }

    @Test func `a request without an input gets none, also while one is stored`() async throws {
        wait()
        try await device.send(register, asks: false, to: harness)
        #expect(device.platformInput == nil)
        #expect(try await harness.device(device)?.offeredIndex == 0)
        try await device.send(register, moves: false, to: harness)
        let input = device.platformInput
        try await device.send(register, moves: false, asks: false, to: harness)
        #expect(device.platformInput == nil && input != nil)
    }

    @Test func `a typed code of the offered index promotes it, and one of the index before is accepted for a while`()
        async throws
    {
        wait()
        let before = try device.copy()
        try await device.send(register, to: harness)
        #expect(try await harness.login(device.code(counter: 5), application: .app2).status == .accepted)
        #expect(try await harness.device(device)?.ratchetIndex == 1)
        #expect(try await harness.login(before.code(counter: 6), application: .app2).status == .accepted)
        wait()
        #expect(try await harness.login(before.code(counter: 7), application: .app2).reason == .wrongCredential)
    }

    @Test func `a wrong tag at a known index locks the device, and is checked before the password`() async throws {
        for index in [0, 1] as [UInt64] {
            let scene = try await RatchetTests()
            try await scene.move()
            let copy = try scene.device.copy()
            (copy.index, copy.ratchet) = (index, SymmetricKey(size: .bits256))
            let answer = try await copy.send(.passwordProve, proof: .password, wrong: true, to: scene.harness)
            #expect(answer.refusal == .cloneSuspected && copy.platformInput == nil)
            try await scene.expectLocked()
        }
    }

    @Test func `a wrong tag at the offered index is refused and locks nothing, because no copy has one`() async throws {
        wait()
        try await device.send(register, to: harness)
        let copy = try device.copy()
        copy.ratchet = SymmetricKey(size: .bits256)
        let answer = try await copy.send(.passwordProve, proof: .password, wrong: true, to: harness)
        #expect(answer.refusal == .ratchetUnknown)
        #expect(try await device.send(register, to: harness).refusal == nil)
        #expect(try await harness.device(device)?.passwordFailures == 0)
    }

    @Test func `the second of two stores that asks at one index is found`() async throws {
        let copy = try device.copy()
        wait()
        try await device.send(register, moves: false, to: harness)
        #expect(try await copy.send(register, to: harness).refusal == .cloneSuspected)
        #expect(copy.index == 0)
        try await expectLocked()
    }

    @Test func `a store that asks at the index before with another input is found`() async throws {
        let copy = try device.copy()
        try await move()
        #expect(try await copy.send(register, asks: false, to: harness).refusal == nil, "a message on its way")
        #expect(try await copy.send(register, to: harness).refusal == .cloneSuspected)
        try await expectLocked()
    }

    @Test func `a copy that leads is followed by the original, which is found`() async throws {
        let copy = try device.copy()
        wait()
        try await copy.send(register, to: harness)
        try await copy.send(register, to: harness)
        #expect(copy.index == 1)
        #expect(try await device.send(register, to: harness).refusal == .cloneSuspected)
        try await expectLocked()
    }

    @Test func `a copy that only follows proves nothing five minutes after the promotion`() async throws {
        let copy = try device.copy()
        try await move()
        wait()
        let answer = try await copy.send(.passwordProve, proof: .password, asks: false, to: harness)
        #expect(answer.refusal == .ratchetOutdated)
        #expect(try await harness.login(copy.code(counter: 9), application: .app2).status == .refused)
        // It is found when it says that it has read its store again, and is refused as long as it does not.
        #expect(try await copy.send(register, reread: true, asks: false, to: harness).refusal == .cloneSuspected)
        try await expectLocked()
    }

    @Test func `a store that is copied while an input is sent parts at the next one`() async throws {
        wait()
        try await device.send(register, moves: false, to: harness)
        let copy = try device.copy(isAsking: true)
        device.move()
        try await copy.send(register, to: harness)
        #expect(copy.index == 1 && copy.ratchet == device.ratchet)
        try await device.send(register, to: harness)
        wait()
        try await device.send(register, to: harness)
        #expect(try await copy.send(register, to: harness).refusal == .cloneSuspected)
        try await expectLocked()
    }

    @Test func `two requests at once get the same input of the platform`() async throws {
        let base = SQLiteDatabase.inMemory()
        let database = FaultInjectingDatabase(base)
        let harness = try await Harness(store: base, on: database)
        let device = try await harness.activate()
        harness.time.advance(milliseconds: RatchetState.overlap + 1)
        let (first, second) = (
            try await device.seal(register, to: harness), try await device.seal(register, to: harness)
        )
        let (answers, answered) = AsyncStream<OrchestrationCommand>.makeStream()
        let command = second.command
        database.beforeNextWrite {
            answered.yield(try await harness.platform.execute(command))
            answered.finish()
        }
        let answer = try await harness.platform.execute(first.command)
        for await earlier in answers { _ = try device.open(earlier, to: second) }
        let input = try #require(device.platformInput)
        _ = try device.open(answer, to: first)
        #expect(device.platformInput == input)
        device.move()
        #expect(try await device.send(register, to: harness).refusal == nil)
    }

    @Test func `a locked device gets no input`() async throws {
        let copy = try device.copy()
        copy.ratchet = SymmetricKey(size: .bits256)
        try await copy.send(register, to: harness)
        wait()
        try await device.send(register, moves: false, to: harness)
        #expect(device.platformInput == nil)
        #expect(try await harness.device(device)?.offeredIndex == 0)
    }
}
