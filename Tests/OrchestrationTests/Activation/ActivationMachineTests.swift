import Crypto
import OrchestrationTesting
import Primitives
import SecureChannel
import Testing
import Wire

@testable import Orchestration

@Suite struct ActivationMachineTests {
    let exchange = {
        let random = SeededRandomSource(seed: 7)
        return ActivationExchange(code: ActivationExchange.code(random), random: random)
    }()

    /// A machine that waits for answer 2, and the answer.
    private func atStepTwo() throws -> (ActivationMachineBox, OrchestrationCommand, ActivationSecrets) {
        var machine = try exchange.machine()
        let first = try #require(machine.first.command)
        let (answer, state) = try exchange.answer(first)
        _ = machine.receive(answer)
        let second = try #require(machine.register(deviceKey: ActivationExchange.devicePublicKey()).command)
        let (keys, secrets) = try exchange.provision(second, state)
        return (ActivationMachineBox(machine), keys, secrets)
    }

    @Test func `an activation goes through its steps in order`() throws {
        var machine = try exchange.machine()
        #expect(machine.first.name == "send 1")
        let (answer, state) = try exchange.answer(try #require(machine.first.command))
        #expect(machine.receive(answer).name == "make device key")
        let second = machine.register(deviceKey: ActivationExchange.devicePublicKey())
        #expect(second.name == "send 2")
        let (keys, secrets) = try exchange.provision(try #require(second.command), state)
        #expect(machine.receive(keys).name == "enroll")
        #expect(machine.enter(SecretBox("482915")).name == "confirm")
        guard case .store(let device) = machine.enter(SecretBox("482915")) else {
            Issue.record("the device is not stored")
            return
        }
        #expect(device.secrets.passwordInstance == secrets.passwordInstance)
        #expect(device.secrets.possessionInstance == secrets.possessionInstance)
        #expect(device.secrets.ratchet == secrets.ratchet)
        #expect(device.secrets.channel == secrets.channel)
        guard case .prove(let secret) = machine.stored() else {
            Issue.record("the secret is not proven")
            return
        }
        #expect(secret == secrets.passwordInstance)
        #expect(machine.proven(receipt: [1]).name == "complete")
        #expect(machine.completed().name == "finish: activated")
        #expect(machine.completed().name == "ignore")
    }

    @Test func `the second suite is used when both sides know it`() throws {
        var machine = try exchange.machine(suites: [.classic, .hybrid])
        let (answer, state) = try exchange.answer(try #require(machine.first.command))
        #expect(state.suite == .hybrid)
        #expect(machine.receive(answer).name == "make device key")
    }

    @Test func `a platform that does not know the code ends the run`() throws {
        let other = ActivationExchange(code: ActivationExchange.code(exchange.random), random: exchange.random)
        var machine = try exchange.machine()
        let (answer, _) = try other.answer(try #require(machine.first.command))
        #expect(machine.receive(answer).name == "finish: codeNotConfirmed")
        #expect(machine.receive(answer).name == "ignore")
    }

    @Test func `strangers' replies are ignored at step 1 and the true one still counts`() throws {
        var machine = try exchange.machine()
        let first = try #require(machine.first.command)
        var other = try exchange.machine()
        let (foreign, otherState) = try exchange.answer(try #require(other.first.command))
        _ = other.receive(foreign)
        let otherSecond = try #require(other.register(deviceKey: ActivationExchange.devicePublicKey()).command)
        let (otherKeys, _) = try exchange.provision(otherSecond, otherState)
        let refusal = ActivationRefusal(sessionID: exchange.random.bytes(16), reason: .refused).command
        for reply in [first, foreign, otherSecond, otherKeys, refusal] {
            #expect(machine.receive(reply).name == "ignore")
        }
        #expect(machine.receive(try exchange.answer(first).answer).name == "make device key")
    }

    @Test func `no changed bit of answer 1 gets past it`() throws {
        let template = try exchange.machine()
        let count = try exchange.answer(try #require(template.first.command)).answer.bytes.count
        for index in 0..<count {
            var machine = try exchange.machine()
            var bytes = try exchange.answer(try #require(machine.first.command)).answer.bytes
            bytes[index] ^= 1 << UInt8(index % 8)
            guard let damaged = try? OrchestrationCommand(bytes: bytes) else { continue }
            let action = machine.receive(damaged)
            #expect(["ignore", "finish: codeNotConfirmed"].contains(action.name) || action.isFailure, "byte \(index)")
        }
    }

    @Test func `no truncated answer gets past its step`() throws {
        let (box, keys, _) = try atStepTwo()
        for count in 1..<keys.bytes.count {
            guard let cut = try? OrchestrationCommand(bytes: Array(keys.bytes.prefix(count))) else { continue }
            #expect(box.machine.receive(cut).name == "ignore")
        }
        #expect(box.machine.receive(keys).name == "enroll")
    }

    @Test func `no changed bit of answer 2 gets past it and the true one still counts`() throws {
        let (box, keys, _) = try atStepTwo()
        for index in keys.bytes.indices {
            for bit in [0, 3, 7] {
                var bytes = keys.bytes
                bytes[index] ^= 1 << UInt8(bit)
                guard let damaged = try? OrchestrationCommand(bytes: bytes) else { continue }
                #expect(box.machine.receive(damaged).name == "ignore", "byte \(index), bit \(bit)")
            }
        }
        #expect(box.machine.receive(keys).name == "enroll")
    }

    @Test func `a duplicate of an earlier answer is ignored later`() throws {
        var machine = try exchange.machine()
        let (answer, state) = try exchange.answer(try #require(machine.first.command))
        _ = machine.receive(answer)
        #expect(machine.receive(answer).name == "ignore")
        let second = try #require(machine.register(deviceKey: ActivationExchange.devicePublicKey()).command)
        #expect(machine.receive(answer).name == "ignore")
        let (keys, _) = try exchange.provision(second, state)
        _ = machine.receive(keys)
        for late in [answer, keys] { #expect(machine.receive(late).name == "ignore") }
        #expect(machine.enter(SecretBox("482915")).name == "confirm")
        for late in [answer, keys] { #expect(machine.receive(late).name == "ignore") }
        #expect(machine.enter(SecretBox("482915")).name == "store")
    }

    @Test func `refusals end the run by what they say`() throws {
        for (reason, end) in [
            (
                // Nobody vouches for it, so it is not counted like a wrong tag.
                ActivationRefusal.Reason.refused,
                "finish: aborted(Orchestration.AbortCause.activationPassword(Orchestration.ActivationPasswordRejection.notConfirmed))"
            ),
            (.deviceLimitReached, "finish: aborted(Orchestration.AbortCause.deviceLimitReached)"),
        ] {
            var machine = try exchange.machine()
            let request = try ActivationRequest(decoding: try #require(machine.first.command).bytes)
            let refusal = ActivationRefusal(sessionID: request.sessionID, reason: reason).command
            #expect(machine.receive(refusal).name == end)
        }
    }

    @Test func `a weak password and another confirmation are asked again`() throws {
        let (box, keys, _) = try atStepTwo()
        _ = box.machine.receive(keys)
        #expect(box.machine.enter(SecretBox("12345")).name == "enroll again: unsuitable(tooShort)")
        #expect(box.machine.enter(SecretBox("111111")).name.hasPrefix("enroll again: unsuitable"))
        #expect(box.machine.enter(SecretBox("48291a")).name == "enroll again: unsuitable(notDigits)")
        #expect(box.machine.enter(SecretBox("482915")).name == "confirm")
        #expect(box.machine.enter(SecretBox("482916")).name == "enroll again: confirmationDiffers")
        #expect(box.machine.enter(SecretBox("482915")).name == "confirm")
        #expect(box.machine.enter(SecretBox("482915")).name == "store")
    }

    @Test func `what the platform issues outside the limits ends the run`() throws {
        var machine = try exchange.machine()
        let (answer, state) = try exchange.answer(try #require(machine.first.command))
        _ = machine.receive(answer)
        let second = try #require(machine.register(deviceKey: ActivationExchange.devicePublicKey()).command)
        let (keys, _) = try exchange.provision(second, state, sealingSuite: .hybrid)
        #expect(machine.receive(keys).name == "finish: failed(invalidAnswer)")
    }

    @Test func `a sealing key under the id of another ends the run before anything is stored`() throws {
        var machine = try exchange.machine()
        let (answer, state) = try exchange.answer(try #require(machine.first.command))
        _ = machine.receive(answer)
        let second = try #require(machine.register(deviceKey: ActivationExchange.devicePublicKey()).command)
        let (keys, _) = try exchange.provision(second, state, sealingKeyID: [UInt8](repeating: 0, count: 8))
        #expect(machine.receive(keys).name == "finish: failed(invalidAnswer)")
    }

    @Test func `inputs that do not belong to the state change nothing`() throws {
        var machine = try exchange.machine()
        let first = try #require(machine.first.command)
        let refusal = ChannelRefusal(Refusal(.wrongPassword))
        #expect(machine.register(deviceKey: [2]).name == "ignore")
        #expect(machine.enter(SecretBox("482915")).name == "ignore")
        #expect(machine.stored().name == "ignore")
        #expect(machine.recalled(SymmetricKey(size: .bits256)).name == "ignore")
        #expect(machine.proven(receipt: []).name == "ignore")
        #expect(machine.completed().name == "ignore")
        #expect(machine.refused(refusal).name == "ignore")
        #expect(machine.receive(try exchange.answer(first).answer).name == "make device key")
    }

    @Test func `an interrupted activation asks for the password until the platform takes it`() {
        var machine = ActivationMachine(resumingWith: nil)
        #expect(machine.first.name == "recall")
        #expect(machine.recalled(SymmetricKey(size: .bits256)).name == "prove")
        let refusal = ChannelRefusal(Refusal(.wrongPassword, remainingTries: 4))
        #expect(machine.refused(refusal).name == "recall again: wrongPassword, 4 left")
        #expect(machine.recalled(SymmetricKey(size: .bits256)).name == "prove")
        #expect(machine.proven(receipt: [7]).name == "complete")
        #expect(machine.completed().name == "finish: activated")
    }

    @Test func `the last wrong password ends it`() {
        var machine = ActivationMachine(resumingWith: nil)
        _ = machine.recalled(SymmetricKey(size: .bits256))
        let refusal = ChannelRefusal(Refusal(.wrongPassword, remainingTries: 0))
        #expect(machine.refused(refusal).name == "finish: dropped(Orchestration.ActivationEnd.Drop.locked)")
    }

    @Test func `an activation with a receipt goes on at step 4`() {
        var machine = ActivationMachine(resumingWith: [7])
        guard case .complete(let receipt) = machine.first else {
            Issue.record("step 4 is not next")
            return
        }
        #expect(receipt == [7])
        #expect(machine.completed().name == "finish: activated")
    }

    @Test(arguments: [
        (RefusalCode.pendingExpired, "finish: dropped(Orchestration.ActivationEnd.Drop.expired)"),
        (.locked, "finish: dropped(Orchestration.ActivationEnd.Drop.locked)"),
        (.revoked, "finish: dropped(Orchestration.ActivationEnd.Drop.revoked)"),
        (.wrongReceipt, "finish: aborted(Orchestration.AbortCause.refused(code: 8))"),
        (RefusalCode(rawValue: 99), "finish: aborted(Orchestration.AbortCause.refused(code: 99))"),
    ])
    func `a sealed refusal ends the activation by what it says`(code: RefusalCode, end: String) {
        var machine = ActivationMachine(resumingWith: [7])
        #expect(machine.refused(ChannelRefusal(Refusal(code))).name == end)
        #expect(machine.completed().name == "ignore")
    }
}

/// Keeps a machine where a closure or a tuple needs something that can be copied.
final class ActivationMachineBox {
    var machine: ActivationMachine

    init(_ machine: consuming ActivationMachine) { self.machine = machine }
}

extension ActivationMachine.Action {
    /// Whether the action ends the run with an error of the peer's.
    fileprivate var isFailure: Bool {
        guard case .finish(.failed(let code)) = self else { return false }
        return code == .invalidAnswer
    }
}
