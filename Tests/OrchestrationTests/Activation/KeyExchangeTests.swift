import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration

/// Steps 1 and 2 of an activation on the device, without a transport.
@Suite struct KeyExchangeTests {
    let exchange = {
        let random = SeededRandomSource(seed: 7)
        return ActivationExchange(
            activationPassword: ActivationExchange.activationPassword(random), random: random)
    }()

    @Test func `both sides get the same secrets`() throws {
        let (device, command, state) = try exchange.stepTwo()
        let (keys, secrets) = try exchange.provision(command, state)
        let activated = try #require(try device.device(in: keys))
        #expect(activated.secrets.passwordInstance == secrets.passwordInstance)
        #expect(activated.secrets.possessionInstance == secrets.possessionInstance)
        #expect(activated.secrets.ratchet == secrets.ratchet)
        #expect(activated.secrets.channel == secrets.channel)
        #expect(activated.policy == .default)
    }

    @Test func `the second suite is used when both sides know it`() throws {
        let offer = try exchange.offer(suites: [.classic, .hybrid])
        let (answer, state) = try exchange.answer(offer.command)
        #expect(state.suite == .hybrid)
        #expect(try offer.exchange(in: answer) != nil)
    }

    @Test func `a platform that does not know the activation password is detected`() throws {
        let other = ActivationExchange(
            activationPassword: ActivationExchange.activationPassword(exchange.random), random: exchange.random)
        let offer = try exchange.offer()
        let (answer, _) = try other.answer(offer.command)
        let error = #expect(throws: SecureChannelError.self) { _ = try offer.exchange(in: answer) }
        #expect(error?.code == .wrongActivationPassword)
    }

    @Test func `foreign replies are ignored, and the right one is still accepted`() throws {
        let (device, command, state) = try exchange.stepTwo()
        let (keys, _) = try exchange.provision(command, state)
        let other = try exchange.offer()
        let (foreign, _) = try exchange.answer(other.command)
        let refusal = ActivationRefusal(sessionID: exchange.random.bytes(16), reason: .refused).command
        let (_, otherCommand, otherState) = try exchange.stepTwo()
        let (otherKeys, _) = try exchange.provision(otherCommand, otherState)
        for reply in [command, foreign, refusal, otherCommand, otherKeys] {
            #expect(try device.device(in: reply) == nil)
        }
        #expect(try device.device(in: keys) != nil)
        for reply in [command, keys, refusal, other.command] { #expect(try other.exchange(in: reply) == nil) }
        #expect(try other.exchange(in: foreign) != nil)
    }

    @Test func `no changed bit of answer 1 is accepted`() throws {
        let template = try exchange.offer()
        let count = try exchange.answer(template.command).answer.bytes.count
        for index in 0..<count {
            let offer = try exchange.offer()
            var bytes = try exchange.answer(offer.command).answer.bytes
            bytes[index] ^= 1 << UInt8(index % 8)
            guard let damaged = try? OrchestrationCommand(bytes: bytes) else { continue }
            do {
                let accepted = try offer.exchange(in: damaged)
                #expect(accepted == nil, "byte \(index)")
            } catch is SecureChannelError {
                continue
            }
        }
    }

    @Test func `no changed bit and no part of answer 2 is accepted, and the right answer still is`() throws {
        let (device, command, state) = try exchange.stepTwo()
        let (keys, _) = try exchange.provision(command, state)
        for index in keys.bytes.indices {
            let cut = try? OrchestrationCommand(bytes: Array(keys.bytes.prefix(index)))
            if let cut { #expect(try device.device(in: cut) == nil) }
            for bit in [0, 3, 7] {
                var bytes = keys.bytes
                bytes[index] ^= 1 << UInt8(bit)
                guard let damaged = try? OrchestrationCommand(bytes: bytes) else { continue }
                #expect(try device.device(in: damaged) == nil, "byte \(index), bit \(bit)")
            }
        }
        #expect(try device.device(in: keys) != nil)
    }

    @Test(arguments: [
        // The refusal is not authenticated, so it is not counted like a wrong tag.
        (ActivationRefusal.Reason.refused, OrchestrationError.Code.activationPasswordNotConfirmed),
        (.deviceLimitReached, .deviceLimitReached), (.sessionReused, .invalidAnswer),
    ])
    func `a refusal of step 1 ends the activation by what it says`(
        reason: ActivationRefusal.Reason, code: OrchestrationError.Code
    ) throws {
        let offer = try exchange.offer()
        let request = try ActivationRequest(decoding: offer.command.bytes)
        let refusal = ActivationRefusal(sessionID: request.sessionID, reason: reason).command
        #expect(try Self.end { _ = try offer.exchange(in: refusal) } == code)
    }

    @Test func `a refusal of step 2 says that the platform has dropped the session`() throws {
        let (device, command, _) = try exchange.stepTwo()
        let request = try ActivationKeyRequest(decoding: command.bytes)
        let refusal = ActivationRefusal(sessionID: request.sessionID, reason: .refused).command
        #expect(try Self.end { _ = try device.device(in: refusal) } == .exchangeExpired)
    }

    @Test func `what the platform issues outside the limits ends the activation before anything is stored`() throws {
        for (suite, id) in [(Suite.hybrid, [UInt8]?.none), (.classic, [UInt8](repeating: 0, count: 8))] {
            let (device, command, state) = try exchange.stepTwo()
            let (keys, _) = try exchange.provision(command, state, sealingSuite: suite, sealingKeyID: id)
            #expect(throws: OrchestrationError(.invalidAnswer)) { _ = try device.device(in: keys) }
        }
    }

    /// Returns the code by which a flow ends.
    private static func end(_ body: () throws -> Void) throws -> OrchestrationError.Code? {
        do {
            try body()
            return nil
        } catch let end as FlowEnd {
            return end.events.last?.failure?.code
        } catch let error as OrchestrationError {
            return error.code
        }
    }
}
