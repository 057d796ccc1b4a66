import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration

@Suite struct ActivationMachineTests {
    let exchange = {
        let random = SeededRandomSource(seed: 7)
        return ActivationExchange(
            activationPassword: ActivationExchange.activationPassword(random), random: random)
    }()

    /// A machine that waits for answer 2, and the answer.
    private func atStepTwo() throws -> (ActivationMachineBox, OrchestrationCommand, ActivationSecrets) {
        var machine = try exchange.machine()
        let first = try #require(machine.first.command)
        let (answer, state) = try exchange.answer(first)
        _ = machine.receive(answer)
        let second = try #require(machine.register(deviceKey: ActivationExchange.devicePublicKey())?.command)
        let (keys, secrets) = try exchange.provision(second, state)
        return (ActivationMachineBox(machine), keys, secrets)
    }

    @Test func `an activation goes through its steps in order`() throws {
        var machine = try exchange.machine()
        let first = try #require(machine.first.command)
        #expect(machine.first == .send(first, step: 1))
        let (answer, state) = try exchange.answer(first)
        #expect(machine.receive(answer) == .makeDeviceKey)
        let action = machine.register(deviceKey: ActivationExchange.devicePublicKey())
        let second = try #require(action?.command)
        #expect(action == .send(second, step: 2))
        let (keys, secrets) = try exchange.provision(second, state)
        #expect(machine.receive(keys) == .enroll(.default, rejection: nil))
        #expect(machine.enter(SecretBox("482915")) == .confirm(.default))
        #expect(machine.enter(SecretBox("482915")) == .store)
        let device = try #require(machine.chosen?.device)
        #expect(device.secrets.passwordInstance == secrets.passwordInstance)
        #expect(device.secrets.possessionInstance == secrets.possessionInstance)
        #expect(device.secrets.ratchet == secrets.ratchet)
        #expect(device.secrets.channel == secrets.channel)
        #expect(machine.stored() == .prove)
        #expect(machine.passwordSecret == secrets.passwordInstance)
        let isKept = machine.chosen != nil
        #expect(!isKept)
        #expect(machine.accepted(receipt: [1]) == .complete(receipt: [1]))
        #expect(machine.accepted(receipt: []) == .finish(.activated))
        #expect(machine.accepted(receipt: []) == nil)
    }

    @Test func `the second suite is used when both sides know it`() throws {
        var machine = try exchange.machine(suites: [.classic, .hybrid])
        let (answer, state) = try exchange.answer(try #require(machine.first.command))
        #expect(state.suite == .hybrid)
        #expect(machine.receive(answer) == .makeDeviceKey)
    }

    @Test func `a platform that does not know the activation password ends the run`() throws {
        let other = ActivationExchange(
            activationPassword: ActivationExchange.activationPassword(exchange.random), random: exchange.random)
        var machine = try exchange.machine()
        let (answer, _) = try other.answer(try #require(machine.first.command))
        #expect(machine.receive(answer) == .finish(.notConfirmed))
        #expect(machine.receive(answer) == nil)
    }

    @Test func `foreign replies are ignored at step 1, and the right one is still accepted`() throws {
        var machine = try exchange.machine()
        let first = try #require(machine.first.command)
        var other = try exchange.machine()
        let (foreign, otherState) = try exchange.answer(try #require(other.first.command))
        _ = other.receive(foreign)
        let otherSecond = try #require(other.register(deviceKey: ActivationExchange.devicePublicKey())?.command)
        let (otherKeys, _) = try exchange.provision(otherSecond, otherState)
        let refusal = ActivationRefusal(sessionID: exchange.random.bytes(16), reason: .refused).command
        for reply in [first, foreign, otherSecond, otherKeys, refusal] {
            #expect(machine.receive(reply) == nil)
        }
        #expect(machine.receive(try exchange.answer(first).answer) == .makeDeviceKey)
    }

    @Test func `no changed bit of answer 1 is accepted`() throws {
        let template = try exchange.machine()
        let count = try exchange.answer(try #require(template.first.command)).answer.bytes.count
        for index in 0..<count {
            var machine = try exchange.machine()
            var bytes = try exchange.answer(try #require(machine.first.command)).answer.bytes
            bytes[index] ^= 1 << UInt8(index % 8)
            guard let damaged = try? OrchestrationCommand(bytes: bytes) else { continue }
            let action = machine.receive(damaged)
            #expect(
                [nil, .finish(.notConfirmed), .finish(.failed(.invalidAnswer))].contains(action), "byte \(index)")
        }
    }

    @Test func `no truncated answer is accepted`() throws {
        let (box, keys, _) = try atStepTwo()
        for count in 1..<keys.bytes.count {
            guard let cut = try? OrchestrationCommand(bytes: Array(keys.bytes.prefix(count))) else { continue }
            #expect(box.machine.receive(cut) == nil)
        }
        #expect(box.machine.receive(keys) == .enroll(.default, rejection: nil))
    }

    @Test func `no changed bit of answer 2 is accepted, and the right answer still is`() throws {
        let (box, keys, _) = try atStepTwo()
        for index in keys.bytes.indices {
            for bit in [0, 3, 7] {
                var bytes = keys.bytes
                bytes[index] ^= 1 << UInt8(bit)
                guard let damaged = try? OrchestrationCommand(bytes: bytes) else { continue }
                #expect(box.machine.receive(damaged) == nil, "byte \(index), bit \(bit)")
            }
        }
        #expect(box.machine.receive(keys) == .enroll(.default, rejection: nil))
    }

    @Test func `a duplicate of an earlier answer is ignored later`() throws {
        var machine = try exchange.machine()
        let (answer, state) = try exchange.answer(try #require(machine.first.command))
        _ = machine.receive(answer)
        #expect(machine.receive(answer) == nil)
        let second = try #require(machine.register(deviceKey: ActivationExchange.devicePublicKey())?.command)
        #expect(machine.receive(answer) == nil)
        let (keys, _) = try exchange.provision(second, state)
        _ = machine.receive(keys)
        for late in [answer, keys] { #expect(machine.receive(late) == nil) }
        #expect(machine.enter(SecretBox("482915")) == .confirm(.default))
        for late in [answer, keys] { #expect(machine.receive(late) == nil) }
        #expect(machine.enter(SecretBox("482915")) == .store)
    }

    @Test func `refusals end the run by what they say`() throws {
        for (reason, end) in [
            (
                // The refusal is not authenticated, so it is not counted like a wrong tag.
                ActivationRefusal.Reason.refused,
                ActivationMachine.End.ended(OrchestrationError(.activationPasswordNotConfirmed))
            ),
            (.deviceLimitReached, .ended(OrchestrationError(.deviceLimitReached))),
            (.sessionReused, .failed(.invalidAnswer)),
        ] {
            var machine = try exchange.machine()
            let request = try ActivationRequest(decoding: try #require(machine.first.command).bytes)
            let refusal = ActivationRefusal(sessionID: request.sessionID, reason: reason).command
            #expect(machine.receive(refusal) == .finish(end))
        }
    }

    @Test func `a weak password and another confirmation are asked again`() throws {
        let (box, keys, _) = try atStepTwo()
        _ = box.machine.receive(keys)
        #expect(
            box.machine.enter(SecretBox("12345")) == .enroll(.default, rejection: .unsuitable(.tooShort(minimum: 6))))
        #expect(box.machine.enter(SecretBox("111111")) == .enroll(.default, rejection: .unsuitable(.constantStep)))
        #expect(box.machine.enter(SecretBox("48291a")) == .enroll(.default, rejection: .unsuitable(.notDigits)))
        #expect(box.machine.enter(SecretBox("482915")) == .confirm(.default))
        #expect(box.machine.enter(SecretBox("482916")) == .enroll(.default, rejection: .confirmationDiffers))
        #expect(box.machine.enter(SecretBox("482915")) == .confirm(.default))
        #expect(box.machine.enter(SecretBox("482915")) == .store)
    }

    @Test func `what the platform issues outside the limits ends the run`() throws {
        var machine = try exchange.machine()
        let (answer, state) = try exchange.answer(try #require(machine.first.command))
        _ = machine.receive(answer)
        let second = try #require(machine.register(deviceKey: ActivationExchange.devicePublicKey())?.command)
        let (keys, _) = try exchange.provision(second, state, sealingSuite: .hybrid)
        #expect(machine.receive(keys) == .finish(.failed(.invalidAnswer)))
    }

    @Test func `a sealing key under the id of another ends the run before anything is stored`() throws {
        var machine = try exchange.machine()
        let (answer, state) = try exchange.answer(try #require(machine.first.command))
        _ = machine.receive(answer)
        let second = try #require(machine.register(deviceKey: ActivationExchange.devicePublicKey())?.command)
        let (keys, _) = try exchange.provision(second, state, sealingKeyID: [UInt8](repeating: 0, count: 8))
        #expect(machine.receive(keys) == .finish(.failed(.invalidAnswer)))
    }

    @Test func `inputs that do not belong to the state change nothing`() throws {
        var machine = try exchange.machine()
        let first = try #require(machine.first.command)
        let refusal = ChannelRefusal(Refusal(.wrongPassword))
        #expect(machine.register(deviceKey: [2]) == nil)
        #expect(machine.enter(SecretBox("482915")) == nil)
        #expect(machine.stored() == nil)
        #expect(machine.recalled(SymmetricKey(size: .bits256)) == nil)
        #expect(machine.accepted(receipt: []) == nil)
        #expect(machine.accepted(receipt: []) == nil)
        #expect(machine.refused(refusal) == nil)
        #expect(machine.receive(try exchange.answer(first).answer) == .makeDeviceKey)
    }

    @Test func `an interrupted activation asks for the password until the platform takes it`() {
        var machine = ActivationMachine(resumingWith: nil)
        #expect(machine.first == .recall(rejection: nil))
        #expect(machine.recalled(SymmetricKey(size: .bits256)) == .prove)
        let refusal = ChannelRefusal(Refusal(.wrongPassword, remainingTries: 4))
        #expect(machine.refused(refusal) == .recall(rejection: .wrongPassword(remainingTries: 4)))
        #expect(machine.recalled(SymmetricKey(size: .bits256)) == .prove)
        #expect(machine.accepted(receipt: [7]) == .complete(receipt: [7]))
        #expect(machine.accepted(receipt: []) == .finish(.activated))
    }

    @Test func `the last wrong password ends the activation`() {
        var machine = ActivationMachine(resumingWith: nil)
        _ = machine.recalled(SymmetricKey(size: .bits256))
        let refusal = ChannelRefusal(Refusal(.wrongPassword, remainingTries: 0))
        #expect(machine.refused(refusal) == .finish(.dropped(OrchestrationError(.userLocked))))
    }

    @Test func `an activation with a receipt goes on at step 4`() {
        var machine = ActivationMachine(resumingWith: [7])
        #expect(machine.first == .complete(receipt: [7]))
        #expect(machine.accepted(receipt: []) == .finish(.activated))
    }

    @Test(arguments: [
        (RefusalCode.pendingExpired, ActivationMachine.End.dropped(OrchestrationError(.activationExpired))),
        (.locked, .dropped(OrchestrationError(.userLocked))), (.revoked, .dropped(OrchestrationError(.revoked))),
        (.wrongReceipt, .ended(OrchestrationError(.refused))),
        (RefusalCode(rawValue: 99), .ended(OrchestrationError(.refusalUnknown))),
    ])
    func `a sealed refusal ends the activation by what it says`(code: RefusalCode, end: ActivationMachine.End) {
        var machine = ActivationMachine(resumingWith: [7])
        #expect(machine.refused(ChannelRefusal(Refusal(code))) == .finish(end))
        #expect(machine.accepted(receipt: []) == nil)
    }
}

/// A box for a machine, which a tuple cannot hold because it cannot be copied.
final class ActivationMachineBox {
    var machine: ActivationMachine

    init(_ machine: consuming ActivationMachine) { self.machine = machine }
}
